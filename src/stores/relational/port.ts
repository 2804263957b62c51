import type { ApiKey, Member, Organization, Principal, Role, UsageEvent, UsageRow } from '../../model/account.ts';
import type { RepositoryInfo } from '../../model/snapshot.ts';

/** Organizations, their members and their API keys. Digests only: a key itself is never stored. */
export interface Accounts {
  /** The organization of this slug, made when it is new. */
  ensureOrganization(organization: { slug: string; name: string }): Promise<Organization>;
  organizations(): Promise<Organization[]>;
  /** The member of this name, made when new; the role is set to the one given. */
  ensureMember(organizationId: string, member: { name: string; role: Role }): Promise<Member>;
  createApiKey(key: {
    memberId: string;
    prefix: string;
    digest: Uint8Array;
    expiresAt: string | null;
  }): Promise<ApiKey>;
  /** Who the key with this digest stands for; null when unknown, revoked or expired. */
  principalByDigest(digest: Uint8Array): Promise<Principal | null>;
  apiKeys(
    organizationId?: string,
  ): Promise<(ApiKey & { organization_slug: string; member_name: string; role: Role })[]>;
  /** False when there was none that could be revoked. */
  revokeApiKey(id: string): Promise<boolean>;
}

/** The snapshots of the repositories: the truth from which graph and search are made. */
export interface Snapshots {
  /** Keeps a repository's snapshot in place of the one before, as a whole; `bytes` is the snapshot file (see loaders/records). */
  save(
    repository: RepositoryInfo,
    generation: string,
    bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void>;
  list(): Promise<StoredSnapshot[]>;
  get(repository: string): Promise<StoredSnapshot | null>;
  /** The snapshot file's bytes; null when the repository is not held. */
  read(repository: string): AsyncIterable<Uint8Array>;
  /** False when there was none. */
  remove(repository: string): Promise<boolean>;
}

export interface StoredSnapshot {
  repository: string;
  generation: string;
  info: RepositoryInfo;
  size_bytes: number;
  /** RFC 3339, UTC. */
  loaded_at: string;
}

/** The ledger of metered calls (api.md 3.2): each event counts once. */
export interface UsageLedger {
  /** Writes a batch; events already known change nothing. */
  append(events: readonly UsageEvent[]): Promise<void>;
  /** `period` is `YYYY-MM`, UTC. */
  totals(organizationId: string, period: string): Promise<UsageRow[]>;
}

/** PostgreSQL, in the process or on a server: the same SQL and the same migrations. Every write is durable when its promise resolves. */
export interface RelationalStore {
  readonly engine: string;
  readonly accounts: Accounts;
  readonly snapshots: Snapshots;
  readonly usage: UsageLedger;
  /** Runs work while no other work of this name runs, in whichever process on this database; waits for its turn. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

import type { ApiKey, Member, Organization, Principal, Role, UsageEvent } from '../../model/account.ts';
import type { Report, ReportRequest, ReportStatus } from '../../model/report.ts';
import type { CliPairing, CliRole, CliSession } from '../../model/cli.ts';
import type { BillingChange, BillingRecord } from '../../model/billing.ts';
import type { CheckoutRequest, CheckoutSession } from '../../model/checkout.ts';
import type { Measurements } from '../../model/due-diligence.ts';
import type { EvaluationRun } from '../../model/evaluation-run.ts';
import type { MintRun } from '../../model/mint-run.ts';
import type { RepositoryInfo } from '../../model/snapshot.ts';
import type { Difficulty, TaskInstance } from '../../model/task-instance.ts';
import type { CustomerEvent, Days, StoredCustomerEvent, UsageColumn, UsageSum } from '../../model/usage.ts';
import type { Circuit } from '../guard.ts';

/** What is kept in place of an API key. */
export interface KeyDigest {
  digest: Uint8Array;
  /** Tells the pepper, and nothing of it. */
  pepperId: string;
}

/** What is asked across organizations: by whoever runs the service, and to find out who is calling. */
export interface Accounts {
  /** The organization of this slug, made when it is new. */
  ensureOrganization(organization: { slug: string; name: string }): Promise<Organization>;
  organizations(): Promise<Organization[]>;
  /**
   * Who the key with one of these digests stands for; null when unknown, revoked or expired. The first digest is under the pepper
   * in force: a key found by another is kept by the first from now on.
   */
  principalByDigest(digests: readonly [KeyDigest, ...KeyDigest[]]): Promise<Principal | null>;
  /** The keys of all organizations, in the order they were made. */
  apiKeys(): Promise<(MemberKey & { organization_slug: string })[]>;
  /** How many keys are in use under which pepper; null: one that was not noted. */
  keysByPepper(): Promise<{ pepper_id: string | null; keys: number }[]>;
}

/** An API key and whose it is. */
export type MemberKey = ApiKey & { member_name: string; role: Role };

/** The members of one organization. */
export interface Members {
  get(id: string): Promise<Member | null>;
  named(name: string): Promise<Member | null>;
  count(): Promise<number>;
  create(member: { name: string; role: Role }): Promise<Member>;
  /** Who the member is at the identity provider; false when another member of the organization is it. */
  setSubject(id: string, subject: string): Promise<boolean>;
  setRole(id: string, role: Role): Promise<void>;
}

/** The API keys of one organization. Digests only: a key itself is never stored. */
export interface ApiKeys {
  /** From here to the end of the transaction nobody else who asks this changes the organization's members and keys. */
  alone(): Promise<void>;
  create(key: {
    memberId: string;
    /** At most this, when its member may do more; null: as its member. */
    role?: Role | null;
    name: string | null;
    prefix: string;
    digest: KeyDigest;
    expiresAt: string | null;
  }): Promise<ApiKey>;
  get(id: string): Promise<MemberKey | null>;
  /** The newest first. */
  list(page: { offset: number; limit: number }): Promise<{ items: MemberKey[]; total: number }>;
  /**
   * Those that are neither revoked nor expired, nor will be expired in so many seconds; of a member, those that no command line has.
   */
  inUse(of: { memberId: string } | { role: Role }, inSeconds?: number): Promise<number>;
  /** False when there was none that could be revoked. */
  revoke(id: string): Promise<boolean>;
  expire(id: string, at: string): Promise<void>;
}

/** The snapshots of the repositories: the truth from which graph and search are made. */
export interface Snapshots {
  /** Keeps a repository's snapshot in place of the one before, as a whole; `bytes` is the snapshot file (see loaders/records). */
  save(
    repository: RepositoryInfo,
    generation: string,
    bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    /** The pipeline run that made it: it succeeds by the same commit. */
    measured?: { run: string; measurements: Measurements },
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

/** One time that a repository was measured. */
export interface PipelineRun {
  id: string;
  repository: string;
  commit: string | null;
  committed_at: string | null;
  status: 'running' | 'succeeded' | 'failed';
  error: string | null;
  started_at: string;
  completed_at: string | null;
}

/** The runs of the due-diligence pipeline. A run succeeds with `Snapshots.save`; only one that did is ever the latest. */
export interface PipelineRuns {
  /** The caller has the repository to himself; what still ran there counts as failed. */
  begin(repository: Pick<RepositoryInfo, 'name' | 'commit' | 'committed_at' | 'analyzer_version'>): Promise<string>;
  fail(id: string, error: string): Promise<void>;
  /** The last that succeeded, of each repository or of one, until that time; by repository. */
  latest(options?: { repository?: string; asOf?: string }): Promise<PipelineRun[]>;
  /** The last so many that succeeded, of each repository or of one, until that time; by repository, the newest first. */
  succeeded(options: { last: number; repository?: string; asOf?: string }): Promise<PipelineRun[]>;
  /** All of a repository, the newest first. */
  list(repository: string): Promise<PipelineRun[]>;
  /** What these runs measured, without the evidence; a run that is unknown or did not succeed is not there. */
  metrics(ids: readonly string[]): Promise<ReadonlyMap<string, Measurements['metrics']>>;
  /** Null where the run is unknown or did not succeed. */
  measurements(id: string): Promise<Measurements | null>;
}

/** What task instances are told apart by. */
export interface TaskFilter {
  repo?: string | undefined;
  language?: string | undefined;
  difficulty?: Difficulty | undefined;
}

/** The task instances, of no organization as the snapshots are. */
export interface TaskInstances {
  /** All or none; each in place of the one that had its id. The same again changes nothing. */
  save(instances: readonly TaskInstance[]): Promise<{ added: number; changed: number; unchanged: number }>;
  /** Those created last first. */
  list(query: TaskFilter & { offset: number; limit: number }): Promise<{ items: TaskInstance[]; total: number }>;
  /** How many of those that match have which value, the most frequent first, then by value. */
  counts(filter: TaskFilter, by: keyof TaskFilter): Promise<{ value: string; count: number }[]>;
  get(instanceId: string): Promise<TaskInstance | null>;
  /** All of them, by id. */
  each(): AsyncIterable<TaskInstance>;
}

/** The searches for task instances. */
export interface MintRuns {
  /** In place of one of the same id. */
  save(run: MintRun): Promise<void>;
  /** The last one of a repository. */
  latest(repo: string): Promise<MintRun | null>;
  /** The last one of each repository, by repository. */
  list(page: { offset: number; limit: number }): Promise<{ items: MintRun[]; total: number }>;
}

/** What models reached on the task instances. */
export interface EvaluationRuns {
  /** In place of the one of this run and model. */
  save(run: EvaluationRun): Promise<void>;
  /** The newest first. */
  list(page: { offset: number; limit: number }): Promise<{ items: EvaluationRun[]; total: number }>;
}

/** The ledger of metered calls (api.md 3.2): each event counts once. */
export interface UsageLedger {
  /** Writes a batch; events already known change nothing. */
  append(events: readonly UsageEvent[]): Promise<void>;
}

/** What one organization has used, summed by these columns and in their order; what is not there has no sum. */
export interface TenantUsage {
  /** Metered calls by class, too; of one product only where told. */
  calls<Column extends UsageColumn>(days: Days, by: readonly Column[], product?: string): Promise<UsageSum<Column>[]>;
  /** Events of its own, by the day they were received. */
  events<Column extends 'member_id' | 'day'>(
    days: Days,
    by: readonly Column[],
  ): Promise<(Record<Column, string> & { events: number })[]>;
}

/** The events that one organization tells of itself: one of a source and an id is kept once, as it came first. */
export interface UsageEvents {
  /** All or none. Tells of each, in order, whether it is new, and which it is. */
  append(
    events: readonly CustomerEvent[],
    from: { memberId: string; keyId: string },
  ): Promise<{ id: string; source: string; status: 'accepted' | 'duplicate'; event_id: string }[]>;
  /** The latest first; times are RFC 3339, `from` included and `to` not. */
  list(query: {
    type?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
    offset: number;
    limit: number;
  }): Promise<{ items: StoredCustomerEvent[]; total: number }>;
}

/** What is asked before it is known in which organization: who an owner is, and whose a pairing code may be. */
export interface OpenPairings {
  /** The owner who is this subject at the identity provider; `organization` is an id or a slug. */
  owner(of: { organization: string; subject: string }): Promise<Member | null>;
  /** Where the pairing of this selector is that can still be claimed. */
  find(selector: string): Promise<{ id: string; organization_id: string; organization_slug: string } | null>;
  /** Frees the selectors of pairings that nobody has used in time. */
  expire(): Promise<void>;
}

/** One organization's pairings (api.md 1.10). */
export interface Pairings {
  /** False when the token was used before. */
  useOwnerJwt(token: { digest: Uint8Array; expires_at: string }): Promise<boolean>;
  /** Null when another open pairing has this selector. */
  create(pairing: {
    memberId: string;
    selector: string;
    secretDigest: Uint8Array;
    deviceName: string | null;
    role: CliRole;
    lifetimeSeconds: number;
  }): Promise<CliPairing | null>;
  get(id: string): Promise<CliPairing | null>;
  /** One that can still be claimed: nobody else decides about it until the transaction ends. */
  hold(id: string): Promise<(CliPairing & { secret_digest: Uint8Array }) | null>;
  /** The fifth revokes the pairing: true. */
  countWrongSecret(id: string): Promise<boolean>;
  /** False when it could no longer be claimed; of many at once, one is told true. */
  claim(id: string): Promise<boolean>;
  /** False when it was not open any more. */
  revoke(id: string): Promise<boolean>;
}

/** One organization's command lines that have a key. */
export interface CliSessions {
  create(session: {
    memberId: string;
    apiKeyId: string;
    pairingId: string;
    deviceName: string | null;
    client: CliSession['client'];
  }): Promise<CliSession>;
  get(id: string): Promise<CliSession | null>;
  /** Null for a key that no command line was given. */
  ofKey(apiKeyId: string): Promise<CliSession | null>;
  /** The newest first; all members' unless told. */
  list(query: { memberId?: string; offset: number; limit: number }): Promise<{ items: CliSession[]; total: number }>;
}

/** Who changed what in an organization: added to, never changed. */
export interface AuditLog {
  append(entry: {
    /** Null: an operator, at the machine itself. */
    memberId: string | null;
    keyId: string | null;
    /** `api_key.created`, `cli_pairing.claimed` … */
    action: string;
    /** Id of what was changed. */
    subject: string;
    details?: Record<string, unknown>;
  }): Promise<void>;
  /** The oldest first. */
  list(): Promise<
    {
      id: string;
      member_id: string | null;
      key_id: string | null;
      action: string;
      subject: string;
      details: Record<string, unknown>;
      occurred_at: string;
    }[]
  >;
}

/** One organization's reports. */
export interface Reports {
  /** Made by whoever claims it next. */
  create(report: ReportRequest & { createdBy: string }): Promise<Report>;
  /** The newest first; `createdTo` is excluded. */
  list(query: {
    status?: ReportStatus;
    type?: string;
    createdFrom?: string;
    createdTo?: string;
    offset: number;
    limit: number;
  }): Promise<{ items: Report[]; total: number }>;
  get(id: string): Promise<Report | null>;
  /** The bytes of one that succeeded and has not expired; null otherwise. */
  content(id: string): Promise<Uint8Array | null>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
}

/** A report to be made, by whoever claimed it. */
export interface ClaimedReport extends ReportRequest {
  id: string;
  organization_id: string;
  /** From 1. */
  attempt: number;
}

/**
 * The reports of all organizations as jobs, for any number of services. Promises: a report has one claimer at a time; one whose
 * claimer let the lease run out is claimed again; only its claimer's outcome counts, and only one.
 */
export interface ReportQueue {
  /** The oldest report that waits, of an organization with fewer than so many under way; null when there is none. */
  claim(options: { leaseMs: number; perOrganization: number }): Promise<ClaimedReport | null>;
  /** Keeps it for so long from now. False, of this and what follows: it was deleted, or is somebody else's by now. */
  renew(claimed: ClaimedReport, options: { leaseMs: number; progress: number }): Promise<boolean>;
  /** Gives it back, to be claimed after this delay. */
  release(claimed: ClaimedReport, options: { delayMs: number }): Promise<void>;
  succeed(
    claimed: ClaimedReport,
    result: { content: Uint8Array; contentType: string; retentionMs: number },
  ): Promise<boolean>;
  fail(claimed: ClaimedReport, error: { code: string; message: string }): Promise<boolean>;
  /** Removes the contents of those that have expired. */
  expire(): Promise<void>;
}

/** One organization's checkout sessions. One that is open expires by itself when its time is over. */
export interface CheckoutSessions {
  create(
    session: CheckoutRequest & {
      createdBy: string;
      amountTotalCents: number;
      listAmountCents: number;
      lifetimeMs: number;
    },
  ): Promise<CheckoutSession>;
  /** The newest first. */
  list(page: { offset: number; limit: number }): Promise<{ items: CheckoutSession[]; total: number }>;
  get(id: string): Promise<CheckoutSession | null>;
  /** The session as it is now; null when it was not open. */
  expire(id: string): Promise<CheckoutSession | null>;
  /** Those that a checkout may send back to, in lower case; null: any. */
  hosts(): Promise<string[] | null>;
}

/** The checkout sessions of all organizations: their ids can't be guessed. */
export interface OpenCheckouts {
  find(id: string): Promise<CheckoutSession | null>;
  /** False when there is no such organization. */
  setHosts(organizationId: string, hosts: readonly string[] | null): Promise<boolean>;
}

/** An event of a provider, as it was signed. */
export interface InboxEvent {
  provider: string;
  event_id: string;
  type: string;
  body: Uint8Array;
}

/**
 * Signed events of payment providers, for any number of services. Promises: an event is kept once and counts once, whatever
 * crashes; the result is the same in whichever order they come.
 */
export interface WebhookInbox {
  /** False when an event of this id was kept before; that one stays. */
  keep(event: InboxEvent): Promise<boolean>;
  /**
   * Takes the event that waits longest and does what `changeOf` says, null nothing, in one transaction; null when none waits. With
   * an error nothing was done, and the event is tried again a few times, later each time.
   */
  workOff(
    changeOf: (event: InboxEvent) => BillingChange | null,
  ): Promise<{ event: InboxEvent; error?: unknown } | null>;
}

/** How much waits to be done or is under way. */
export interface Backlog {
  reports_pending: number;
  reports_running: number;
  /** Events of providers that are kept and not yet worked off. */
  webhooks_waiting: number;
  /** Of repositories to load and to mint from, those that are tried again among them. */
  jobs_waiting: number;
  jobs_running: number;
}

/** What one organization has, read and written in one transaction that can see nobody else's. */
export interface Tenant {
  readonly organizationId: string;
  readonly members: Members;
  readonly apiKeys: ApiKeys;
  readonly audit: AuditLog;
  readonly usage: TenantUsage;
  readonly usageEvents: UsageEvents;
  readonly reports: Reports;
  /** Does this once the transaction is committed; never, when it is undone. */
  afterCommit(work: () => void): void;
  readonly pairings: Pairings;
  readonly cliSessions: CliSessions;
  readonly checkoutSessions: CheckoutSessions;
  /** Its subscriptions and invoices at payment providers, those that changed last at the end. */
  billingRecords(): Promise<BillingRecord[]>;
}

/** An answer that can be given again. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Requests that are done once, however often they are sent (api.md 4). */
export interface Idempotency {
  /**
   * Answers what the first request with this key was answered, or does the work, in one transaction of its organization: a
   * throw undoes it and keeps nothing; an answer of 400 or more undoes it and is kept. `in_use`: the first is still at work;
   * `reused`: the key stood for another request. A key is free again after 24 hours.
   */
  once(
    request: {
      organizationId: string;
      key: string;
      /** SHA-256 of what must be the same. */
      fingerprint: Uint8Array;
      method: string;
      route: string;
      requestId: string;
    },
    execute: () => Promise<StoredAnswer>,
  ): Promise<'in_use' | 'reused' | { replayed: boolean; answer: StoredAnswer }>;
}

/** PostgreSQL, in the process or on a server: the same SQL and the same migrations. Every write is durable when its promise resolves. */
export interface RelationalStore {
  readonly engine: string;
  /** Of its server; an embedded engine has none. */
  readonly circuit?: Circuit;
  readonly accounts: Accounts;
  readonly snapshots: Snapshots;
  readonly runs: PipelineRuns;
  readonly taskInstances: TaskInstances;
  readonly mintRuns: MintRuns;
  readonly evaluationRuns: EvaluationRuns;
  readonly usage: UsageLedger;
  readonly idempotency: Idempotency;
  readonly pairings: OpenPairings;
  readonly checkouts: OpenCheckouts;
  readonly webhooks: WebhookInbox;
  readonly reports: ReportQueue;
  /** Does the work in one transaction of this organization; called within such work, it is part of that transaction. */
  tenant<T>(organizationId: string, work: (tenant: Tenant) => Promise<T>): Promise<T>;
  /** Removes what is kept for a time and has had it; gives how many rows that were. */
  purge(): Promise<number>;
  /** What waits to be done, of all organizations. */
  backlog(): Promise<Backlog>;
  /** Runs work while no other work of this name runs, in whichever process on this database; waits for its turn. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** What time it is there. */
  ping(): Promise<Date>;
  close(): Promise<void>;
}

import { z } from 'zod';

/** From the most to the least allowed; `service` is internal and never issued to customers. */
export const roleSchema = z.enum(['owner', 'admin', 'member', 'viewer']);
export type Role = z.infer<typeof roleSchema>;

/** Who a member is at the identity provider: the `sub` of its tokens. */
export const subjectSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, { error: 'a subject has no control characters' });

export interface Organization {
  id: string;
  slug: string;
  name: string;
}

export interface Member {
  id: string;
  organization_id: string;
  name: string;
  role: Role;
}

/** What is kept of an API key: never the key. */
export interface ApiKey {
  id: string;
  organization_id: string;
  member_id: string;
  name: string | null;
  /** First characters, for people to recognise it: `ris_live_0Xcs`. */
  prefix: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

/** What a key may be used for; null: whatever its role allows. */
export interface KeyLimits {
  /** Slugs of the products that it may call. */
  products: readonly string[] | null;
  /** Names of the repositories that it may see: every other is an unknown name to it. */
  repositories: readonly string[] | null;
  scopes: readonly string[] | null;
}

/** Who is calling: what a verified key stands for. */
export interface Principal extends KeyLimits {
  organization: Organization;
  member: Member;
  api_key: Pick<ApiKey, 'id' | 'prefix' | 'expires_at'>;
}

/** One metered product call. */
export interface UsageEvent {
  /** UUIDv7, made by the server; counts once. */
  event_id: string;
  organization_id: string;
  member_id: string;
  key_id: string;
  product: string;
  operation: string;
  status: number;
  class: 'successful' | 'not_modified' | 'client_error' | 'server_error';
  credits: number;
  /** RFC 3339, UTC. */
  occurred_at: string;
}

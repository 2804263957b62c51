import { z } from 'zod';

/** From the most to the least allowed; `service` is internal and never issued to customers. */
export const roleSchema = z.enum(['owner', 'admin', 'member', 'viewer']).meta({ id: 'Role' });
export type Role = z.infer<typeof roleSchema>;

/** Who a member is at the identity provider: the `sub` of its tokens. */
export const subjectSchema = z
  .string()
  .min(1)
  .max(255)
  // oxlint-disable-next-line no-control-regex -- they are what is excluded
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, { error: 'a subject has no control characters' });

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

/** What an organization has decided for itself. */
export interface OrganizationSettings extends Organization {
  created_at: string;
  /** Those that a checkout may send its buyers back to, in lower case; null: any. */
  checkout_hosts: string[] | null;
  /** Of whoever is invited or made, unless told. */
  default_role: Exclude<Role, 'owner'>;
  /** For how long new keys live, unless told; null: they do not expire. */
  default_key_days: number | null;
}

/** What a key may be restricted to beside its role. What it may do is in `auth/scopes.ts`. */
export const scopeSchema = z
  .enum([
    'read',
    'solver',
    'reports:read',
    'reports:write',
    'usage:read',
    'usage:write',
    'keys',
    'members',
    'organization',
    'audit:read',
    'events:read',
    'views',
    'badges',
    'billing',
  ])
  .meta({ id: 'Scope' });
export type Scope = z.infer<typeof scopeSchema>;

/** From where a change was made. */
export interface Origin {
  /** A request, the command line of whoever runs the service, or the event of a payment provider. */
  via: 'api' | 'cli' | 'provider';
  address: string | null;
  userAgent: string | null;
}

/** Where a key is good for: calls with one for `test` are free. */
export const keyEnvironmentSchema = z.enum(['live', 'test']).meta({ id: 'KeyEnvironment' });
export type KeyEnvironment = z.infer<typeof keyEnvironmentSchema>;

/** Where the key of this prefix is good for. */
export const environmentOf = ({ prefix }: { prefix: string }): KeyEnvironment =>
  prefix.startsWith('ris_test_') ? 'test' : 'live';

/** What a key may be used for; null: whatever its role allows. */
export interface KeyLimits {
  /** Slugs of the products that it may call. */
  products: readonly string[] | null;
  /** Names of the repositories that it may see: every other is an unknown name to it. */
  repositories: readonly string[] | null;
  scopes: readonly Scope[] | null;
  /** Requests, beside the quotas of its organization. */
  rate_limit_per_minute: number | null;
}

// oxlint-disable-next-line no-control-regex -- they are what is excluded
export const repositoryNamesSchema = z.array(z.string().regex(/^[^\u0000-\u001f\u007f]{1,256}$/u)).max(1_000);

export const keyLimitsSchema = z.object({
  products: z.array(z.string().max(64)).max(100).readonly().nullable(),
  repositories: repositoryNamesSchema.readonly().nullable(),
  scopes: z.array(scopeSchema).readonly().nullable(),
  rate_limit_per_minute: z.int().min(1).max(100_000).nullable(),
});

/** Of a key that may be used for whatever its role allows. */
export const noLimits: KeyLimits = { products: null, repositories: null, scopes: null, rate_limit_per_minute: null };

// oxlint-disable-next-line no-control-regex -- they are what is excluded
export const memberNameSchema = z.string().regex(/^[^\u0000-\u001f\u007f]{1,100}$/u);

/** What can be changed of an organization. */
export const settingsChangeSchema = z.strictObject({
  name: memberNameSchema.optional(),
  checkout_hosts: z
    .array(
      z
        .string()
        .max(253)
        .regex(/^(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}$/),
    )
    .max(100)
    .nullable()
    .optional()
    .meta({ description: 'Hosts that a checkout may send its buyers back to, in lower case; null: any.' }),
  default_role: roleSchema.exclude(['owner']).optional().meta({
    description: 'Of whoever is invited or made, unless told.',
  }),
  default_key_days: z
    .int()
    .min(1)
    .max(3_650)
    .nullable()
    .optional()
    .meta({ description: 'For how long new keys live, unless told; null: they do not expire.' }),
});
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

/** What is kept of an API key: never the key. */
export interface ApiKey extends KeyLimits {
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

/** Who is calling: what a verified key stands for. */
export interface Principal extends KeyLimits {
  organization: Organization;
  /** Id of the plan that the organization is on. */
  plan: string;
  member: Member;
  api_key: Pick<ApiKey, 'id' | 'prefix' | 'expires_at'> & { environment: KeyEnvironment };
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
  /** Of the key; live where an older version has written the event down. */
  environment?: KeyEnvironment;
  /** RFC 3339, UTC. */
  occurred_at: string;
}

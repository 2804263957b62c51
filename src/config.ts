import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import type { OpenIdProvider } from './auth/sign-in.ts';
import type { WebhookSigner } from './auth/webhook-signature.ts';
import { openTelemetrySchema, openTelemetryOf } from './operations/open-telemetry-settings.ts';
import { homes } from './model/listing.ts';
import type { Forge } from './model/listing.ts';
import { quotasPattern, readQuotas } from './control-plane/rate-limits.ts';

const url = (...protocols: string[]) =>
  z
    .url({ error: 'must be a URL' })
    .refine((text) => protocols.includes(new URL(text).protocol.replace(':', '')), {
      error: `must begin with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
    })
    .optional();

/** Of keys that are trusted: nobody on the way may change them. */
const trustedUrl = url('http', 'https').refine(
  (text) => text === undefined || /^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])/.test(text),
  { error: 'must begin with https://, except on this machine' },
);

const secrets = (form: RegExp, words: string) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((secret) => secret !== ''))
    .pipe(z.array(z.string().regex(form, { error: `must be ${words}` })));

/** `github:https://git.example.com=TOKEN gitea:https://codeberg.org=TOKEN`. A token is sent to nobody who could be overheard. */
const forgeTokens = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((each) => each !== ''))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^(?:github|gitlab|gitea|bitbucket):(?:https:\/\/[\w.-]+|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?=\S+$/,
          { error: 'must be like gitea:https://git.example.com=TOKEN, separated by spaces' },
        ),
    ),
  );

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, { error })
    .transform(Number)
    .pipe(z.number().min(least, { error }).max(most, { error }));
};

const pepper = z.string().min(32, { error: 'must have at least 32 characters' }).optional();

/** What nobody gets at random: a placeholder that was left in place, or a few characters again and again. */
const isPlaceholder = (secret: string) =>
  new Set(secret).size < 8 || /change|default|example|secret|pepper|password/i.test(secret);

const schema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  DATA_DIR: z.string().min(1).default('./data'),
  /** For which organization the command line works; default: `default`, or the only one. */
  RIS_ORGANIZATION: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, {
      error: 'must be the slug of an organization: lower-case letters, digits and hyphens',
    })
    .optional(),
  /** As callers reach the service; default: its own address. */
  BASE_URL: url('http', 'https'),
  DOCS_URL: url('http', 'https'),
  /** Of the web site that has the waitlists; default: the service has them. */
  SITE_URL: url('http', 'https'),
  DATABASE_URL: url('postgres', 'postgresql'),
  REDIS_URL: url('redis', 'rediss'),
  NEO4J_URL: url('bolt', 'neo4j', 'bolt+s', 'neo4j+s', 'bolt+ssc', 'neo4j+ssc'),
  NEO4J_USER: z.string().default('neo4j'),
  NEO4J_PASSWORD: z.string().optional(),
  ELASTICSEARCH_URL: url('http', 'https'),
  ELASTICSEARCH_API_KEY: z.string().optional(),
  API_KEY_PEPPER: pepper,
  /** The one before: keys under it are taken as well, and are kept under the new one from then on. */
  API_KEY_PEPPER_PREVIOUS: pepper,
  /** In MB: with less on the disk of the data folder nothing is begun that writes; 0: it is not looked at. */
  MIN_FREE_MB: wholeNumber(0, 999_999).optional(),
  IGNORE_USAGE_AFTER: z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-22T15:00:00Z' }).optional(),
  /** Metrics and health for whoever runs it, on a port of their own that asks for no credential; 0: nowhere. */
  ADMIN_PORT: wholeNumber(0, 65_535).default(9464),
  ADMIN_HOST: z.string().min(1).default('127.0.0.1'),
  /** Between the signal and the end of listening, so that load balancers notice; 5 in production, else 0. */
  DRAIN_SECONDS: wholeNumber(0, 20).optional(),
  /** The identity provider of owners, who ask for pairing codes: what its tokens say of issuer and audience, and where its keys are. */
  OWNER_JWT_ISSUER: z.string().optional(),
  OWNER_JWT_AUDIENCE: z.string().optional(),
  OWNER_JWT_JWKS_URL: trustedUrl,
  /** The identity provider at which people sign in to the explorer: OpenID Connect's authorization code flow. */
  OIDC_ISSUER: trustedUrl,
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** What `aud` of the provider's access tokens for this service says, where that is not the address of `/mcp` or of the service. */
  OIDC_AUDIENCE: z.string().min(1).optional(),
  /** `api_key`: an owner's API key stands in for the token, where there is no identity provider; never in production. */
  PAIRING_AUTH: z.enum(['jwt', 'api_key']).default('jwt'),
  /** `info` logs each request; by default only in production, so that a terminal stays readable. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  /**
   * Of who signs events to /v1/billing/webhooks/provider as Standard Webhooks asks, and of Stripe, to …/stripe: several, separated
   * by spaces, while they are changed.
   */
  WEBHOOK_SECRETS: secrets(/^whsec_(?=[^=]*={0,2}$)[A-Za-z0-9+/]{32,86}={0,2}$/, 'whsec_ and 24 to 64 bytes in base64'),
  STRIPE_WEBHOOK_SECRETS: secrets(/^whsec_[A-Za-z0-9]{26,}$/, 'whsec_ and at least 26 letters and digits'),
  /** How mail to waitlists leaves, and from whom; without it the mails are files in the data folder. */
  MAIL_URL: url('smtp', 'smtps'),
  MAIL_FROM: z.email({ error: 'must be an address such as hello@example.com' }).optional(),
  /** Where events may be sent: to the public internet over TLS, or anywhere, whichever network it is in. */
  WEBHOOK_ADDRESSES: z.enum(['public', 'any']).default('public'),
  /** With which what their owners have is listed and cloned, for whoever runs the service; by the first two `diff --comment` writes. */
  GITHUB_TOKEN: z.string().optional(),
  GITLAB_TOKEN: z.string().optional(),
  BITBUCKET_TOKEN: z.string().optional(),
  /** The same of other hosts. */
  FORGE_TOKENS: forgeTokens,
  /** Folder with a copy of osv.dev's records, `{ecosystem}/all.zip`; without it no package is known to be vulnerable. */
  VULNERABILITY_DB: z.string().min(1).optional(),
  /** File with the repositories that due diligence compares with, in place of the reference population. */
  REFERENCE_POPULATION: z.string().min(1).optional(),
  /** Proxies in front whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  /** Connections that one address may have at once; 0: as many as it likes. Trusted proxies have no such limit. */
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(0, 100_000).default(1_024),
  /** Names under which /mcp and the admin port may be asked, beside that of BASE_URL. */
  ALLOWED_HOSTS: z
    .string()
    .regex(/^[\w.,\s-]*$/, { error: 'must be host names, separated by spaces or commas, without ports' })
    .default(''),
  /** What an engineer's hour costs in due diligence's estimates, and in which currency (ISO 4217). */
  REMEDIATION_HOURLY_RATE: wholeNumber(1, 100_000).default(100),
  REMEDIATION_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'must be a currency of three capital letters' })
    .default('USD'),
  /** Quotas in place of the beta's. */
  RATE_LIMITS: z
    .string()
    .regex(quotasPattern, { error: 'must be like default=6000/60,search=1200/60 (requests/seconds; * is every quota)' })
    .default(''),
  NODE_ENV: z.string().default('development'),
  /** Both are npm's: which script it runs, and where the person stands, for it runs scripts in the package's folder. */
  npm_lifecycle_event: z.string().optional(),
  INIT_CWD: z.string().optional(),
});

const ownerJwtSettings = ['OWNER_JWT_ISSUER', 'OWNER_JWT_AUDIENCE', 'OWNER_JWT_JWKS_URL'] as const;

/** What the settings must be together. */
const togetherSchema = schema.superRefine((env, { addIssue }) => {
  for (const name of ['API_KEY_PEPPER', 'API_KEY_PEPPER_PREVIOUS'] as const) {
    const secret = env[name];
    if (env.NODE_ENV === 'production' && secret !== undefined && isPlaceholder(secret))
      addIssue({ code: 'custom', path: [name], message: 'is a placeholder: make one with `openssl rand -base64 32`' });
  }
  if (env.API_KEY_PEPPER_PREVIOUS !== undefined && env.API_KEY_PEPPER_PREVIOUS === env.API_KEY_PEPPER)
    addIssue({ code: 'custom', path: ['API_KEY_PEPPER_PREVIOUS'], message: 'must be another than API_KEY_PEPPER' });
  for (const name of ['WEBHOOK_SECRETS', 'STRIPE_WEBHOOK_SECRETS'] as const) {
    if (env.NODE_ENV === 'production' && env[name].some((secret) => isPlaceholder(secret.replace('whsec_', ''))))
      addIssue({ code: 'custom', path: [name], message: 'has a placeholder: take the one that the provider shows' });
  }
  const isSet = (name: (typeof ownerJwtSettings)[number]) => env[name] !== undefined;
  if (ownerJwtSettings.some(isSet)) {
    for (const name of ownerJwtSettings.filter((name) => !isSet(name)))
      addIssue({ code: 'custom', path: [name], message: 'must be set with the other two of OWNER_JWT_*' });
  }
  for (const [name, other] of [
    ['MAIL_URL', 'MAIL_FROM'],
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
    ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
    ['OIDC_AUDIENCE', 'OIDC_ISSUER'],
  ] as const) {
    if (env[name] !== undefined && env[other] === undefined)
      addIssue({ code: 'custom', path: [other], message: `must be set with ${name}` });
  }
  const { OIDC_ISSUER: signedIn, OWNER_JWT_ISSUER: owners } = env;
  // A member has one subject, and two providers may give the same one to different people.
  if (signedIn !== undefined && owners !== undefined && signedIn !== owners)
    addIssue({ code: 'custom', path: ['OIDC_ISSUER'], message: 'must be the same as OWNER_JWT_ISSUER' });
  // Tokens for the client say who has signed in; whoever was shown one could ask with it.
  if (env.OIDC_AUDIENCE !== undefined && env.OIDC_AUDIENCE === env.OIDC_CLIENT_ID)
    addIssue({ code: 'custom', path: ['OIDC_AUDIENCE'], message: 'must be another one than OIDC_CLIENT_ID' });
  if (env.PAIRING_AUTH === 'api_key' && env.NODE_ENV === 'production')
    addIssue({ code: 'custom', path: ['PAIRING_AUTH'], message: 'must be jwt in production' });
});

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** The settings are not valid; the message names each wrong variable and what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** What in the settings is secret: what its name says, and passwords in URLs. */
function secretsOf(settings: NodeJS.ProcessEnv): string[] {
  return Object.entries(settings).flatMap(([name, value = '']) => {
    if (/^OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS$/.test(name))
      return value.split(',').map((each) => each.slice(each.indexOf('=') + 1));
    if (!(name in schema.shape)) return [];
    if (name === 'FORGE_TOKENS') return value.split(/[\s,]+/).map((each) => each.slice(each.indexOf('=') + 1));
    if (/KEY|PASSWORD|PEPPER|SECRET|TOKEN/.test(name)) return [value, ...value.split(/[\s,]+/)];
    const password = URL.canParse(value) ? new URL(value).password : '';
    return password === '' ? [] : [password, decodeURIComponent(password)];
  });
}

/** What GitHub Actions and GitLab CI tell a job of the pull request that it is of: theirs to set, and no settings of ours. */
const jobSchema = z.object({
  GITHUB_ACTIONS: z.string().optional(),
  GITHUB_EVENT_PATH: z.string().optional(),
  GITHUB_REPOSITORY: z.string().optional(),
  GITHUB_API_URL: z.string().default('https://api.github.com'),
  GITHUB_STEP_SUMMARY: z.string().optional(),
  CI_API_V4_URL: z.string().optional(),
  CI_PROJECT_ID: z.string().optional(),
  CI_MERGE_REQUEST_IID: z.string().optional(),
  CI_MERGE_REQUEST_DIFF_BASE_SHA: z.string().optional(),
  CI_COMMIT_SHA: z.string().optional(),
});

/** The CI job that this process is part of, where that is of a pull request. */
function pullRequestJobOf(job: NodeJS.ProcessEnv, tokens: z.infer<typeof schema>) {
  const env = jobSchema.parse(job);
  const { GITHUB_EVENT_PATH: eventPath, GITHUB_REPOSITORY: repository } = env;
  const isGitHub = env.GITHUB_ACTIONS === 'true' && eventPath !== undefined && repository !== undefined;
  const {
    CI_API_V4_URL: apiUrl,
    CI_PROJECT_ID: project,
    CI_MERGE_REQUEST_IID: mergeRequest,
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    CI_COMMIT_SHA: head,
  } = env;
  const isGitLab = apiUrl && project && mergeRequest && base && head;
  return {
    github: isGitHub
      ? {
          eventPath,
          repository,
          apiUrl: env.GITHUB_API_URL,
          summaryPath: env.GITHUB_STEP_SUMMARY ?? null,
          token: tokens.GITHUB_TOKEN ?? null,
        }
      : null,
    gitlab: isGitLab ? { apiUrl, project, mergeRequest, base, head, token: tokens.GITLAB_TOKEN ?? null } : null,
  };
}

/** By origin: whose API it has, and the token. */
function forgeTokensOf(env: z.infer<typeof schema>): Map<string, { forge: Forge; token: string }> {
  const { GITHUB_TOKEN: github, GITLAB_TOKEN: gitlab, BITBUCKET_TOKEN: bitbucket } = env;
  const named = Object.entries({ github, gitlab, bitbucket }) as [keyof typeof homes, string | undefined][];
  const atHome = named.map(([forge, token]) => ({ forge, origin: homes[forge], token }));
  const elsewhere = env.FORGE_TOKENS.map((each) => {
    const at = each.indexOf('=');
    const [colon, place] = [each.indexOf(':'), each.slice(0, at)];
    const forge = place.slice(0, colon) as Forge;
    return { forge, origin: new URL(place.slice(colon + 1)).origin, token: each.slice(at + 1) };
  });
  return new Map(
    [...atHome, ...elsewhere].flatMap(({ forge, origin, token }) =>
      origin === null || token === undefined ? [] : [[origin, { forge, token }] as const],
    ),
  );
}

/** What proves that an owner asks for a pairing code; null: nothing can, until an identity provider is set. */
function ownerProofOf(env: z.infer<typeof schema>) {
  const { OWNER_JWT_ISSUER: issuer, OWNER_JWT_AUDIENCE: audience, OWNER_JWT_JWKS_URL: jwksUrl } = env;
  if (env.PAIRING_AUTH === 'api_key') return 'api_key' as const;
  return issuer === undefined || audience === undefined || jwksUrl === undefined ? null : { issuer, audience, jwksUrl };
}

/** Where people sign in; null: nowhere, they paste an API key. */
function openIdProviderOf(env: z.infer<typeof schema>): OpenIdProvider | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret = null } = env;
  return issuer === undefined || clientId === undefined ? null : { issuer, clientId, clientSecret };
}

/** How mail leaves; without a server as files. */
function mailOf({
  MAIL_URL: server,
  MAIL_FROM: from = 'repo-intel@localhost.invalid',
  DATA_DIR,
}: z.infer<typeof schema>) {
  return server === undefined ? { from, folder: resolve(DATA_DIR, 'mail') } : { from, url: server };
}

/** Who may sign events, by the last segment of the path; without a secret no signature is valid. */
function webhooksOf(env: z.infer<typeof schema>): Record<string, WebhookSigner> {
  const { WEBHOOK_SECRETS: secrets, STRIPE_WEBHOOK_SECRETS: ofStripe } = env;
  return {
    provider: { scheme: 'standard', secrets },
    ...(ofStripe.length > 0 ? { stripe: { scheme: 'stripe', secrets: ofStripe } } : {}),
  };
}

/** Reads the settings from the environment: the only place that does. Throws ConfigError with one sentence a wrong variable. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  // An empty variable is one that is not set: compose files and CI systems write them so.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = togetherSchema.safeParse(set);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new ConfigError(`The settings are not valid: ${problems.join('; ')}.`);
  }
  const env = result.data;
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: resolve(env.DATA_DIR),
    organization: env.RIS_ORGANIZATION,
    /** What the paths that a person names are relative to. */
    startedIn: resolve((env.npm_lifecycle_event === 'start' && env.INIT_CWD) || '.'),
    /** Undefined: as much as is usual for a disk of its size. */
    ignoreUsageAfter: env.IGNORE_USAGE_AFTER === undefined ? undefined : new Date(env.IGNORE_USAGE_AFTER),
    minFreeBytes: env.MIN_FREE_MB === undefined ? undefined : env.MIN_FREE_MB * 1_000_000,
    baseUrl: env.BASE_URL?.replace(/\/+$/, ''),
    docsUrl: env.DOCS_URL?.replace(/\/+$/, ''),
    siteUrl: env.SITE_URL?.replace(/\/+$/, ''),
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    neo4j: env.NEO4J_URL ? { url: env.NEO4J_URL, user: env.NEO4J_USER, password: env.NEO4J_PASSWORD } : undefined,
    elasticsearch: env.ELASTICSEARCH_URL
      ? { url: env.ELASTICSEARCH_URL, apiKey: env.ELASTICSEARCH_API_KEY }
      : undefined,
    apiKeyPepper: env.API_KEY_PEPPER,
    previousApiKeyPepper: env.API_KEY_PEPPER_PREVIOUS,
    logLevel: env.LOG_LEVEL ?? (env.NODE_ENV === 'production' ? 'info' : 'warn'),
    /** A worker has nobody at its terminal: what it does is in its log. */
    workerLogLevel: env.LOG_LEVEL ?? 'info',
    vulnerabilityDb: env.VULNERABILITY_DB === undefined ? undefined : resolve(env.VULNERABILITY_DB),
    referencePopulation: env.REFERENCE_POPULATION === undefined ? undefined : resolve(env.REFERENCE_POPULATION),
    trustedProxies: env.TRUSTED_PROXIES,
    maxConnectionsPerAddress:
      env.TRUSTED_PROXIES > 0 || env.MAX_CONNECTIONS_PER_ADDRESS === 0 ? undefined : env.MAX_CONNECTIONS_PER_ADDRESS,
    allowedHosts: env.ALLOWED_HOSTS.toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ''),
    remediationRate: { currency: env.REMEDIATION_CURRENCY, hourly_rate: env.REMEDIATION_HOURLY_RATE },
    quotas: readQuotas(env.RATE_LIMITS),
    admin: env.ADMIN_PORT === 0 ? undefined : { host: env.ADMIN_HOST, port: env.ADMIN_PORT },
    drainMs: (env.DRAIN_SECONDS ?? (env.NODE_ENV === 'production' ? 5 : 0)) * 1_000,
    ownerProof: ownerProofOf(env),
    openIdProvider: openIdProviderOf(env),
    accessTokenAudience: env.OIDC_AUDIENCE ?? null,
    /** Where the command line keeps the key that a service gave it. */
    credentialsFile: join(envPaths('repo-intel', { suffix: '' }).config, 'credentials.json'),
    webhooks: webhooksOf(env),
    pullRequestJob: pullRequestJobOf(set, env),
    openTelemetry: openTelemetryOf(openTelemetrySchema.parse(set)),
    forgeTokens: forgeTokensOf(env),
    webhookAddresses: env.WEBHOOK_ADDRESSES,
    mail: mailOf(env),
    secrets: secretsOf(set),
    production: env.NODE_ENV === 'production',
  };
}

import { resolve } from 'node:path';
import { z } from 'zod';
import { quotasPattern, readQuotas } from './control-plane/rate-limits.ts';

const url = (...protocols: string[]) =>
  z
    .url({ error: 'must be a URL' })
    .refine((text) => protocols.includes(new URL(text).protocol.replace(':', '')), {
      error: `must begin with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
    })
    .optional();

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, { error })
    .transform(Number)
    .pipe(z.number().min(least, { error }).max(most, { error }));
};

const schema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  DATA_DIR: z.string().min(1).default('./data'),
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
  API_KEY_PEPPER: z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
  /** Metrics and health for whoever runs it, on a port of their own that asks for no credential; 0: nowhere. */
  ADMIN_PORT: wholeNumber(0, 65_535).default(9464),
  ADMIN_HOST: z.string().min(1).default('127.0.0.1'),
  /** Between the signal and the end of listening, so that load balancers notice; 5 in production, else 0. */
  DRAIN_SECONDS: wholeNumber(0, 20).optional(),
  /** `info` logs each request; by default only in production, so that a terminal stays readable. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  /** Proxies in front whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
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

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** The settings are not valid; the message names each wrong variable and what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** What in the settings is secret: what its name says, and passwords in URLs. */
function secretsOf(settings: NodeJS.ProcessEnv): string[] {
  return Object.entries(settings).flatMap(([name, value = '']) => {
    if (!(name in schema.shape)) return [];
    if (/KEY|PASSWORD|PEPPER|SECRET|TOKEN/.test(name)) return [value, ...value.split(/[\s,]+/)];
    const password = URL.canParse(value) ? new URL(value).password : '';
    return password === '' ? [] : [password, decodeURIComponent(password)];
  });
}

/** Reads the settings from the environment: the only place that does. Throws ConfigError with one sentence a wrong variable. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  // An empty variable is one that is not set: compose files and CI systems write them so.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(set);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new ConfigError(`The settings are not valid: ${problems.join('; ')}.`);
  }
  const env = result.data;
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: resolve(env.DATA_DIR),
    /** What the paths that a person names are relative to. */
    startedIn: resolve((env.npm_lifecycle_event === 'start' && env.INIT_CWD) || '.'),
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
    logLevel: env.LOG_LEVEL ?? (env.NODE_ENV === 'production' ? 'info' : 'warn'),
    /** A worker has nobody at its terminal: what it does is in its log. */
    workerLogLevel: env.LOG_LEVEL ?? 'info',
    trustedProxies: env.TRUSTED_PROXIES,
    quotas: readQuotas(env.RATE_LIMITS),
    admin: env.ADMIN_PORT === 0 ? undefined : { host: env.ADMIN_HOST, port: env.ADMIN_PORT },
    drainMs: (env.DRAIN_SECONDS ?? (env.NODE_ENV === 'production' ? 5 : 0)) * 1_000,
    secrets: secretsOf(set),
    production: env.NODE_ENV === 'production',
  };
}

import type { Logger } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import { createAuthenticate } from './auth/authenticate.ts';
import { createAccessTokenVerifier } from './auth/access-token.ts';
import { browserCookies } from './auth/browser-session.ts';
import { onKeyChange } from './auth/key-changes.ts';
import { createKeyPlaces } from './auth/key-places.ts';
import { createKeyVerifier } from './auth/key-verifier.ts';
import { createOwnerJwtVerifier, OwnerJwtInvalid } from './auth/owner-jwt.ts';
import { IdentityProviderUnavailable, remoteKeys } from './auth/remote-keys.ts';
import { mayCall, scopesOf } from './auth/scopes.ts';
import { createSignIn } from './auth/sign-in.ts';
import type { SignIn } from './auth/sign-in.ts';
import { createTokenSessions } from './auth/token-sessions.ts';
import { productsOf, storesUnavailable } from './compose-answers.ts';
import type { DiligenceSettings } from './compose-answers.ts';
import type { Config } from './config.ts';
import { areas, vocabulary } from './model/vocabulary.ts';
import { allProducts } from './control-plane/all-products.ts';
import { documentationPages } from './control-plane/documentation-pages.ts';
import { createMeter } from './control-plane/meter.ts';
import type { OwnerProof } from './control-plane/pairing.ts';
import { limitsOf } from './control-plane/rate-limits.ts';
import { controlPlaneRoutes } from './control-plane/routes.ts';
import { createWebhookRunner } from './control-plane/webhook-runner.ts';
import { createDeliveryRunner } from './control-plane/delivery-runner.ts';
import { createWaitlistRunner } from './control-plane/waitlist-mail.ts';
import { createSourceRunner } from './control-plane/source-runner.ts';
import type { AssessmentsOf } from './due-diligence/assessments.ts';
import { diligenceFigures } from './due-diligence/figures.ts';
import { publicBadgeRoutes } from './due-diligence/public-badges.ts';
import { explorerRoutes } from './explorer/routes.ts';
import { createApp } from './http/app.ts';
import type { AppOptions } from './http/app.ts';
import { askOurselves } from './http/ask-ourselves.ts';
import type { Answer } from './http/response-cache.ts';
import { HttpError } from './http/errors.ts';
import { problems } from './http/problems.ts';
import type { Pressure } from './http/pressure.ts';
import type { Route } from './http/route.ts';
import { ledgerUsage } from './reports/ledger-usage.ts';
import { makeReport } from './reports/make-report.ts';
import type { ReportSources } from './reports/report-type.ts';
import { reportRoutes } from './reports/routes.ts';
import { mcpRoutes, resourceMetadataUrl } from './mcp/routes.ts';
import { createReportRunner } from './reports/runner.ts';
import type { ReportRunner } from './reports/runner.ts';
import { memoryLimiter } from './stores/ephemeral/limiters.ts';
import type { Stores } from './stores/open.ts';
import { ClockUnreliable } from './operations/booking-clock.ts';
import type { BookingClock } from './operations/booking-clock.ts';
import { createMailer } from './operations/mail.ts';
import type { Runner } from './operations/runner.ts';
import type { Metrics } from './operations/metrics.ts';
import type { ViewOf } from './tenancy/view.ts';

/** Changed only by a breaking release. */
const apiVersion = '2026-12-08';

/** Puts stores, features and the HTTP kernel together: the only place that names them all. */
export function compose(options: {
  stores: Stores;
  pepper: string;
  /** The one that was in force before: keys under it are taken as well. */
  previousPepper?: string | undefined;
  config: Pick<
    Config,
    | 'allowedHosts'
    | 'docsUrl'
    | 'siteUrl'
    | 'webhooks'
    | 'webhookAddresses'
    | 'mail'
    | 'trustedProxies'
    | 'production'
    | 'quotas'
    | 'ownerProof'
    | 'openIdProvider'
    | 'accessTokenAudience'
    | 'remediationRate'
  > &
    DiligenceSettings;
  baseUrl: string;
  logger: Logger;
  metrics?: Pick<Metrics, 'answered'>;
  /** Which one measures changes. */
  analyzer: string;
  clock: Pick<BookingClock, 'time' | 'problem'>;
  isReady: () => boolean;
  /** Beside the service's own: for benchmarks. */
  moreRoutes?: readonly Route[];
  /** When load is shed; as the kernel does unless told. */
  pressure?: Pressure;
  turns?: AppOptions['turns'];
  pace?: AppOptions['pace'];
  /** Seconds until each further try of a delivery; as Standard Webhooks recommends unless told. */
  webhookRetries?: readonly number[];
  /** Slugs of which waitlists are told; those that are live unless told. */
  liveProducts?: readonly string[];
  /** Check each response against its schema: for tests. */
  verifyResponses?: boolean;
}): {
  callback: Answer;
  /** To be started and stopped with the service. */
  reports: ReportRunner;
  webhooks: Runner;
  deliveries: Runner;
  waitlists: Runner;
  sources: Runner;
} {
  const {
    stores,
    pepper,
    previousPepper,
    config,
    baseUrl,
    logger,
    isReady,
    clock,
    verifyResponses = false,
    pressure,
  } = options;
  const { relational, ephemeral, disk } = stores;
  const docsBase = config.docsUrl ?? `${baseUrl}/docs`;
  const { quotas } = config;
  const limits = limitsOf(quotas);
  const service = {
    title: 'Repository Intelligence',
    version: packageJson.version,
    apiVersion,
    description: packageJson.description,
  };
  const cookies = browserCookies(baseUrl);
  const signIn = signInAt(config.openIdProvider, { baseUrl, pepper });
  const { viewOf, assessmentsOf, productRoutes } = productsOf(stores, config, options.analyzer);
  const { webhooks, sources, deliveries, waitlists } = createRunners({ ...options, docsBase });
  const reports = createReports(stores, viewOf, assessmentsOf, (err) => logger.error({ err }, 'reports'));
  const callback: Answer = createApp({
    routes: [
      ...controlPlaneRoutes({
        service: { ...service, environment: config.production ? 'production' : 'development', baseUrl, docsBase },
        siteBase: config.siteUrl ?? baseUrl,
        limits,
        productRoutes,
        ephemeral,
        relational,
        webhooks: { inbox: relational.webhooks, wake: webhooks.wake, providers: config.webhooks },
        wakeSources: sources.wake,
        webhookAddresses: config.webhookAddresses,
        wakeDeliveries: deliveries.wake,
        wakeWaitlists: waitlists.wake,
        previousPepper,
        pepper,
        quotas,
        ownerProof: ownerProofBy(config.ownerProof, logger),
        signIn,
        cookies,
        signInRefused: (reason) => logger.info({ reason }, 'a sign-in is refused'),
        alarm: (message) => logger.warn(message),
        isReady,
        degraded: () => [...(disk.look().isLow ? ['disk'] : []), ...(clock.problem() === null ? [] : ['clock'])],
        projections: stores,
      }),
      ...productRoutes,
      ...publicBadgeRoutes({ relational, assessmentsOf, baseUrl }),
      ...mcpRoutes({
        baseUrl,
        docsBase,
        issuer: config.openIdProvider?.issuer ?? null,
        version: service.version,
        ask: askOurselves((request, response) => callback(request, response)),
      }),
      ...explorerRoutes(),
      ...(options.moreRoutes ?? []),
      ...reportRoutes({ tenant: relational.tenant, wake: reports.wake }),
    ],
    service,
    baseUrl,
    docsBase,
    pages: documentationPages(productRoutes),
    links: [{ title: 'Explorer', href: `${baseUrl}/explorer` }],
    realm: 'ris',
    authenticate: authenticateBy(signIn, options),
    ...(signIn === null ? {} : { resourceMetadata: (path) => resourceMetadataUrl(baseUrl, path) }),
    sessionCookie: cookies.session.name,
    mayCall,
    scopesOf,
    vocabulary,
    areas: { ...areas, ...Object.fromEntries(allProducts.map(({ slug, summary }) => [slug, summary])) },
    meter: createMeter(ephemeral, clock),
    mustKnowDay: () => mustBeReliable(clock),
    idempotency: relational.idempotency.once,
    explain: unavailable,
    limits,
    // Each instance counts addresses for itself: what is public is made once, and costs less than to ask Redis.
    limiter: (quota) => (limits.address.includes(quota) ? memoryLimiter(quota) : ephemeral.limiter(quota)),
    ...told({ pressure, turns: options.turns, pace: options.pace }),
    // A server has a disk of its own, and says when it is full.
    canStore: () => relational.engine !== 'pglite' || !disk.look().isLow,
    verifyResponses,
    trustedProxies: config.trustedProxies,
    allowedHosts: config.allowedHosts,
    report: (err, request_id) => logger.error({ err, request_id }, 'request failed'),
    access: (record) => {
      logger.info(record, 'request');
      options.metrics?.answered(record);
    },
  });
  return { callback, reports, webhooks, deliveries, waitlists, sources };
}

/** Without what is undefined, for which there are defaults. */
const told = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [name in keyof T]?: Exclude<T[name], undefined>;
  };

function mustBeReliable(clock: Pick<BookingClock, 'problem'>): void {
  const problem = clock.problem();
  if (problem !== null) throw new ClockUnreliable(problem);
}

/** What works off rows beside the requests. */
function createRunners({
  stores: { relational },
  pepper,
  previousPepper,
  config,
  logger,
  webhookRetries,
  liveProducts,
  baseUrl,
  docsBase,
}: { docsBase: string } & Pick<
  Parameters<typeof compose>[0],
  'stores' | 'pepper' | 'previousPepper' | 'config' | 'logger' | 'webhookRetries' | 'liveProducts' | 'baseUrl'
>) {
  const webhooks = createWebhookRunner({
    inbox: relational.webhooks,
    report: (err, event) =>
      logger.error({ err, provider: event?.provider, event_id: event?.event_id, type: event?.type }, 'webhooks'),
  });
  const sources = createSourceRunner({
    schedule: relational.sourceSchedule,
    jobs: relational.jobs,
    report: (err) => logger.error({ err }, 'sources'),
  });
  const deliveries = createDeliveryRunner({
    outbox: relational.webhookOutbox,
    peppers: [pepper, ...(previousPepper === undefined ? [] : [previousPepper])],
    addresses: config.webhookAddresses,
    ...(webhookRetries === undefined ? {} : { retries: webhookRetries }),
    report: (err) => logger.error({ err }, 'deliveries'),
  });
  const waitlists = createWaitlistRunner({
    waitlists: relational.waitlists,
    pepper,
    baseUrl,
    docsBase,
    send: createMailer(config.mail),
    ...(liveProducts === undefined ? {} : { live: liveProducts }),
    report: (err) => logger.error({ err }, 'waitlists'),
  });
  return { webhooks, sources, deliveries, waitlists };
}

function createReports(
  { relational, ephemeral }: Stores,
  viewOf: ViewOf,
  assessmentsOf: AssessmentsOf,
  report: (error: unknown) => void,
): ReportRunner {
  const usage = ledgerUsage(ephemeral, relational.tenant);
  const sourcesOf = async (organizationId: string): Promise<ReportSources> => {
    // A key that is restricted to some repositories can ask for no report.
    const whole = { organization: { id: organizationId }, repositories: null };
    const { graph, search, snapshots, taskInstances, evaluationRuns } = await viewOf(whole);
    return {
      graph,
      search,
      snapshots,
      task_instances: taskInstances,
      evaluation_runs: evaluationRuns,
      usage,
      diligence: diligenceFigures(await assessmentsOf(whole)),
    };
  };
  return createReportRunner({
    queue: relational.reports,
    make: async (claimed, onProgress) => makeReport(claimed, await sourcesOf(claimed.organization_id), onProgress),
    report,
  });
}

const signInAt = (provider: Config['openIdProvider'], { baseUrl, pepper }: { baseUrl: string; pepper: string }) =>
  provider === null
    ? null
    : createSignIn({
        provider,
        redirectUri: `${baseUrl}/sign-in/callback`,
        leftFor: `${baseUrl}/explorer`,
        pepper,
      });

/** By API keys, and by access tokens where there is an identity provider. */
function authenticateBy(
  signIn: SignIn | null,
  {
    stores: { relational, ephemeral },
    pepper,
    previousPepper,
    config,
    baseUrl,
    logger,
  }: Pick<Parameters<typeof compose>[0], 'stores' | 'pepper' | 'previousPepper' | 'config' | 'baseUrl' | 'logger'>,
) {
  const verifier = createKeyVerifier({ accounts: relational.accounts, pepper, previousPepper });
  onKeyChange(ephemeral, verifier.forget);
  const place = createKeyPlaces({
    places: relational.keyPlaces,
    peppers: [pepper, ...(previousPepper === undefined ? [] : [previousPepper])],
    report: (err) => logger.error({ err }, 'places of keys'),
  });
  const guesses = ephemeral.limiter(config.quotas.auth_lookup);
  const keyOf = signIn === null ? null : keyOfToken(signIn, { config, relational, baseUrl, pepper });
  return createAuthenticate(verifier, guesses, place, keyOf);
}

/** Access tokens are made for `/mcp`, for the whole service, or for what the identity provider calls it. */
function keyOfToken(
  signIn: SignIn,
  {
    config: { openIdProvider, accessTokenAudience },
    relational,
    baseUrl,
    pepper,
  }: {
    config: Pick<Config, 'openIdProvider' | 'accessTokenAudience'>;
    relational: Stores['relational'];
    baseUrl: string;
    pepper: string;
  },
) {
  let keys: ReturnType<typeof remoteKeys> | null = null;
  return createTokenSessions({
    verify: createAccessTokenVerifier({
      issuer: openIdProvider?.issuer ?? '',
      audiences: [`${baseUrl}/mcp`, baseUrl, ...(accessTokenAudience === null ? [] : [accessTokenAudience])],
      keys: async () => (keys ??= remoteKeys(await signIn.keysUrl())),
    }),
    relational,
    pepper,
  });
}

function ownerProofBy(identityProvider: Config['ownerProof'], logger: Logger): OwnerProof {
  if (identityProvider === 'api_key') return 'api_key';
  const verify = identityProvider === null ? refuseAll : ownerJwtVerifier(identityProvider);
  return (token) =>
    verify(token).catch((error: unknown) => {
      // Who sent the token is not told why; who set the provider up must be able to find out.
      if (error instanceof OwnerJwtInvalid)
        logger.info({ reason: reasonOf(error) }, 'the token of an owner is refused');
      throw error;
    });
}

const ownerJwtVerifier = ({ issuer, audience, jwksUrl }: { issuer: string; audience: string; jwksUrl: string }) =>
  createOwnerJwtVerifier({ issuer, audience, keys: remoteKeys(new URL(jwksUrl)) });

const refuseAll = () =>
  Promise.reject(new OwnerJwtInvalid('No identity provider is set: OWNER_JWT_ISSUER and the others.'));

const reasonOf = ({ message, cause }: Error) => (cause instanceof Error ? cause.message : message);

/** The answer to what is wrong with what the service stands on; null for all else. */
function unavailable(error: unknown): HttpError | null {
  if (error instanceof ClockUnreliable)
    return new HttpError(problems.clock_unreliable, { headers: { 'Retry-After': '60' }, cause: error });
  if (error instanceof IdentityProviderUnavailable)
    return new HttpError(problems.dependency_unavailable, {
      headers: { 'Retry-After': '10' },
      members: { dependency: 'identity_provider' },
      cause: error,
    });
  return storesUnavailable(error);
}

import { once } from 'node:events';
import type { Logger } from 'pino';
import { analyzerVersion } from '../../loaders/analyzer-version.ts';
import type { LoadOptions } from '../../loaders/load.ts';
import { writeSnapshot } from '../../loaders/write.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { createKey } from '../auth/create-key.ts';
import { lastBackupOf } from '../backup/last-backup.ts';
import type { Config } from '../config.ts';
import { ownOrigin } from '../http/own-origin.ts';
import { openAdminServer } from '../operations/admin-server.ts';
import type { Answer } from '../http/response-cache.ts';
import type { AdminServer } from '../operations/admin-server.ts';
import { openBookingClock } from '../operations/booking-clock.ts';
import { askHealth, lossOfPowerMayCost } from '../operations/health.ts';
import { startHousekeeping } from '../operations/housekeeping.ts';
import { createLogger } from '../operations/logger.ts';
import { createRedactor } from '../operations/redact.ts';
import type { JobQueue } from '../stores/jobs/port.ts';
import { isEmbedded } from '../stores/open.ts';
import type { Stores } from '../stores/open.ts';
import { askToLeave } from './ask-to-leave.ts';
import { checkPeppers } from './check-peppers.ts';
import { completeLoads } from './complete-load.ts';
import { openControl } from './control.ts';
import type { Io } from './io.ts';
import { keepProjections, whenReachable } from './keep-projections.ts';
import { loaderStores } from './loader-stores.ts';
import { openService } from './open-service.ts';
import { firstKeyOf, organizationOf } from './organization-of.ts';
import { openTelemetry } from './open-telemetry.ts';
import { listRepositories } from './repositories.ts';
import type { ListedRepository } from './repositories.ts';
import { storeCommands } from './store-commands.ts';
import type { Session } from './session-on.ts';
import type { OpenService } from './store-command.ts';

/** What other tools made of the source, read already. */
type Given = Pick<LoadOptions, 'coverage' | 'scip'>;

/**
 * Opens the data folder, listens, loads the sources named, and prints how to ask. Resolves when the service answers;
 * `closed` resolves after SIGINT or SIGTERM, when the last request is answered and everything is on disk; a load under way may
 * still be at work then, with nowhere to write to.
 */
export async function startService(
  config: Config,
  io: Io,
  { sources = [], ...given }: { sources?: readonly string[] } & Given = {},
): Promise<{ closed: Promise<void> }> {
  if (process.stderr.isTTY && isEmbedded(config)) io.say(`Opening ${config.dataDir} …`);
  // Files are listed while the stores open, which takes a second the first time; then a load waits for what they hold, unless
  // nothing can be in them yet.
  const storesReady = Promise.withResolvers<OpenService>();
  storesReady.promise.catch(() => {});
  let loading: Promise<void> | undefined;
  const stopping = new AbortController();
  const stop = waitForSignal();
  void stop.then(() => stopping.abort());
  const open = () =>
    openService(config, ({ isNew }) => {
      loading = loadAll(config, io, storesReady.promise, { ...given, sources, signal: stopping.signal, isNew });
    });
  const opening = open().then(async (opened) => ('held' in opened && (await askToLeave(config, io)) ? open() : opened));
  // Modules are loaded meanwhile, too.
  const [opened, { compose }, { listen }, { createMetrics }] = await Promise.all([
    opening,
    import('../compose.ts'),
    import('../http/server.ts'),
    import('../operations/metrics.ts'),
  ]).catch((error: unknown) => {
    stopping.abort();
    storesReady.reject(error);
    throw error;
  });
  if ('held' in opened) throw new Error(opened.held.message);
  const { service, lock } = opened;
  if (lock.isOpenToOthers)
    io.say(
      `Other users of this machine may look into ${config.dataDir}; its files are closed to them, the folder by: chmod 700 ${config.dataDir}`,
    );
  let closeAll = () => opened.close();
  try {
    const pepper = await service.pepper();
    const secrets = [...config.secrets, pepper];
    const logger = createLogger({ name: 'repo-intel', level: config.logLevel, secrets });
    let ready = false;
    const composing = Promise.withResolvers<Answer>();
    let callback: Answer = async (...asked) => (await composing.promise)(...asked);
    const { host, port, maxConnectionsPerAddress: maxConnectionsOfOne } = config;
    const server = await listen((...asked) => callback(...asked), { host, port, maxConnectionsOfOne }).catch(
      (error: unknown) => {
        throw new Error(listenProblem(error, { host, port, variable: 'PORT', other: 9000 }), { cause: error });
      },
    );
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`;
    const baseUrl = config.baseUrl ?? address;
    const { stores } = service;
    logOutages(stores, logger);
    const metrics = createMetrics(stores, server.inFlight);
    const telemetry = await openTelemetry(config, { name: 'repo-intel', logger, registry: metrics.registry });
    const { previousApiKeyPepper: previousPepper } = config;
    const clock = await openBookingClock(stores, { ignoreAfter: config.ignoreUsageAfter });
    clock.onChange((problem) => {
      if (problem === null) logger.warn('the clock is right again');
      else logger.error({ problem }, 'the clock can not be right: metered calls are refused');
    });
    const composed = compose({
      stores,
      analyzer: analyzerVersion,
      clock,
      pepper,
      previousPepper,
      config,
      baseUrl,
      logger,
      isReady: () => ready,
      metrics,
    });
    callback = composed.callback;
    composing.resolve(callback);
    const control = await openControl(service);
    const admin = await openAdmin(config, io, {
      isOwn: ownOrigin(baseUrl, config.allowedHosts),
      metrics,
      health: () =>
        askHealth({
          stores,
          clock,
          isReady: () => ready,
          version: packageJson.version,
          lastBackup: () => lastBackupOf(config.dataDir),
          redact: createRedactor(secrets),
        }),
    });
    let housekeeping: ReturnType<typeof startHousekeeping> | undefined;
    let jobs: Promise<JobQueue | undefined> | undefined;
    closeAll = async () => {
      ready = false;
      // All within the half minute that those who send signals wait.
      await Promise.all([
        server.close({ drainMs: config.drainMs }),
        composed.reports.stop({ drainMs: 20_000 }),
        composed.webhooks.stop(),
        composed.deliveries.stop(),
        composed.waitlists.stop(),
        composed.sources.stop(),
        // Those under way are given back, and taken again at the next start.
        jobs?.then((queue) => queue?.stop({ drainMs: 0 })),
      ]);
      clock.close();
      await control.close();
      await housekeeping?.stop();
      await opened.close();
      await admin?.close();
      await telemetry?.stop();
    };
    await lock.announce({ address, control: { port: control.port, token: control.token } });

    const { signal } = stopping;
    await keepProjections(stores, io, signal);
    if (!signal.aborted) {
      ready = true;
      composed.reports.start();
      composed.webhooks.start();
      composed.deliveries.start();
      composed.waitlists.start();
      const peppers = { current: pepper, previous: previousPepper };
      await whenReachable(() => checkPeppers(stores.relational, peppers, io.say), io, signal);
      housekeeping = startHousekeeping(stores.relational, { report: (err) => logger.error({ err }, 'housekeeping') });
    }
    const stopped = stop.then(() => 'stopped' as const);
    storesReady.resolve(service);
    const outcome = await Promise.race([loading?.then(() => 'loaded' as const), stopped]);
    if (outcome === 'loaded') {
      jobs = startJobs(service, logger);
      composed.sources.start();
    }
    if (outcome === 'loaded') await whenReachable(() => welcome(config, io, service, address), io, signal);
    return {
      closed: stop.then(async (signal) => {
        stopping.abort();
        io.done();
        io.say(`${signal}: finishing the requests under way …`);
        await closeAll();
      }),
    };
  } catch (error) {
    // What went wrong is said once, by whoever called; the load has nothing to add.
    stopping.abort();
    storesReady.reject(error);
    await closeAll();
    throw error;
  }
}

/** The service does its jobs itself where they are on no server that workers share. */
async function startJobs(service: OpenService, logger: Logger): Promise<JobQueue | undefined> {
  const { stores, config } = service;
  if (config.databaseUrl !== undefined) return undefined;
  try {
    const queue = await stores.relational.jobs();
    queue.onError((err) => logger.error({ err }, 'jobs'));
    const { workOffJobs } = await import('./work-off-jobs.ts');
    await workOffJobs(queue, config, ['load', 'mint', 'change', 'list']);
    await completeLoads(service);
    return queue;
  } catch (err) {
    logger.error({ err }, 'jobs can not be done');
    return undefined;
  }
}

/** Metrics and health on their own port. They are no reason not to serve: where they can't be had, that is said. */
async function openAdmin(
  { admin }: Config,
  io: Io,
  pages: Parameters<typeof openAdminServer>[1],
): Promise<AdminServer | undefined> {
  if (admin === undefined) return undefined;
  return openAdminServer(admin, pages).catch((error: unknown) => {
    io.say(`There are no metrics: ${listenProblem(error, { ...admin, variable: 'ADMIN_PORT', other: 9465 })}`);
    return undefined;
  });
}

/** A line when a server is found away, when it is back, when metered calls can't be written down, and when the disk gets low. */
function logOutages(stores: Stores, logger: Logger): void {
  for (const store of ['relational', 'ephemeral', 'graph', 'search', 'source'] as const) {
    const { circuit } = stores[store];
    circuit?.onChange((state) => {
      if (state === 'open') logger.error({ store, err: circuit.lastFailure?.error }, 'store is away');
      if (state === 'closed') logger.warn({ store }, 'store is back');
    });
  }
  stores.ephemeral.onUnkept((err) =>
    logger.error(
      { err },
      'metered calls can not be written down: each is put into the ledger before it is answered, or refused',
    ),
  );
  stores.disk.watch(({ freeBytes, minFreeBytes, isLow }) => {
    if (isLow) logger.error({ freeBytes, minFreeBytes }, 'the disk is nearly full: nothing new is stored');
    else logger.warn({ freeBytes, minFreeBytes }, 'the disk has room again');
  });
}

async function loadAll(
  config: Config,
  io: Io,
  service: Promise<OpenService>,
  { sources, isNew, ...options }: { sources: readonly string[]; signal: AbortSignal; isNew: boolean } & Given,
): Promise<void> {
  const { organization } = config;
  // Nothing can be held before anything is written at a first start: the analysis of the first need not wait until the stores are
  // open, and its key is known.
  let isKnownEmpty = isNew;
  let claiming: Promise<unknown> | undefined;
  const run: Session['run'] = async (command, options) => storeCommands.run(await service, command, options, io);
  const session: Session = {
    async run(command, options) {
      if (command === 'claim' && isKnownEmpty) {
        isKnownEmpty = false;
        claiming = run(command, options);
        claiming.catch(() => {});
        return firstKeyOf(organization, (options as { name: string }).name);
      }
      await claiming;
      return run(command, options);
    },
    async list(of = {}) {
      if (isKnownEmpty) return [];
      await claiming;
      return (await run('list', of)) as ListedRepository[];
    },
    async write(snapshot, conditions) {
      await claiming;
      return writeSnapshot(loaderStores((await service).stores), snapshot, conditions);
    },
    close: () => Promise.resolve(),
  };
  if (isNew && sources.length > 0) {
    const { startThreads } = await import('../../loaders/extraction/pool.ts');
    startThreads();
  }
  const { loadSources } = await import('./load-sources.ts');
  await loadSources(config, io, session, sources, { ...options, organization });
}

/** Says where the service is and how to ask it; at the first start it makes the first key and shows it once. */
async function welcome(config: Config, io: Io, { stores, pepper }: OpenService, address: string): Promise<void> {
  const { accounts, exclusively } = stores.relational;
  const held = await listRepositories(stores.relational, null);
  // Several instances may start at once; one of them is the first.
  const created = await exclusively('first key', async () => {
    if ((await accounts.apiKeys()).length > 0) return null;
    const { slug } = await organizationOf(stores.relational, config.organization);
    const owner = { organization: slug, member: 'owner', role: 'owner', expires_at: null } as const;
    return createKey(stores.relational, await pepper(), owner);
  });
  const key = created?.api_key ?? '$RIS_API_KEY';
  const repository = encodeURIComponent(held[0]?.name ?? 'REPOSITORY');
  const word = /[A-Za-z0-9]+/.exec(held[0]?.name ?? '')?.[0] ?? 'parse';
  const lines = [
    '',
    `Serving ${held.length} ${held.length === 1 ? 'repository' : 'repositories'} at ${address} (${placesOf(stores, config)})`,
    '',
    ...(created
      ? [
          `Your API key, owner of the organization "${created.organization.slug}". It is shown this once:`,
          '',
          `  ${key}`,
          '',
        ]
      : [
          'Your API key goes into RIS_API_KEY; if you have none at hand, make one:',
          '',
          '  export RIS_API_KEY=$(repo-intel keys create --organization default --role owner)',
          '',
        ]),
    'Try:',
    '',
    ...['/api/graph', `/api/graph/neighbors/${repository}`, `/api/search?q=${word}`].map(
      (path) => `  curl -s -H "Authorization: Bearer ${key}" "${address}${path}"`,
    ),
    '',
    `Explorer: ${address}/explorer`,
    `Documentation: ${address}/docs`,
    `Stop with Ctrl-C. A kill loses nothing; a loss of power may cost ${lossOfPowerMayCost}.`,
  ];
  await io.out(`${lines.join('\n')}\n`);
}

function placesOf({ graph, search, relational, ephemeral }: OpenService['stores'], config: Config): string {
  if (isEmbedded(config)) return `data in ${config.dataDir}`;
  return `data in ${[graph, search, relational, ephemeral].map(({ engine }) => engine).join(', ')}`;
}

async function waitForSignal(): Promise<string> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  return Promise.race(signals.map((signal) => once(process, signal).then(() => signal)));
}

function listenProblem(
  error: unknown,
  { host, port, variable, other }: { host: string; port: number; variable: string; other: number },
): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is taken: stop what listens there, or choose another with ${variable}=${other}.`;
  if (code === 'EACCES') return `Port ${port} needs more rights: choose one above 1023 with ${variable}=${other}.`;
  return `The service can't listen at ${host}:${port} (${error instanceof Error ? error.message : String(error)}).`;
}

import { z } from 'zod';
import { checkRepositories, type Finding } from '../../loaders/check.ts';
import { readSnapshotFile } from '../../loaders/records/snapshot-file.ts';
import { repositoryName } from '../../loaders/snapshot/location.ts';
import { openTemporaryFile } from '../../loaders/temporary-file.ts';
import {
  projections,
  projectSnapshots,
  recordFailure,
  removeRepository,
  repairRepository,
  shareRepository,
  writeSnapshot,
} from '../../loaders/write.ts';
import { operator } from '../auth/actor.ts';
import { changeSettings } from '../auth/change-settings.ts';
import { createKey, createKeyOptions } from '../auth/create-key.ts';
import { revokeKey, rotateKey } from '../auth/change-key.ts';
import { announceKeyChange } from '../auth/key-changes.ts';
import { checkUsage } from '../backup/check-usage.ts';
import { makeBackup } from '../backup/make-backup.ts';
import type { Organization } from '../model/account.ts';
import { changeSchema } from '../model/change.ts';
import { evaluationAttemptSchema } from '../model/evaluation-attempt.ts';
import { evaluationOutcomeSchema } from '../model/evaluation-outcome.ts';
import { evaluationRunSchema } from '../model/evaluation-run.ts';
import { edgeTypeSchema } from '../model/graph.ts';
import { repositoryInfoSchema } from '../model/snapshot.ts';
import { mintRunSchema } from '../model/mint-run.ts';
import { taskInstanceSchema } from '../model/task-instance.ts';
import { jobSchema } from '../stores/jobs/port.ts';
import type { Stores } from '../stores/open.ts';
import type { Tenant } from '../stores/relational/port.ts';
import { accountCommands } from './account-commands.ts';
import { changeElsewhere } from './change-elsewhere.ts';
import { exportFormats } from './export-formats/index.ts';
import { ofRepositories } from './export-formats/of-repositories.ts';
import type { Io } from './io.ts';
import { loaderStores } from './loader-stores.ts';
import { findOrganization, organizationOf } from './organization-of.ts';
import { keyOfNamed, listRepositories, shownNames } from './repositories.ts';
import type { ListedRepository } from './repositories.ts';
import { keepTasks, taskInstancesOf } from './kept-tasks.ts';
import { sourceCommands } from './source-commands.ts';
import { waitlistCommands } from './waitlist-commands.ts';
import { command } from './store-command.ts';
import type { OpenService, StoreCommand } from './store-command.ts';

/** For whom a command works; see `organizationOf`. */
const organization = z.string().optional();

const byName: Record<string, StoreCommand> = {
  list: command(
    z.object({ organization, all: z.boolean().default(false) }),
    async ({ stores: { relational } }, { organization: slug, all }) => {
      if (all) return listRepositories(relational, null);
      const found = await findOrganization(relational, slug);
      return found ? listRepositories(relational, found) : [];
    },
  ),
  claim: command(
    z.object({ organization, name: z.string(), fullName: z.string().optional() }),
    async ({ stores: { relational } }, { organization: slug, name, fullName }) =>
      relational.repositories.claim((await organizationOf(relational, slug)).id, name, fullName),
  ),
  write: command(
    z.object({ file: z.string(), from: z.string().optional(), found: z.enum(['claim', 'snapshot']).optional() }),
    async ({ stores }, { file, ...conditions }) => {
      const rows = openTemporaryFile();
      try {
        return await writeSnapshot(loaderStores(stores), await readSnapshotFile(file, rows), conditions);
      } finally {
        rows.close();
      }
    },
  ),
  'runs.fail': command(
    z.object({
      run: repositoryInfoSchema.pick({ name: true, commit: true, committed_at: true, analyzer_version: true }),
      error: z.string(),
    }),
    ({ stores }, { run, error }) => recordFailure(stores, run, error),
  ),
  repair: command(z.object({ repository: z.string() }), ({ stores }, { repository }) =>
    repairRepository(loaderStores(stores), repository),
  ),
  remove: command(z.object({ organization, repository: z.string() }), async (service, options) => {
    const { relational } = service.stores;
    const found = await findOrganization(relational, options.organization);
    // Else it would be loaded again at its next look.
    const forgotten = found ? await relational.sourceSchedule.forget(found.id, options.repository) : 0;
    if (found) {
      await relational.changes.forget(found.id, options.repository);
      await cancelLoads(service, found, options.repository);
    }
    const removed = await withOwn(service, options, (key) => removeRepository(loaderStores(service.stores), key));
    return removed || forgotten > 0;
  }),
  ...sourceCommands,
  ...waitlistCommands,
  share: command(z.object({ organization, repository: z.string(), shared: z.boolean() }), (service, options) =>
    withOwn(service, options, (key) => shareRepository(loaderStores(service.stores), key, options.shared)),
  ),
  rebuild: command(z.object({ force: z.array(z.enum(projections)) }), async ({ stores }, { force }, io) => {
    const shown = await shownNames(stores.relational);
    await projectSnapshots(loaderStores(stores), {
      force,
      onRepository: (key) => io.say(`${shown(key)}: rebuilding`),
      onUnreadable: ({ message }) => io.say(message),
    });
    // A running service writes some of them itself.
    const held = await Promise.all(force.map((projection) => stores[projection].generations()));
    return [...new Set(held.flatMap((generations) => [...generations.keys()]))];
  }),
  backup: command(z.object({ file: z.string(), force: z.boolean() }), async (service, { file, force }) =>
    makeBackup(service.stores, { dataDir: service.config.dataDir, pepper: await service.pepper(), file, force }),
  ),
  check: command(z.object({}), async ({ stores }, _, io): Promise<Finding[]> => {
    const shown = await shownNames(stores.relational);
    const found = await checkRepositories(loaderStores(stores), (key) => io.say(`${shown(key)}: reading`));
    const findings = found.map((each) => ({
      ...each,
      repository: each.repository === null ? null : shown(each.repository),
    }));
    const { detail, wayOut } = await checkUsage(stores.relational.usage, stores.ephemeral);
    const status = wayOut === null ? 'ok' : 'wrong';
    return [...findings, { repository: null, thing: 'usage', status, detail, way_out: wayOut }];
  }),
  'jobs.enqueue': command(jobSchema, async ({ stores: { relational } }, job) => (await relational.jobs()).enqueue(job)),
  'jobs.list': command(z.object({}), async ({ stores: { relational } }) => (await relational.jobs()).list()),
  'keys.create': command(createKeyOptions, async ({ stores, pepper }, options) => {
    const created = await createKey(stores.relational, await pepper(), options);
    // Their role may be another one now.
    await announceKeyChange(stores.ephemeral, created.member.id);
    return created;
  }),
  'keys.list': command(z.object({}), ({ stores }) => stores.relational.accounts.apiKeys()),
  'keys.rotate': command(
    z.object({ id: z.string(), overlap_seconds: z.int().min(0) }),
    async ({ stores, pepper }, { id, overlap_seconds: overlapSeconds }) => {
      const secret = await pepper();
      return ofKey(stores, id, (tenant) => rotateKey(tenant, secret, { id, overlapSeconds, actor: operator }));
    },
  ),
  'keys.revoke': command(z.object({ id: z.string() }), async ({ stores }, { id }) =>
    Boolean(await ofKey(stores, id, (tenant) => revokeKey(tenant, id, operator))),
  ),
  ...accountCommands,
  'checkout-hosts': command(
    z.object({ organization: z.string(), hosts: z.array(z.string()).nullable().optional() }),
    async ({ stores: { relational } }, { organization: wanted, hosts }) => {
      const found = (await relational.accounts.organizations()).find(({ slug }) => slug === wanted);
      if (!found) return null;
      if (hosts !== undefined)
        await relational.tenant(found.id, (tenant) => changeSettings(tenant, { checkout_hosts: hosts }, operator));
      return { hosts: await relational.tenant(found.id, ({ checkoutSessions }) => checkoutSessions.hosts()) };
    },
  ),
  'change.elsewhere': changeElsewhere,
  'changes.save': command(
    z.object({
      organization: z.string(),
      repository: z.string(),
      base: z.string(),
      head: z.string(),
      analyzer: z.string(),
      outcome: z.union([z.object({ change: changeSchema }), z.object({ error: z.string() })]),
    }),
    async ({ stores: { relational } }, { organization: slug, outcome, ...asked }) =>
      relational.changes.save({ ...asked, organizationId: (await organizationOf(relational, slug)).id }, outcome),
  ),
  'benchmark.save': command(
    z.object({ organization, instances: z.array(taskInstanceSchema), run: mintRunSchema.optional() }),
    async ({ stores: { relational } }, { organization: slug, ...kept }) =>
      keepTasks(relational, await organizationOf(relational, slug), kept),
  ),
  'benchmark.instances': command(z.object({ organization }), async ({ stores: { relational } }, options, io) => {
    const found = await findOrganization(relational, options.organization);
    if (!found) return;
    for await (const instance of taskInstancesOf(relational, found)) await io.out(`${JSON.stringify(instance)}\n`);
  }),
  'benchmark.source': command(
    z.object({ organization, repo: z.string() }),
    async ({ stores: { relational } }, { organization: slug, repo }) => {
      const found = await findOrganization(relational, slug);
      const key = found && (await keyOfNamed(relational, found, repo));
      return key === null ? null : ((await relational.mintRuns.latest(key))?.source ?? null);
    },
  ),
  'benchmark.evaluated': command(
    z.object({ organization, run: evaluationRunSchema, outcomes: z.array(evaluationOutcomeSchema) }),
    async ({ stores: { relational } }, { organization: slug, run, outcomes }) => {
      const { id } = await organizationOf(relational, slug);
      return relational.tenant(id, async ({ evaluationRuns, evaluationOutcomes }) => {
        await evaluationRuns.save(run);
        await evaluationOutcomes.save(run, outcomes);
      });
    },
  ),
  'benchmark.attempted': command(
    z.object({ organization, run: evaluationRunSchema, attempt: evaluationAttemptSchema }),
    async ({ stores: { relational } }, { organization: slug, run, attempt }) => {
      const { id } = await organizationOf(relational, slug);
      return relational.tenant(id, ({ evaluationAttempts }) => evaluationAttempts.save(run, attempt));
    },
  ),
  export: command(
    z.object({
      organization,
      format: z.enum(Object.keys(exportFormats) as (keyof typeof exportFormats)[]),
      repository: z.string().optional(),
      types: z.array(edgeTypeSchema).optional(),
    }),
    async ({ stores: { relational, graph } }, { organization: slug, format, repository, types }, io) => {
      const found = await findOrganization(relational, slug);
      const seen = found ? await listRepositories(relational, found) : [];
      const keys = seen.map((each) => each.repository);
      const wanted = { ...(repository === undefined ? {} : { repository }), ...(types ? { types } : {}) };
      const parts = exportFormats[format](ofRepositories(graph, keys), wanted);
      let part = await parts.next();
      for (; !part.done; part = await parts.next()) await io.out(part.value);
      return part.value;
    },
  ),
};

/** What a repository is called that is loaded from there without a name; what was given one of its own has an `@`. */
function nameAmong(held: readonly ListedRepository[], source: string): string {
  const usual = repositoryName(source);
  const isIt = ({ name, info }: ListedRepository) => info.source === source && (name === usual || !name.includes('@'));
  return held.find(isIt)?.name ?? usual;
}

/** Ends the loads of an organization's repository that wait or are under way: they would bring it back. */
async function cancelLoads(
  { stores: { relational }, config }: OpenService,
  { id, slug }: Organization,
  repository: string,
): Promise<void> {
  const own = (await listRepositories(relational, { id })).filter((each) => each.own);
  // A job that names no organization is for that of the service; where that can't be told, it is for none.
  const usual = await findOrganization(relational, config.organization).catch(() => null);
  const jobs = await relational.jobs();
  await jobs.cancel('load', ({ source, name = nameAmong(own, source), organization = usual?.slug }) => {
    return organization === slug && name === repository;
  });
}

/** Does it to the repository that an organization owns by this name; false where it owns none. */
async function withOwn(
  { stores: { relational } }: OpenService,
  { organization: slug, repository }: { organization?: string | undefined; repository: string },
  work: (key: string) => Promise<boolean>,
): Promise<boolean> {
  const found = await findOrganization(relational, slug);
  const key = found && (await keyOfNamed(relational, found, repository, { own: true }));
  return key === null ? false : work(key);
}

/** Changes a key, whichever organization has it, and tells it to who may know the key; null when there is none. */
async function ofKey<T>(
  { relational, ephemeral }: Stores,
  id: string,
  change: (tenant: Tenant) => Promise<T>,
): Promise<T | null> {
  const key = (await relational.accounts.apiKeys()).find((one) => one.id === id);
  if (!key) return null;
  const result = await relational.tenant(key.organization_id, change);
  await announceKeyChange(ephemeral, id);
  return result;
}

/** The commands that work on the stores, by name; options are checked here, because they may come from another process. */
export const storeCommands = {
  async run(service: OpenService, name: string, options: unknown, io: Io): Promise<unknown> {
    const run = byName[name];
    if (!run)
      throw new Error(
        `The running repo-intel does not know the command "${name}": it is of another version; restart it.`,
      );
    return run(service, options, io);
  },
};

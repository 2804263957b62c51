import { setTimeout as sleep } from 'node:timers/promises';
import type { JobRecord } from '../stores/jobs/port.ts';
import { listRepositories } from './repositories.ts';
import type { ListedRepository } from './repositories.ts';
import type { OpenService } from './store-command.ts';

const pollMs = 200;

/** By key of the repository. */
const underWay = new Map<string, Promise<void>>();

/** Whether a load may begin with the graph: there has to be somebody here who reads the rest. */
export const mayBeginWithGraph = ({ config }: OpenService): boolean => config.databaseUrl === undefined;

/**
 * Loads all of a repository of which only the graph was: as a job, which is in the database, so that it is taken up again when this
 * process is killed. Resolves when it is done; rejects with why it could not be.
 */
export async function completeLoad(service: OpenService, repository: ListedRepository): Promise<void> {
  const { name } = repository.info;
  const known = underWay.get(name);
  if (known) return known;
  const running = load(service, repository).finally(() => underWay.delete(name));
  underWay.set(name, running);
  return running;
}

/** The same for each repository that an earlier process left so; what can't be read is tried again with the next question about it. */
export async function completeLoads(service: OpenService): Promise<void> {
  if (!mayBeginWithGraph(service)) return;
  for (const each of await listRepositories(service.stores.relational, null))
    if (each.info.only_graph) completeLoad(service, each).catch(() => undefined);
}

async function load(
  { stores, config }: OpenService,
  { info: { source }, organization }: ListedRepository,
): Promise<void> {
  const queue = await stores.relational.jobs();
  const { workOffJobs } = await import('./work-off-jobs.ts');
  await workOffJobs(queue, config, ['load']);
  await queue.enqueue({ kind: 'load', source, organization, only_if_changed: true });
  const isIt = (job: JobRecord) => job.kind === 'load' && job.source === source && job.organization === organization;
  for (;;) {
    const job = (await queue.list()).find(isIt);
    if (!job || job.state === 'done') return;
    const isOver = job.state === 'failed' || job.state === 'cancelled';
    // What a try said that is made again later is said now; one whose process was killed said nothing, and is made again at once.
    if (isOver || (job.attempts > 1 && job.error)) throw new Error(job.error ?? `The load was ${job.state}.`);
    await sleep(pollMs);
  }
}

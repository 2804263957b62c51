import { resolve } from 'node:path';
import { parseLocation } from '../../loaders/snapshot/location.ts';
import type { Config } from '../config.ts';
import type { Job } from '../stores/jobs/port.ts';
import type { Io } from './io.ts';
import { withJobs } from './open-jobs.ts';

/** Puts jobs into the queue, of sources as a person has named them; a source that waits already is left as it is. */
export async function enqueue(
  config: Config,
  io: Io,
  wanted: readonly Job[],
  { json }: { json?: boolean } = {},
): Promise<void> {
  const addressed = wanted.map((job) => ({ ...job, source: addressOf(job.source) }));
  await withJobs(config, io, async (jobs) => {
    for (const job of addressed) {
      const { source } = job;
      const enqueued = await jobs.enqueue(job);
      if (json) await io.out(`${JSON.stringify({ source, enqueued })}\n`);
      const by = config.databaseUrl === undefined ? 'the service' : 'a worker';
      io.say(enqueued ? `${source}: waits for ${by}.` : `${source}: waits already.`);
    }
  });
}

/** As a worker elsewhere finds it. A job is kept for days and shown to many, so no secret goes into it. */
export function addressOf(source: string): string {
  const location = parseLocation(source);
  if (location.kind === 'path') return resolve(location.path);
  if (location.credentials) {
    throw new Error(
      `${location.url}: credentials are not put into a job; give them to the workers' git (a credential helper, .netrc or an ssh key) and leave them out here.`,
    );
  }
  return location.url;
}

import { exit } from 'node:process';
import { parentPort } from 'node:worker_threads';
import type { ExtractionBatch } from '../../loaders/facts/pool.ts';

/** A parsing thread that dies of files of one name, as one does whose parser takes all memory. */
parentPort?.on('message', ({ files }: ExtractionBatch) => {
  if (files.some(({ path }) => path.endsWith('deadly.py'))) exit(1);
});
await import('../../loaders/facts/worker.ts');

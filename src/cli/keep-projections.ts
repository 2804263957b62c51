import { setTimeout as sleep } from 'node:timers/promises';
import { projectSnapshots } from '../../loaders/write.ts';
import { sharedTurns } from '../stores/batches.ts';
import { isDiskFull, StoreUnavailable } from '../stores/errors.ts';
import type { Stores } from '../stores/open.ts';
import type { Io } from './io.ts';
import { loaderStores } from './loader-stores.ts';

/** Says what becomes of an embedded projection whose file can't be used. */
export function sayRebuilding({ graph, search, source }: Stores, io: Io): void {
  for (const { healing } of [graph, search, source]) {
    healing?.onRebuilding(({ file, reason, setAside }) => {
      const kept = setAside === null ? '' : ` What was there is kept as ${setAside}, until the next time.`;
      io.say(`${file} is made anew from the snapshots: ${reason}.${kept}`);
    });
  }
}

/**
 * Makes graph, search and source equal to the kept snapshots, now and whenever the file of one is found damaged. Resolves when they are, or
 * sooner where that takes long: where one is made anew, or its server is away. Then only the routes that need it are down.
 */
export async function keepProjections(stores: Stores, io: Io, signal: AbortSignal): Promise<void> {
  const onRebuilding = Promise.withResolvers<void>();
  const complete = sharedTurns(() => whenReachable(() => completeProjections(stores, io, signal), io, signal));
  sayRebuilding(stores, io);
  const first = complete();
  for (const { healing } of [stores.graph, stores.search, stores.source]) {
    let last = -Infinity;
    healing?.onRebuilding(() => {
      onRebuilding.resolve();
      // Where a disk loses one file after the other, not all time goes into making new ones.
      const rest = performance.now() - last < minRebuildGapMs ? minRebuildGapMs : 0;
      last = performance.now();
      const filling = sleep(rest, undefined, { signal, ref: false }).then(complete);
      filling.catch((error: unknown) => signal.aborted || io.say(sentenceOf(error)));
    });
  }
  await Promise.race([first, onRebuilding.promise]);
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function completeProjections(stores: Stores, io: Io, signal: AbortSignal): Promise<void> {
  try {
    await projectSnapshots(loaderStores(stores), {
      onRepository: (name) =>
        io.say(`${name}: writing what is missing in the graph, the search index or the index of source`),
      onUnreadable: ({ message }) => io.say(message),
    });
  } catch (error) {
    const passes = isDiskFull(error) || (error instanceof StoreUnavailable && error.store !== 'relational');
    if (!passes || !(error instanceof Error)) throw error;
    if (signal.aborted) return;
    const why = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    io.say(`${error.message}${why} What needs it answers 503; it is tried again every ${retryMs / 1000} s.`);
    const again = () => {
      const trying = whenReachable(() => completeProjections(stores, io, signal), io, signal);
      trying.catch((failure: unknown) => io.say(String(failure)));
    };
    setTimeout(again, retryMs).unref();
  }
}

const retryMs = 10_000;
const minRebuildGapMs = 30_000;

/** Does this as soon as the relational store can be reached, without which nobody can be known; nothing, when stopped before. */
export async function whenReachable(work: () => Promise<void>, io: Io, signal: AbortSignal): Promise<void> {
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable && error.store === 'relational')) throw error;
      if (tries === 0) io.say(`${error.message} Until it can, whatever needs a key answers 503.`);
      await sleep(1_000, undefined, { signal }).catch(() => {});
    }
  }
}

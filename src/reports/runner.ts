import { StoreUnavailable } from '../stores/errors.ts';
import type { ClaimedReport, ReportQueue } from '../stores/relational/port.ts';
import { ReportFailure } from './report-type.ts';

/** Makes the reports that wait, beside as many other runners on the same database as there are. */
export interface ReportRunner {
  start(): void;
  /** Looks at once whether a report waits. */
  wake(): void;
  /** Takes no more and waits for those under way; those not done in time are given back. */
  stop(options: { drainMs: number }): Promise<void>;
}

type Make = (
  claimed: ClaimedReport,
  onProgress: (share: number) => void,
) => Promise<{ content: Uint8Array; contentType: string }>;

/** A result can be fetched for so long. */
const retentionMs = 30 * 24 * 3600 * 1000;

/** Tries while a source is away. */
const maxAttempts = 3;
/**
 * A report whose makers died so often is given up: it may be what they die of. Later tries are ever further apart (see the queue's
 * `claim`), so that this takes a day, and a service that crashes for another reason has its reports made in the end.
 */
const maxDeaths = 30;

/** Takes reports from the queue and has them made, two at once of each organization. */
export function createReportRunner({
  queue,
  make,
  report,
  leaseMs = 30_000,
  pollMs = 5_000,
  concurrency = 4,
}: {
  queue: ReportQueue;
  make: Make;
  /** Called with what went wrong here, not with what is wrong with a report. */
  report: (error: unknown) => void;
  /** How long a report waits whose maker died. */
  leaseMs?: number;
  /** How long a report waits that another instance was asked for and can't make. */
  pollMs?: number;
  concurrency?: number;
}): ReportRunner {
  const underWay = new Map<Promise<void>, AbortController>();
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let stopped = false;
  let polling: NodeJS.Timeout | undefined;

  function wake(): void {
    lookAgain = true;
    // Else the end of one of them wakes us.
    if (underWay.size < concurrency) looking ??= look();
  }

  async function look(): Promise<void> {
    while (lookAgain && !stopped && underWay.size < concurrency) {
      lookAgain = false;
      try {
        const claimed = await queue.claim({ leaseMs, perOrganization: 2 });
        if (claimed === null) continue;
        begin(claimed);
        lookAgain = true;
      } catch (error) {
        // The next look finds it back; requests say that it is away.
        if (!(error instanceof StoreUnavailable)) report(error);
      }
    }
    // At once: who wakes us from here on must begin another look.
    looking = null;
  }

  function begin(claimed: ClaimedReport): void {
    const stopping = new AbortController();
    const work = run(claimed, stopping.signal).catch((error: unknown) => {
      // Its lease runs out, and somebody takes it again.
      if (!(error instanceof StoreUnavailable)) report(error);
    });
    underWay.set(work, stopping);
    void work.then(() => {
      underWay.delete(work);
      wake();
    });
  }

  async function run(claimed: ClaimedReport, stopping: AbortSignal): Promise<void> {
    if (claimed.attempt > maxDeaths) {
      const message = `It was tried ${maxDeaths} times without an end. Ask for it again, or tell us its id.`;
      await queue.fail(claimed, { code: 'internal_error', message });
      return;
    }
    const end = Promise.withResolvers<'stopping' | 'lost'>();
    stopping.addEventListener('abort', () => end.resolve('stopping'));
    let progress = 0;
    const renewing = setInterval(() => {
      queue.renew(claimed, { leaseMs, progress }).then(
        (isOurs) => isOurs || end.resolve('lost'),
        // There is time for another try.
        () => {},
      );
    }, leaseMs / 3);
    try {
      const made = await Promise.race([make(claimed, (share) => (progress = share)), end.promise]);
      if (made === 'stopping') await queue.release(claimed, { delayMs: 0 });
      else if (made !== 'lost') await queue.succeed(claimed, { ...made, retentionMs });
    } catch (error) {
      await settle(claimed, error);
    } finally {
      clearInterval(renewing);
    }
  }

  async function settle(claimed: ClaimedReport, error: unknown): Promise<void> {
    if (error instanceof StoreUnavailable) {
      // Nothing can be written either.
      if (error.store === 'relational') throw error;
      if (claimed.attempt < maxAttempts) return queue.release(claimed, { delayMs: claimed.attempt * 10_000 });
      const message = `The ${error.store} store did not answer, ${maxAttempts} times. Ask for the report again later.`;
      await queue.fail(claimed, { code: 'source_unavailable', message });
    } else if (error instanceof ReportFailure) {
      await queue.fail(claimed, { code: error.code, message: error.message });
    } else {
      report(error);
      await queue.fail(claimed, {
        code: 'internal_error',
        message: 'A mistake of the service. Tell us the report’s id.',
      });
    }
  }

  return {
    start() {
      const expire = () => void queue.expire().catch(() => {});
      expire();
      wake();
      let polls = 0;
      polling = setInterval(() => {
        wake();
        // Every ten minutes or so.
        polls += 1;
        if (polls % 120 === 0) expire();
      }, pollMs).unref();
    },

    wake,

    async stop({ drainMs }) {
      stopped = true;
      clearInterval(polling);
      await looking;
      const late = setTimeout(() => {
        for (const stopping of underWay.values()) stopping.abort();
      }, drainMs);
      await Promise.all(underWay.keys());
      clearTimeout(late);
    },
  };
}

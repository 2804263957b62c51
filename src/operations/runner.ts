import { StoreUnavailable } from '../stores/errors.ts';

/** Works off what waits in a table, beside as many other runners on the same database as there are. */
export interface Runner {
  start(): void;
  /** Looks at once whether something waits. */
  wake(): void;
  /** Takes no more and waits for what is under way. */
  stop(): Promise<void>;
}

/** Calls `step` until it says that nothing waits; again when it is woken, and every `pollMs`, for what another instance was told of. */
export function createRunner({
  step,
  report,
  pollMs = 5_000,
}: {
  /** Does the next; false when there was nothing. */
  step: () => Promise<boolean>;
  report: (error: unknown) => void;
  pollMs?: number;
}): Runner {
  let working: Promise<void> | null = null;
  let lookAgain = false;
  let stopped = false;
  let polling: NodeJS.Timeout | undefined;

  function wake(): void {
    lookAgain = true;
    working ??= work();
  }

  async function work(): Promise<void> {
    while (lookAgain && !stopped) {
      lookAgain = false;
      try {
        const isDone = await step();
        lookAgain ||= isDone;
      } catch (error) {
        // The next look finds it back; requests say that it is away.
        if (!(error instanceof StoreUnavailable)) report(error);
      }
    }
    working = null;
  }

  return {
    start() {
      wake();
      polling = setInterval(wake, pollMs).unref();
    },

    wake,

    async stop() {
      stopped = true;
      clearInterval(polling);
      await working;
    },
  };
}

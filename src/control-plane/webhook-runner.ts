import { StoreUnavailable } from '../stores/errors.ts';
import type { WebhookInbox } from '../stores/relational/port.ts';
import { billingChange } from './billing-change.ts';

/** Works off the events that providers have sent, beside as many other runners on the same database as there are. */
export interface WebhookRunner {
  start(): void;
  /** Looks at once whether an event waits. */
  wake(): void;
  /** Takes no more and waits for the one under way. */
  stop(): Promise<void>;
}

/** Takes events from the inbox, one after the other. */
export function createWebhookRunner({
  inbox,
  report,
  pollMs = 5_000,
}: {
  inbox: WebhookInbox;
  /** Called with what went wrong, and with the event it went wrong with. */
  report: (error: unknown, event?: { provider: string; event_id: string; type: string }) => void;
  /** How long an event waits that another instance received and can't work off. */
  pollMs?: number;
}): WebhookRunner {
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
        const done = await inbox.workOff(billingChange);
        lookAgain ||= done !== null;
        if (done?.error !== undefined) report(done.error, done.event);
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

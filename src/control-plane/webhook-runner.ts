import { createRunner } from '../operations/runner.ts';
import type { Runner } from '../operations/runner.ts';
import type { WebhookInbox } from '../stores/relational/port.ts';
import { billingChange } from './billing-change.ts';

/** Takes the events that providers have sent from the inbox, one after the other. */
export function createWebhookRunner({
  inbox,
  report,
  pollMs,
}: {
  inbox: WebhookInbox;
  /** Called with what went wrong, and with the event it went wrong with. */
  report: (error: unknown, event?: { provider: string; event_id: string; type: string }) => void;
  /** How long an event waits that another instance received and can't work off. */
  pollMs?: number;
}): Runner {
  return createRunner({
    async step() {
      const done = await inbox.workOff(billingChange);
      if (done?.error !== undefined) report(done.error, done.event);
      return done !== null;
    },
    report,
    ...(pollMs === undefined ? {} : { pollMs }),
  });
}

import { uuidv7 } from 'uuidv7';
import type { Call } from '../http/serve.ts';
import type { EphemeralStore } from '../stores/ephemeral/port.ts';

/** Counts each product call against its organization; what it has resolved is in the usage at once. */
export function createMeter(ephemeral: EphemeralStore, clock: { time(): Date }): (call: Call) => Promise<void> {
  return async ({ caller, ...call }) => {
    const occurredAt = clock.time();
    await ephemeral.record({
      ...call,
      event_id: uuidv7(),
      organization_id: caller.organization.id,
      member_id: caller.member.id,
      key_id: caller.api_key.id,
      environment: caller.api_key.environment,
      occurred_at: occurredAt.toISOString(),
    });
  };
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { eventually } from './eventually.ts';

/** What an organization sends, and what became of it. */
export interface Traffic {
  /** One request: a metered call or a usage event, which has an idempotency key. Never throws. */
  send(address: string): Promise<void>;
  /** Metered calls by what their callers know of them; and how often they were told to come again. */
  readonly calls: { answered: number; unknown: number; turnedAway: number };
  /** Events whose acknowledgement did not arrive. */
  readonly pending: ReadonlyMap<string, string>;
  /** Answers that are none to expect. */
  readonly failures: readonly string[];
  /** Sends again what was not acknowledged, then compares the service's books with these: nothing lost, nothing twice. */
  verify(address: string): Promise<void>;
  close(): Promise<void>;
}

interface Usage {
  totals: { successful_calls: number; usage_events: number };
  freshness: { source: string };
}

interface Sent {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

interface Answered {
  status: number;
  text: string;
}

/** Traffic of the organization that the key belongs to, which no one else may use; `events` is the share of events in it. */
export function openTraffic(key: string, { events }: { events: number }): Traffic {
  const agent = new Agent({ connections: 50, pipelining: 1 });
  const calls = { answered: 0, unknown: 0, turnedAway: 0 };
  const pending = new Map<string, string>();
  const acknowledged = new Set<string>();
  const failures: string[] = [];
  const authorization = `Bearer ${key}`;
  const ask = async (address: string, path: string, { headers = {}, ...options }: Sent = {}): Promise<Answered> => {
    const { statusCode: status, body } = await request(`${address}${path}`, {
      ...options,
      dispatcher: agent,
      headers: { authorization, ...headers },
    });
    const text = await body.text();
    if (!/"code":"(overloaded|dependency_unavailable)"/.test(text)) return { status, text };
    // A busy machine may turn callers away for a moment, and says so; they come again, as they are told to.
    calls.turnedAway++;
    await sleep(1_000);
    return ask(address, path, { headers, ...options });
  };

  const call = async (address: string) => {
    try {
      const { status, text } = await ask(address, '/api/graph');
      if (status === 200) calls.answered++;
      else failures.push(`GET ${status} ${text}`);
    } catch (error) {
      // What nobody took is not in any book.
      if (!isRefused(error)) calls.unknown++;
    }
  };
  /** With one key as often as it takes; only the first may be the one that counts. Says what was answered instead. */
  const tell = async (address: string, id: string, idempotencyKey: string): Promise<string | null> => {
    try {
      const { status, text } = await ask(address, '/v1/usage/events', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ specversion: '1.0', id, source: 'traffic', type: 'traffic.event' }),
      });
      if (status !== 200 || !text.includes('"accepted":1')) return `POST ${status} ${text}`;
      pending.delete(id);
      acknowledged.add(id);
      return null;
    } catch {
      // Nobody knows; it is sent again.
      return null;
    }
  };

  return {
    calls,
    pending,
    failures,
    async send(address) {
      if (Math.random() >= events) return call(address);
      const [id, idempotencyKey] = [randomUUID(), randomUUID()];
      pending.set(id, idempotencyKey);
      const failure = await tell(address, id, idempotencyKey);
      if (failure !== null) failures.push(failure);
    },
    async verify(address) {
      // A service that has just started may ask for patience, and a request that was cut off may still be at work.
      await eventually(async () => {
        for (const [id, idempotencyKey] of pending) expect(await tell(address, id, idempotencyKey)).equals(null);
        expect(pending.size).equals(0);
      });
      const totals = await eventually(async () => {
        const { text } = await ask(address, '/v1/billing/usage');
        const usage = JSON.parse(text) as Usage;
        // Else Redis was slow to answer, and what is in it may be missing.
        expect(usage.freshness.source).equals('live');
        return usage.totals;
      });
      expect(totals.usage_events, 'events').equals(acknowledged.size);
      expect(totals.successful_calls, 'calls').within(calls.answered, calls.answered + calls.unknown);
    },
    close: () => agent.destroy(),
  };
}

const isRefused = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

/** Of so many at once a service turns none away, however busy its machine is. */
const maxAtOnce = 8;

/** Sends at this rate, or what the answers leave of it, until the work is done; resolves when all is answered. */
export async function underLoad(rate: number, send: () => Promise<void>, work: () => Promise<void>): Promise<number> {
  const sent: Promise<void>[] = [];
  let open = 0;
  let isOver = false;
  const sending = (async () => {
    for (const began = performance.now(); !isOver; await sleep(5)) {
      while (open < maxAtOnce && sent.length < ((performance.now() - began) / 1_000) * rate) {
        open++;
        sent.push(send().finally(() => open--));
      }
    }
  })();
  await work().finally(() => (isOver = true));
  await sending;
  await Promise.all(sent);
  return sent.length;
}

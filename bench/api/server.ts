// The whole service in a process of its own, with one handler more under two routes: one that asks for a key and is metered,
// one that does neither; and beside it a bare Koa server that answers /v1/catalog with the service's own bytes. Prints one line
// of JSON when all answers. Settings from the environment.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { z } from 'zod';
import { createKey } from '../../src/auth/create-key.ts';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { route } from '../../src/http/route.ts';
import { listen } from '../../src/http/server.ts';
import { openBookingClock } from '../../src/operations/booking-clock.ts';
import { createLogger } from '../../src/operations/logger.ts';
import { createMetrics } from '../../src/operations/metrics.ts';
import { openStores } from '../../src/stores/open.ts';

// Every quota is counted, and none is ever used up.
const config = readConfig({ ...process.env, NODE_ENV: 'production', RATE_LIMITS: '*=100000000/60' });
const stores = await openStores(config);
const pepper = 'a pepper of the benchmark, long enough';
const answer = { items: Array.from({ length: 10 }, (_, i) => ({ id: i, name: `repository-${i}`, weight: i / 10 })) };
const same = {
  method: 'GET',
  summary: 'The same handler',
  response: z.object({ items: z.array(z.unknown()) }),
  cache: 'revalidate',
  handle: () => answer,
} as const;

const { callback } = compose({
  stores,
  pepper,
  config,
  baseUrl: 'https://ris.example',
  // As in production: a line for each request.
  logger: createLogger({ name: 'bench', level: 'info', secrets: [pepper] }),
  metrics: createMetrics(stores, () => 0),
  isReady: () => true,
  analyzer: 'of-benchmarks',
  clock: await openBookingClock(stores),
  moreRoutes: [
    route({ ...same, path: '/metered', operation_id: 'metered', access: 'tenant', product: 'code-graph', credits: 1 }),
    route({ ...same, path: '/plain', operation_id: 'plain', access: 'public', product: null, credits: 0 }),
  ],
});
const service = await listen(callback, { port: 0, host: '127.0.0.1' });
const ofOrganization = async (organization: string) => {
  const owner = { organization, member: 'bench', role: 'owner', expires_at: null } as const;
  return (await createKey(stores.relational, pepper, owner)).api_key;
};
const key = await ofOrganization('bench');
const otherKey = await ofOrganization('other');

const body = await (await fetch(`http://127.0.0.1:${service.port}/v1/catalog`)).text();
const koa = new Koa();
koa.use((ctx) => {
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = body;
});
const answerBare = koa.callback();
const bare = createServer((request, response) => void answerBare(request, response)).listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ service: service.port, bare: (bare.address() as AddressInfo).port, key, otherKey }));
});

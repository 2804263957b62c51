import { createApp } from '../../src/http/app.ts';
import type { AppOptions } from '../../src/http/app.ts';
import type { Caller, Route } from '../../src/http/route.ts';
import type { Call } from '../../src/http/serve.ts';
import { listen } from '../../src/http/server.ts';
import type { RunningServer } from '../../src/http/server.ts';
import { memoryLimiter } from '../../src/stores/ephemeral/limiters.ts';
import { request } from './http.ts';

export const anna: Caller = {
  organization: { id: 'org_acme', slug: 'acme', name: 'Acme' },
  plan: 'beta',
  member: { id: 'mem_anna', name: 'Anna', role: 'member' },
  api_key: { id: 'key_anna', prefix: 'ris_live_anna', expires_at: null, environment: 'live' },
  products: null,
  repositories: null,
  scopes: null,
  rate_limit_per_minute: null,
};

export interface Kernel extends RunningServer {
  calls: Call[];
  reported: unknown[];
  /** As Anna, whose key is `anna`. */
  get: (path: string, headers?: Record<string, string>) => ReturnType<typeof request>;
  send: (path: string, options?: Parameters<typeof request>[2]) => ReturnType<typeof request>;
}

/** The kernel with these routes on a free port; callers are known by the bearers `anna`, `olga` (an owner) and `otto` (of
 * another organization). */
export async function startKernel(
  routes: readonly Route[],
  options: Partial<AppOptions> = {},
  { maxConnectionsOfOne }: { maxConnectionsOfOne?: number } = {},
): Promise<Kernel> {
  const calls: Call[] = [];
  const reported: unknown[] = [];
  const olga: Caller = { ...anna, member: { id: 'mem_olga', name: 'Olga', role: 'owner' } };
  const otto: Caller = { ...anna, organization: { id: 'org_other', slug: 'other', name: 'Other' } };
  const baseUrl = 'https://ris.example';
  const app = createApp({
    routes,
    service: { title: 'Test', version: '0.0.0', apiVersion: '2026-11-21', description: 'A service under test.' },
    baseUrl,
    realm: 'test',
    sessionCookie: 'session',
    authenticate: async (bearer) =>
      new Map([
        ['anna', anna],
        ['olga', olga],
        ['otto', otto],
      ]).get(bearer) ?? null,
    meter: async (call) => void calls.push(call),
    // A test machine may be busy with other things.
    pressure: { maxInFlight: 200, maxEventLoopDelayMs: 60_000, windowMs: 5_000, maxHeapShare: 1 },
    limits: { organization: [], address: [], named: [] },
    limiter: memoryLimiter,
    report: (error) => reported.push(error),
    verifyResponses: true,
    ...options,
  });
  const server = await listen(app, { port: 0, host: '127.0.0.1', maxConnectionsOfOne });
  return {
    ...server,
    calls,
    reported,
    get: (path, headers = {}) => request(server.port, path, { headers: { authorization: 'Bearer anna', ...headers } }),
    send: (path, options = {}) => request(server.port, path, options),
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createKey } from '../../src/auth/create-key.ts';
import type { CreatedKey } from '../../src/auth/create-key.ts';
import { compose } from '../../src/compose.ts';
import { listen } from '../../src/http/server.ts';
import type { RunningServer } from '../../src/http/server.ts';
import type { Role } from '../../src/model/account.ts';
import { openStores } from '../../src/stores/open.ts';
import type { Stores } from '../../src/stores/open.ts';
import type { Answer } from './http.ts';
import { request } from './http.ts';
import { fillStores } from './portfolio.ts';

const pepper = 'a pepper for tests, long enough to be one';
const baseUrl = 'https://ris.example';

/** The stores are opened once for all test files; each file has organizations of its own. */
let opened: Promise<{ stores: Stores; folder: string }> | undefined;

after(async () => {
  if (!opened) return;
  const { stores, folder } = await opened;
  await stores.close();
  await rm(folder, { recursive: true });
});

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  const stores = await openStores({ dataDir: folder });
  await fillStores(stores);
  return { stores, folder };
}

export interface TestService {
  port: number;
  stores: Stores;
  createKey: (organization: string, role?: Role, expires_at?: string | null) => Promise<CreatedKey>;
  /** With a key of an organization that only this test file uses. */
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  /** Without a credential, unless the headers have one. */
  send: (path: string, options?: Parameters<typeof request>[2]) => Promise<Answer>;
  organizationId: string;
  setReady: (ready: boolean) => void;
}

let organizations = 0;

/** The whole service over real embedded stores with the portfolio in them, for the tests of this `describe`. */
export function useService(change: (stores: Stores) => Partial<Stores> = () => ({})): () => TestService {
  let service: TestService;
  let server: RunningServer;
  before(async () => {
    const { stores } = await (opened ??= open());
    let ready = true;
    const callback = compose({
      stores: { ...stores, ...change(stores) },
      pepper,
      config: { docsUrl: undefined, trustedProxies: 0, production: false },
      baseUrl,
      logger: pino({ level: 'silent' }),
      isReady: () => ready,
      limits: { organization: [], address: [], named: [] },
      verifyResponses: true,
    });
    server = await listen(callback, { port: 0, host: '127.0.0.1', docsBase: `${baseUrl}/docs` });
    const { port } = server;
    const create: TestService['createKey'] = (organization, role = 'member', expires_at = null) =>
      createKey(stores.relational.accounts, pepper, { organization, member: 'anna', role, expires_at });
    const own = await create(`org-${organizations++}`);
    service = {
      port,
      stores,
      createKey: create,
      get: (path, headers = {}) =>
        request(port, path, { headers: { authorization: `Bearer ${own.api_key}`, ...headers } }),
      send: (path, options) => request(port, path, options),
      organizationId: own.organization.id,
      setReady: (now) => (ready = now),
    };
  });
  after(() => server.close());
  return () => service;
}

import { Agent, createServer, get, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A load balancer that sends each request once, in turn to those that say they are ready. */
export interface Balancer {
  address: string;
  /** Sends to this address as well, as soon as it is ready; what it knew of an address that is gone is forgotten. */
  add(address: string): Promise<void>;
  close(): void;
}

const everyMs = 200;

/** Listens on any free port and asks `/readyz` of all behind it five times a second, as load balancers do. */
export async function openBalancer(): Promise<Balancer> {
  const agents = new Map<string, Agent>();
  let ready: string[] = [];
  let turn = 0;
  const server = createServer((request, response) => {
    const target = ready[turn++ % ready.length];
    const outgoing = httpRequest(
      `${target ?? 'http://127.0.0.1:1'}${request.url}`,
      {
        method: request.method,
        headers: { ...request.headers, connection: 'keep-alive' },
        agent: agents.get(target ?? ''),
      },
      (incoming) => {
        const { connection: _, 'keep-alive': __, ...headers } = incoming.headers;
        response.writeHead(incoming.statusCode ?? 502, headers);
        incoming.on('error', () => response.destroy()).pipe(response);
      },
    );
    outgoing.on('error', (error) => response.headersSent || response.writeHead(502).end(String(error)));
    request.pipe(outgoing);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const check = async (one: string) => {
    const says = await isReady(one);
    if (says === true && !ready.includes(one)) ready = [...ready, one];
    // Silence is no answer: a machine may be busy.
    if (says === false) ready = ready.filter((other) => other !== one);
  };
  let checking = true;
  void (async () => {
    while (checking) {
      await Promise.all([...agents.keys()].map(check));
      await sleep(everyMs, undefined, { ref: false });
    }
  })();

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async add(address) {
      agents.set(address, new Agent({ keepAlive: true }));
      while (!ready.includes(address)) await sleep(20);
    },
    close() {
      checking = false;
      server.close();
      server.closeAllConnections();
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

function isReady(address: string): Promise<boolean | null> {
  return new Promise((resolve) => {
    const asked = get(`${address}/readyz`, { agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('timeout', () => resolve(null)).on('error', () => resolve(false));
  });
}

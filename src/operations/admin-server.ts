import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';

/** Where whoever runs the service looks at it; asks for no credential, so nobody else may reach it. */
export interface AdminServer {
  port: number;
  close(): Promise<void>;
}

/** Answers `GET /metrics`, for Prometheus, and `GET /health`, for people. Throws when it can't listen. */
export async function openAdminServer(
  { host, port }: { host: string; port: number },
  { metrics, health }: { metrics: Pick<Metrics, 'text' | 'contentType'>; health: () => Promise<Health> },
): Promise<AdminServer> {
  const pages: Record<string, () => Promise<{ type: string; body: string }>> = {
    '/metrics': async () => ({ type: metrics.contentType, body: await metrics.text() }),
    '/health': async () => ({ type: 'application/json', body: `${JSON.stringify(await health(), null, 2)}\n` }),
  };
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    const page = pages[request.url ?? ''];
    if (page === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(page === undefined ? 404 : 405).end();
      return;
    }
    page().then(
      ({ type, body }) => response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  // Nothing waits for it.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

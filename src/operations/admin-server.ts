import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OwnOrigin } from '../http/own-origin.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';

/** Where whoever runs the service looks at it; asks for no credential, so nobody else may reach it. */
export interface AdminServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Answers `GET /metrics`, for Prometheus, and `GET /health`, for people; 403 where a browser asks for a page of another site.
 * Throws when it can't listen.
 */
export async function openAdminServer(
  { host, port }: { host: string; port: number },
  {
    metrics,
    health,
    isOwn,
  }: { metrics: Pick<Metrics, 'text' | 'contentType'>; health: () => Promise<Health>; isOwn: OwnOrigin },
): Promise<AdminServer> {
  const pages: Record<string, () => Promise<{ type: string; body: string }>> = {
    '/metrics': async () => ({ type: metrics.contentType, body: await metrics.text() }),
    '/health': async () => ({ type: 'application/json', body: `${JSON.stringify(await health(), null, 2)}\n` }),
  };
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    if (!isOwn(request)) {
      response
        .writeHead(403, { 'Content-Type': 'text/plain' })
        .end(
          'The Host or Origin header names a foreign site. Ask by an IP address, or name this host in ALLOWED_HOSTS.\n',
        );
      return;
    }
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

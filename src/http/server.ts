import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError, problemBody } from './errors.ts';
import { problems } from './problems.ts';
import { newRequestId } from './request-id.ts';

/** A server that listens. */
export interface RunningServer {
  server: Server;
  port: number;
  /** Requests that are not yet answered to the end. */
  inFlight(): number;
  /**
   * Ends it without failing a request: from now on every answer closes its connection; after `drainMs` (for a load
   * balancer to notice) no new connection is taken; whoever is not done after `graceMs` more is cut off.
   */
  close(options?: { drainMs?: number; graceMs?: number }): Promise<void>;
}

/** Answers with `handler` on this port (0: any free one). */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  { port, host, docsBase }: { port: number; host: string; docsBase: string },
): Promise<RunningServer> {
  let draining = false;
  let inFlight = 0;
  const running = new WeakMap<Duplex, ServerResponse>();
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1_000,
    // Longer than a load balancer's, so that it is never we who close first.
    keepAliveTimeout: 65_000,
    // The application answers that one, so that it has a body and an id like every other error.
    requireHostHeader: false,
  });
  server.maxRequestsPerSocket = 1_000;
  // One more than the application takes: Node drops the rest in silence, and the application must see that it was too many.
  server.maxHeadersCount = 101;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    running.set(request.socket, response);
    inFlight++;
    response.once('close', () => inFlight--);
    if (draining) response.setHeader('Connection', 'close');
    handler(request, response);
  };
  server.on('request', answer);
  server.on('checkExpectation', answer);
  server.on('clientError', (error: ParserError, socket) => {
    const response = running.get(socket);
    const begun = response?.headersSent && !response.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || begun) socket.destroy();
    // The last answer has said that it is the last.
    else if (response?.writableFinished && !response.shouldKeepAlive) socket.end();
    else socket.end(parserProblem(error, docsBase), () => socket.destroy());
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

  return {
    server,
    port: (server.address() as AddressInfo).port,
    inFlight: () => inFlight,
    close: async ({ drainMs = 0, graceMs = 20_000 } = {}) => {
      draining = true;
      await sleep(drainMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A kept-alive connection goes on asking after close(); it is closed as soon as it is idle.
      const idle = setInterval(() => server.closeIdleConnections(), 250);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      server.closeIdleConnections();
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

/** A whole HTTP response for what Node's parser refused: there is no request to answer through. */
function parserProblem({ code, rawPacket }: ParserError, docsBase: string): string {
  const kind =
    code === 'HPE_HEADER_OVERFLOW'
      ? problems.headers_too_large
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? problems.request_timeout
        : problems.bad_request;
  const requestId = newRequestId();
  const body = JSON.stringify(problemBody(new HttpError(kind), { docsBase, instance: '', requestId }));
  return [
    `HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    rawPacket?.toString('latin1', 0, 5) === 'HEAD ' ? '' : body,
  ].join('\r\n');
}

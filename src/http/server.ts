import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownNetwork } from './address.ts';
import { endBody } from './body.ts';
import { HttpError } from './errors.ts';
import { problems } from './problems.ts';
import type { Answer } from './response-cache.ts';

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

/** The last request of a connection that was read, and its answer, which is the last to be sent. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** For what is still on its way from somebody who has been told to go. */
const lingerMs = 1_000;

/**
 * Answers with `handler` on this port (0: any free one). One address has at most `maxConnectionsOfOne` connections; what comes
 * over more than these, and what Node's parser refuses, is answered by `handler` as well, with the error that it is given.
 */
export async function listen(
  handler: Answer,
  {
    port,
    host,
    maxConnectionsOfOne = Infinity,
  }: { port: number; host: string; maxConnectionsOfOne?: number | undefined },
): Promise<RunningServer> {
  let draining = false;
  let inFlight = 0;
  const last = new WeakMap<Socket, Exchange>();
  const server = createServer({
    headersTimeout: 10_000,
    // Later than what the application grants a body, and its wait for a turn to be read.
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1_000,
    // Longer than a load balancer's, so that it is never we who close first.
    keepAliveTimeout: 65_000,
    // The application answers that one, so that it has a body and an id like every other error.
    requireHostHeader: false,
  });
  // One more than the application takes: Node drops the rest in silence, and the application must see that it was too many.
  server.maxHeadersCount = 101;
  const isCrowded = limitConnections(server, maxConnectionsOfOne);

  const answer = (request: IncomingMessage, response: ServerResponse, refusal?: HttpError) => {
    const { socket } = request;
    const before = last.get(socket);
    // RFC 9112, 9.6: what follows the last answer of a connection is no request any more.
    if (before && isLast(before.response)) return;
    last.set(socket, { request, response });
    inFlight++;
    response.once('close', () => inFlight--);
    if (draining) response.setHeader('Connection', 'close');
    void handler(request, response, refusal ?? (isCrowded(socket) ? tooManyConnections : undefined));
  };
  server.on('request', (request, response) => answer(request, response));
  // The application asks for a body where it reads one.
  server.on('checkContinue', (request, response) => answer(request, response));
  server.on('checkExpectation', (request, response) => answer(request, response));

  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: ParserError, stream) => {
    const socket = stream as Socket;
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, error, last.get(socket), answer);
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

const isLast = (response: ServerResponse) =>
  !response.shouldKeepAlive || String(response.getHeader('Connection')).toLowerCase() === 'close';

const tooManyConnections = new HttpError(problems.too_many_connections, {
  headers: { Connection: 'close', 'Retry-After': '1' },
});

/** Counts connections by address; says which are too many. Those are answered when they ask, and closed when they do not. */
function limitConnections(server: Server, most: number): (socket: Socket) => boolean {
  const counts = new Map<string, number>();
  const crowded = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    const address = ownNetwork(socket.remoteAddress ?? '');
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
    if (count <= most) return;
    crowded.add(socket);
    // To answer that costs something, too.
    if (count > 2 * most) socket.destroy();
    else destroyLater(socket);
  });
  return (socket) => crowded.has(socket);
}

interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

/** Answers what Node's parser can't read, in its turn: after what came before it, and nothing after it. */
function refuse(
  socket: Socket,
  error: ParserError,
  before: Exchange | undefined,
  answer: (request: IncomingMessage, response: ServerResponse, refusal: HttpError) => void,
): void {
  const problem = problemOf(error);
  const refuseNow = () => {
    if (!socket.writable) return;
    // There is no request to answer through.
    const request = new IncomingMessage(socket);
    request.method = error.rawPacket?.toString('latin1', 0, 5) === 'HEAD ' ? 'HEAD' : 'GET';
    request.url = '';
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.once('finish', () => {
      socket.end();
      destroyLater(socket);
    });
    answer(request, response, problem);
  };
  if (!before) return refuseNow();
  const { request, response } = before;
  const hasEnded = response.writableFinished;
  if (isLast(response)) {
    // It has said so, and Node closes the connection with it.
    if (hasEnded) socket.end();
  } else if (request.complete) {
    // What follows it is wrong.
    if (hasEnded) refuseNow();
    else response.once('finish', refuseNow);
  } else if (hasEnded) socket.destroy();
  // Its own body is wrong: whoever reads it says so; where nobody does, it is answered, and that is the end.
  else if (!endBody(request, problem)) response.once('finish', () => socket.destroy());
}

function problemOf({ code }: ParserError): HttpError {
  const headers = { Connection: 'close' };
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError(problems.headers_too_large, { headers });
  return new HttpError(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? problems.request_timeout : problems.bad_request, {
    headers,
  });
}

const destroyLater = (socket: Socket) => void setTimeout(() => socket.destroy(), lingerMs).unref();

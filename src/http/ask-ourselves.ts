import { createServer, request } from 'node:http';
import { duplexPair } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { Answer } from './response-cache.ts';

/** A GET of ourselves, or the POST of a body, as if it had come over the network: with the same checks, quotas and meters. */
export function askOurselves(answer: Answer) {
  // It never listens: each connection is made by hand.
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  return (path: string, headers: Record<string, string>, body?: unknown): Promise<{ status: number; json: unknown }> =>
    new Promise((resolve, reject) => {
      const [near, far] = duplexPair();
      server.emit('connection', far);
      const sent = body === undefined ? null : Buffer.from(JSON.stringify(body));
      const ofBody = sent && { 'content-type': 'application/json', 'content-length': String(sent.length) };
      request({
        path,
        method: sent ? 'POST' : 'GET',
        headers: { host: 'localhost', connection: 'close', ...headers, ...ofBody },
        createConnection: () => near,
      })
        .on('response', (response) => {
          json(response).then((body) => resolve({ status: response.statusCode ?? 0, json: body }), reject);
        })
        .on('error', reject)
        .end(sent);
    });
}

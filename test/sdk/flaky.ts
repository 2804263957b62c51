import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What becomes of a request: handed on; refused, to be asked again at once; or handed on, and its answer lost. */
type Fate = 'pass' | 'refuse' | 'lose';

/** Stands before a service and does to the requests that come what `fates` says, one after the other; in the end it hands on all. */
export async function openFlaky(port: number) {
  const fates: Fate[] = [];
  const seen: string[] = [];
  const plan = (next: readonly Fate[]) => {
    fates.splice(0, fates.length, ...next);
    return seen.splice(0);
  };
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/-/plan') {
      void (async () => outgoing.end(JSON.stringify(plan((await json(incoming)) as Fate[]))))();
      return;
    }
    const fate = fates.shift() ?? 'pass';
    seen.push(`${incoming.method} ${fate}`);
    if (fate === 'refuse') {
      incoming.resume();
      outgoing.writeHead(503, { 'retry-after': '0', 'content-type': 'application/problem+json' });
      outgoing.end('{"code":"not_ready","detail":"Not yet."}');
      return;
    }
    const { method, url: path, headers } = incoming;
    const onward = request({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      if (fate === 'lose') {
        answer.resume().on('end', () => outgoing.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Of the next requests; gives what has been asked since the last time. By `POST /-/plan`, too. */
    plan: (...next: Fate[]): string[] => plan(next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

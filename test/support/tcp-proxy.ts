import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A way to a server that can be broken: `cut` refuses and resets, `freeze` keeps connections and says nothing, `delay` brings
 * everything late, `reset` takes connections and questions and resets when the answer comes.
 */
export interface TcpProxy {
  /** The server's URL, by way of this proxy. */
  url: string;
  /** How often somebody connected or said something. */
  heard(): number;
  cut(): void;
  freeze(): void;
  delay(ms: number): void;
  reset(): void;
  restore(): void;
  close(): void;
}

export async function openTcpProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url);
  let state: 'open' | 'cut' | 'frozen' | 'resetting' = 'open';
  let delayMs = 0;
  const pairs = new Set<[Socket, Socket]>();
  let heard = 0;
  const server = createServer((client) => {
    heard++;
    if (state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.on('data', (bytes) => {
        if (from === client) heard++;
        if (state === 'resetting' && from === upstream) client.resetAndDestroy();
        else if (state === 'frozen') return;
        else if (delayMs > 0) setTimeout(() => to.writable && to.write(bytes), delayMs).unref();
        else to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = () => {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
  };
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) })
      .href,
    heard: () => heard,
    cut() {
      state = 'cut';
      drop();
    },
    freeze() {
      state = 'frozen';
    },
    delay(ms) {
      delayMs = ms;
    },
    reset() {
      state = 'resetting';
    },
    restore() {
      // What was swallowed can't be given back: those connections are out of step.
      drop();
      state = 'open';
      delayMs = 0;
    },
    close() {
      drop();
      server.close();
    },
  };
}

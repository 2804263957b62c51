import type { LookupAddress } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as startRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { connect, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, type Duplex } from 'node:stream';
import { hostKey, nameOf, type AllowedHosts } from './allowed-hosts.ts';
import { isPublicAddress } from '../../../src/operations/public-address.ts';

/** The only way that a setup has out of its sandbox: an HTTP proxy which hands on to some hosts and to no other. */
export interface RegistryProxy {
  /** A folder with nothing but the proxy's `socket`, for anybody who can see it. */
  folder: string;
  /** What was asked for and refused, as `host:port`, with the reason. */
  refused(): string[];
  close(): Promise<void>;
}

/** Finds all addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const maxConnections = 256;
/** Of what is written down, as the other side decides how often and what it asks. */
const maxRefused = 20;

/** Where a connection may go, and to no other address than were looked at. */
interface Target {
  host: string;
  port: number;
  lookup: LookupFunction;
}

/** Starts a proxy for one setup; nothing listens but a Unix socket. */
export async function startRegistryProxy(
  allowed: AllowedHosts,
  resolve: Resolve = (hostname) => lookUp(hostname, { all: true }),
): Promise<RegistryProxy> {
  const refused = new Set<string>();
  const open = new Set<Duplex>();
  const held = <Stream extends Duplex>(stream: Stream): Stream => {
    open.add(stream);
    // Who talks to whom ends as it likes.
    stream.on('error', () => stream.destroy()).on('close', () => open.delete(stream));
    return stream;
  };

  /** A target, or why there is none. */
  const targetOf = async (url: URL | null): Promise<Target | string> => {
    if (url === null || url.username !== '') return 'the request names no host';
    const port = Number(url.port === '' ? 80 : url.port);
    const key = hostKey(url.hostname, port);
    const outcome = await addressesOf(key);
    if (typeof outcome !== 'string') return { host: nameOf(key), port, lookup: answering(outcome) };
    if (refused.size < maxRefused) refused.add(`${key.slice(0, 200)} (${outcome})`);
    return `${key} is refused: ${outcome}`;
  };
  const addressesOf = async (key: string): Promise<readonly LookupAddress[] | string> => {
    const host = allowed.get(key);
    if (!host) return 'no registry that is allowed, see --allow-host';
    const name = nameOf(key);
    if (isIP(name) > 0) return [{ address: name, family: isIP(name) }];
    const addresses = await resolve(name).catch(() => []);
    if (addresses.length === 0) return 'its name is not known';
    return host.trusted || addresses.every(({ address }) => isPublicAddress(address))
      ? addresses
      : 'its name leads to this machine or to a private network';
  };

  const tunnel = async (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = await targetOf(URL.parse(`http://${request.url}`));
    if (typeof target === 'string') return answer(client, '403 Forbidden', target);
    // Whoever asked may be gone by now.
    if (client.destroyed) return;
    const server = held(connect(target));
    client.once('close', () => server.destroy());
    const unreachable = ({ message }: Error) => answer(client, '502 Bad Gateway', message);
    server.once('error', unreachable);
    server.once('connect', () => {
      // Only this one: an error that nobody hears ends the process.
      server.removeListener('error', unreachable);
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.write(head);
      pipeline(client, server, () => {});
      pipeline(server, client, () => {});
    });
  };
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    // What is written to whoever is gone is an error, and one that nobody hears ends the process.
    response.on('error', () => {});
    const url = URL.parse(request.url ?? '');
    const target = await targetOf(url?.protocol === 'http:' ? url : null);
    if (response.destroyed) return;
    if (typeof target === 'string') {
      response.writeHead(403).end(`repo-intel: ${target}.\n`);
      return;
    }
    const { method = 'GET', headers } = request;
    const path = `${url?.pathname ?? '/'}${url?.search ?? ''}`;
    const onward = startRequest({
      ...target,
      method,
      path,
      agent: false,
      headers: { ...endToEnd(headers), host: url?.host },
    });
    onward.on('response', (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.statusMessage, endToEnd(answered.headers));
      pipeline(answered, response, () => {});
    });
    onward.on('error', ({ message }) =>
      response.headersSent || response.destroyed
        ? response.destroy()
        : response.writeHead(502).end(`repo-intel: ${message}.\n`),
    );
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };

  const proxy = createServer()
    .on('connection', held)
    .on('connect', (request, client, head) => void tunnel(request, client, head).catch(() => client.destroy()))
    .on('request', (request, response) => void forward(request, response).catch(() => response.destroy()));
  proxy.maxConnections = maxConnections;
  // Nobody else on this machine gets as far as to the socket.
  const outer = await mkdtemp(join(tmpdir(), 'repo-intel-proxy-'));
  const folder = join(outer, 'proxy');
  try {
    await mkdir(folder);
    await chmod(folder, 0o755);
    proxy.listen(join(folder, 'socket'));
    await once(proxy, 'listening');
    // In a sandbox it is another user who connects.
    await chmod(join(folder, 'socket'), 0o666);
  } catch (error) {
    await rm(outer, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    refused: () => [...refused],
    async close() {
      const closed = once(proxy, 'close');
      proxy.close();
      for (const stream of open) stream.destroy();
      await closed;
      await rm(outer, { recursive: true, force: true });
    },
  };
}

function answer(client: Duplex, status: string, sentence: string): void {
  client.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nrepo-intel: ${sentence}.\n`);
}

/** Headers that are not of one connection alone (RFC 9110, 7.6.1). */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const ofConnection = /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/;
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.test(name) && !named.includes(name)),
  );
}

/** A lookup that gives these addresses whatever it is asked for: a name that was looked at is not asked for again. */
function answering(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true || first === undefined) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

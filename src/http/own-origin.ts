import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Whether a request names this service as the place it is for, and as the origin of the page it comes from, if any. */
export type OwnOrigin = (request: IncomingMessage) => boolean;

/**
 * What keeps a page of another site from asking here through a browser, even when its name leads to this address (DNS
 * rebinding): names are those of `baseUrl`, `localhost` and `more` (in lower case), with any port, for ports are mapped on the way. An IP address
 * is no name that anybody could lead elsewhere.
 */
export function ownOrigin(baseUrl: string | undefined, more: readonly string[] = []): OwnOrigin {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl);
  const names = new Set(['localhost', ...(base ? [base.hostname] : []), ...more]);
  return ({ headersDistinct }) => {
    const { host: hosts = [], origin: origins = [] } = headersDistinct;
    if (hosts.length > 1 || origins.length > 1) return false;
    const host = urlOf(`http://${hosts[0] ?? ''}`);
    // HTTP/1.0 has no Host, and browsers do not speak it.
    if (hosts.length > 0 && !(host && isNamed(host.hostname, names))) return false;
    if (origins.length === 0) return true;
    const origin = urlOf(origins[0] ?? '');
    if (!origin) return false;
    return origin.origin === base?.origin || more.includes(origin.hostname) || origin.host === host?.host;
  };
}

const urlOf = (text: string) => (URL.canParse(text) ? new URL(text) : undefined);

const isNamed = (hostname: string, names: ReadonlySet<string>) =>
  names.has(hostname) || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;

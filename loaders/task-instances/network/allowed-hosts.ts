import { isIP } from 'node:net';

/** Hosts that a setup may reach, as `host:port`, and whether a person wrote them down who may use this machine's own network. */
export type AllowedHosts = ReadonlyMap<string, { trusted: boolean }>;

/**
 * The registries that the tools of this machine use (URLs), their own defaults among them, and those that a person named
 * (`HOST[:PORT]`). What is configured may be on this machine or its network, and so may an address that was named; a name may not,
 * as whoever owns it decides where it leads.
 */
export function allowedHosts(configured: readonly string[], named: readonly string[]): AllowedHosts {
  const allowed = new Map<string, { trusted: boolean }>();
  for (const text of named)
    for (const key of namedHost(text) ?? [])
      allowed.set(key, { trusted: isIP(nameOf(key)) > 0 || isLoopbackName(key) });
  for (const url of configured) {
    const key = hostOfUrl(url);
    if (key !== null) allowed.set(key, { trusted: true });
  }
  return allowed;
}

/** The keys of `HOST`, at the ports of HTTPS and HTTP, or of `HOST:PORT`; null where it is neither. */
export function namedHost(text: string): string[] | null {
  const url = URL.parse(`http://${isIP(text) === 6 ? `[${text}]` : text}`);
  if (url === null || `${url.username}${url.pathname}${url.search}${url.hash}` !== '/') return null;
  if (!/^([\w.-]+|\[[\da-f:.]+\])$/.test(url.hostname)) return null;
  if (/:\d+$/.test(text) && isIP(text) === 0) return [hostKey(url.hostname, url.port === '' ? 80 : Number(url.port))];
  return [443, 80].map((port) => hostKey(url.hostname, port));
}

/** How a host is written down in `AllowedHosts`. */
export const hostKey = (hostname: string, port: number): string => `${hostname.toLowerCase()}:${port}`;

/** The host in such a key, an IPv6 address without its brackets. */
export const nameOf = (key: string): string => key.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

const isLoopbackName = (key: string) => /^(.*\.)?localhost:\d+$/.test(key);

function hostOfUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return hostKey(url.hostname, url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port));
}

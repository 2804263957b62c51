import { BlockList, isIP } from 'node:net';

/** How often a source is looked at, unless told, and at the most and the least. */
export const usualEverySeconds = 3_600;
export const minEverySeconds = 60;
export const maxEverySeconds = 30 * 86_400;

/** What all addresses of the same repository have in common: host and path, whichever protocol, user or ending an address has. */
export function placeOf(address: string): string {
  // Bounded: an address has at most some thousand characters, and each part ends at what the next begins with.
  const [, host = '', path = ''] = /^[\w.-]+@([\w.-]+):(.+)$/.exec(address) ?? [];
  if (host !== '') return placeAt(host.toLowerCase(), path);
  const url = URL.parse(address);
  if (url === null || url.protocol === 'file:') return address;
  // A port of its own is another server; ssh has another one than https at the same.
  return placeAt(url.protocol === 'ssh:' ? url.hostname.toLowerCase() : url.host.toLowerCase(), url.pathname);
}

/** Their paths are the same in whichever case they are written. */
const forges = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']);

function placeAt(host: string, path: string): string {
  const bare = path
    .split('/')
    .filter(Boolean)
    .join('/')
    .replace(/\.git$/, '');
  return `${host}/${forges.has(host) ? bare.toLowerCase() : bare}`;
}

/** Why whoever has an API key may not name this address; null where it may be one of the public internet. */
export function refusalOf(address: string): string | null {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') return 'It must begin with https://.';
  if (url.username !== '' || url.password !== '') return 'It must have no credentials in it.';
  if (url.search !== '' || url.hash !== '') return 'It must have no query and no fragment.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isPublic(host) ? null : 'It must be on the public internet.';
  if (!host.includes('.') || /(^|\.)(localhost|local|internal|lan|home\.arpa)\.?$/i.test(host))
    return 'It must be on the public internet.';
  return null;
}

/** Whether an IP address is one of the public internet: not of this machine, a private network, or a cloud's own. */
export function isPublic(ip: string): boolean {
  return !reserved.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
}

// IANA's registries of special-purpose addresses; one of IPv4 within IPv6 is looked at as both.
const reserved = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [network = '', bits] = range.split('/');
  reserved.addSubnet(network, Number(bits), 'ipv4');
}
for (const range of [
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]) {
  const [network = '', bits] = range.split('/');
  reserved.addSubnet(network, Number(bits), 'ipv6');
}

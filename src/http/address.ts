import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** The address of who asks; behind so many proxies of ours, what the farthest of them saw. */
export function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = trustedProxies > 0 ? [headers['x-forwarded-for'] ?? ''].flat().join() : '';
  const [farthest] = forwarded.split(/\s*,\s*/).slice(-Math.max(1, trustedProxies));
  return farthest || (socket.remoteAddress ?? '');
}

/** What one who asks has for himself: an IPv4 address, or the /64 network of an IPv6 address. */
export function ownNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [front = [], back = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}

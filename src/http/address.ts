import type { IncomingMessage } from 'node:http';

/** The address of who asks; behind so many proxies of ours, what the farthest of them saw. */
export function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = trustedProxies > 0 ? [headers['x-forwarded-for'] ?? ''].flat().join() : '';
  const [farthest] = forwarded.split(/\s*,\s*/).slice(-Math.max(1, trustedProxies));
  return farthest || (socket.remoteAddress ?? '');
}

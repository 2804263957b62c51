import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../model/account.ts';
import { StoreBusy, StoreUnavailable } from '../stores/errors.ts';
import type { KeyPlaces } from '../stores/relational/port.ts';

/** From where a request came. */
interface From {
  /** Empty: from this service itself. */
  ip: string;
  userAgent: string | undefined;
}

/** So long a place that was noted is not noted again. */
const freshMs = 12 * 60 * 60_000;

/**
 * Notes from which network and by which program a key is used, so that its organization is told of new ones; resolves when that is
 * noted. Where the store is away a request goes on, and the next one from there is noted.
 */
export function createKeyPlaces({
  places,
  peppers,
  report,
}: {
  places: KeyPlaces;
  /** The one in force, and the one before. */
  peppers: readonly [string, ...string[]];
  report: (error: unknown) => void;
}): (principal: Principal, from: From) => Promise<void> {
  const noted = new LRUCache<string, Promise<void>>({ max: 20_000, ttl: freshMs });
  const note = async ({ organization, api_key: key, member }: Principal, network: string, program: string) => {
    const digestUnder = (pepper: string) =>
      createHmac('sha256', pepper).update(`key place\n${key.id}\n${network}\n${program}`).digest();
    const [now, ...before] = peppers;
    await places.see({
      organizationId: organization.id,
      digests: [digestUnder(now), ...before.map(digestUnder)],
      data: { key_id: key.id, prefix: key.prefix, member_id: member.id, network, program },
    });
  };
  return async (principal, { ip, userAgent }) => {
    if (ip === '') return;
    const [network, program] = [networkOf(ip), programOf(userAgent)];
    const id = `${principal.api_key.id}\n${network}\n${program}`;
    let noting = noted.get(id);
    if (!noting) {
      noting = note(principal, network, program).catch((error: unknown) => {
        noted.delete(id);
        if (!(error instanceof StoreUnavailable || error instanceof StoreBusy)) report(error);
      });
      noted.set(id, noting);
    }
    await noting;
  };
}

/** Where an address is, and no more of whom it is: 256 addresses, of IPv6 what one site has. */
export function networkOf(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  const kind = isIP(address);
  if (kind === 0) return 'unknown';
  if (kind === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  const [front = [], back = []] = (address.split('%')[0] ?? '')
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const groups = address.includes('::')
    ? [...front, ...Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0'), ...back]
    : front;
  return `${groups
    .slice(0, 3)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/48`;
}

/** The name that a program gives itself, without its version and what it says of the machine. */
export const programOf = (userAgent: string | undefined): string =>
  /^[\w.!#$%&'*+^`|~-]{1,40}/.exec(userAgent ?? '')?.[0] ?? 'unknown';

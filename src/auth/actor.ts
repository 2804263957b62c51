import packageJson from '../../package.json' with { type: 'json' };
import type { Caller, RequestFacts } from '../http/route.ts';
import type { Origin } from '../model/account.ts';
import { plain } from '../model/plain.ts';

/** Whoever changes something, and from where. Both ids are null for an operator, at the machine itself. */
export interface Actor {
  memberId: string | null;
  keyId: string | null;
  origin: Origin;
}

/** Whoever runs the service, at its command line. */
export const operator: Actor = {
  memberId: null,
  keyId: null,
  origin: { via: 'cli', address: null, userAgent: `repo-intel/${packageJson.version}` },
};

const maxUserAgent = 200;

/** From where a request comes: its address as far as the proxies before us are believed, and what the client calls itself. */
export function originOf({ ip, headers }: Pick<RequestFacts, 'ip' | 'headers'>): Origin {
  const client = headers['user-agent'];
  return { via: 'api', address: ip, userAgent: client === undefined ? null : plain(client.slice(0, maxUserAgent)) };
}

/** Who asks, and from where. */
export const actorOf = (
  { member, api_key }: Pick<Caller, 'member' | 'api_key'>,
  request: Pick<RequestFacts, 'ip' | 'headers'>,
): Actor => ({ memberId: member.id, keyId: api_key.id, origin: originOf(request) });

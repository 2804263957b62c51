/** An address of a history, with the names that stand before it. */
export interface Identity {
  id: string;
  /** In small letters; without an `@` where nobody gave one. */
  address: string;
  names: readonly string[];
  bot: boolean;
  commits: number;
}

/** Why two addresses are one person's. */
export type SameBecause = 'same_name_same_domain' | 'same_name_noreply' | 'same_name_same_mailbox';
/** Why two addresses under one name are left apart. */
export type ApartBecause = 'two_forge_users' | 'apart_in_mailmap' | 'numbered_mailboxes';

/** One human's addresses, that with the most commits first, and what brought them together. */
export interface PersonGroup {
  identities: Identity[];
  because: SameBecause[];
}

/** Two addresses of one name, and what became of them; for those who check the rule. */
export interface Pairing {
  a: Identity;
  b: Identity;
  same: SameBecause | null;
  apart: ApartBecause | null;
}

/** Forges' own addresses, which name a user there: GitHub's, GitLab's, Codeberg's. */
const noreply = /^(?:\d+[+-])?([^@+]+)@(users\.noreply\.(?:github|gitlab)\.com|noreply\.codeberg\.org)$/;
/** Names of nobody, and of many. */
const nobody =
  /^(your name|first last|firstname lastname|(john|jane) doe|(unknown|test|git|root|github|admin|default) user|no name|no author|the \w+( \w+)*|.* (team|developers|contributors|maintainers))$/;
/** What pairs write. */
const several = /[&,+/]|\b(and|und|with)\b/i;
/** Mailboxes that anybody has. */
const anybody =
  /^(me|mail|email|e-mail|git|github|gitlab|dev|code|hi|hello|hey|info|contact|admin|root|oss|opensource|public|work|home|user|i|x)$/;
/** More addresses under one name are a name of many. */
const maxOfOneName = 40;

/**
 * Which addresses are one human's: under the same full name (first and last, accents and case aside), at the same domain, or one of
 * them a forge's no-reply address, or of the same mailbox elsewhere. Contradictions keep them apart: two users of one forge, two persons
 * that `.mailmap` tells apart (`declared` has the addresses that it maps others to), mailboxes of one domain that differ in a number. A
 * bot is never a person. The order of the identities changes nothing.
 */
export function personsOf(
  identities: readonly Identity[],
  declared: ReadonlySet<string>,
  onPair: (pairing: Pairing) => void = () => undefined,
): PersonGroup[] {
  const groups = new Map(identities.map((each) => [each.id, { identities: [each], because: [] as SameBecause[] }]));
  const byName = Map.groupBy(
    identities.flatMap((identity) => [...new Set(identity.names.map(fullName))].map((name) => ({ name, identity }))),
    ({ name }) => name,
  );
  for (const [name, of] of [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (name === '' || of.length < 2 || of.length > maxOfOneName) continue;
    const same = of.map(({ identity }) => identity).toSorted((a, b) => (a.address < b.address ? -1 : 1));
    for (const [index, a] of same.entries())
      for (const b of same.slice(index + 1)) {
        const [one, other] = [groups.get(a.id), groups.get(b.id)];
        if (one === undefined || other === undefined || a.bot || b.bot) continue;
        const reason = sameBecause(a, b);
        const apart = one === other ? null : apartBecause([...one.identities, ...other.identities, ...same], declared);
        onPair({
          a,
          b,
          same: apart === null ? reason : null,
          apart: apart ?? (reason === null ? numbered(a, b) : null),
        });
        if (reason === null || apart !== null || one === other) continue;
        one.identities.push(...other.identities);
        one.because.push(...other.because, reason);
        for (const { id } of other.identities) groups.set(id, one);
      }
  }
  return [...new Set(groups.values())].map((group) => ({
    identities: group.identities.toSorted((a, b) => b.commits - a.commits || (a.id < b.id ? -1 : 1)),
    because: [...new Set(group.because)].toSorted(),
  }));
}

/** The addresses that a mailmap maps others to: whom it tells apart are not one. */
export function declaredIn(mailmap: string): Set<string> {
  const declared = new Set<string>();
  for (const line of mailmap.split('\n')) {
    const addresses = [...line.replace(/^\s*#.*/, '').matchAll(/<([^<>]{1,200})>/g)].map(([, each = '']) => each);
    if (addresses.length === 2) declared.add((addresses[0] ?? '').trim().toLowerCase());
  }
  return declared;
}

/** First and last name at least; empty where it is less, nobody's, or of several. */
function fullName(name: string): string {
  if (several.test(name)) return '';
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return !/ \S{2,}$/.test(plain) || nobody.test(plain) ? '' : plain;
}

function partsOf(address: string) {
  const [, user, forge] = noreply.exec(address) ?? [];
  const at = address.lastIndexOf('@');
  return {
    user: user === undefined ? null : `${user}@${forge}`,
    mailbox: address.slice(0, Math.max(0, at)).replace(/\+.*/, ''),
    domain: at === -1 ? null : address.slice(at + 1),
  };
}

function sameBecause(a: Identity, b: Identity): SameBecause | null {
  const [one, other] = [partsOf(a.address), partsOf(b.address)];
  if (one.domain === null || other.domain === null) return null;
  if (one.user !== null || other.user !== null) return 'same_name_noreply';
  if (one.domain === other.domain) return numbered(a, b) === null ? 'same_name_same_domain' : null;
  return one.mailbox === other.mailbox && !anybody.test(one.mailbox) ? 'same_name_same_mailbox' : null;
}

/** Who gets an account where the name is taken gets a number. */
function numbered(a: Identity, b: Identity): ApartBecause | null {
  const [one, other] = [partsOf(a.address), partsOf(b.address)];
  const bare = (mailbox: string) => mailbox.replace(/(?<!\d)\d{1,9}$/, '');
  return one.domain === other.domain && one.mailbox !== other.mailbox && bare(one.mailbox) === bare(other.mailbox)
    ? 'numbered_mailboxes'
    : null;
}

function apartBecause(all: readonly Identity[], declared: ReadonlySet<string>): ApartBecause | null {
  const users = new Map<string, string>();
  for (const { address } of all) {
    const { user, domain } = partsOf(address);
    if (user === null || domain === null) continue;
    if ((users.get(domain) ?? user) !== user) return 'two_forge_users';
    users.set(domain, user);
  }
  return new Set(all.map(({ address }) => address).filter((address) => declared.has(address))).size > 1
    ? 'apart_in_mailmap'
    : null;
}

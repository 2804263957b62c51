import type { Organization } from '../model/account.ts';
import { keyOf } from '../model/repository-key.ts';
import type { RelationalStore } from '../stores/relational/port.ts';

type Accounts = Pick<RelationalStore, 'accounts'>;

/** Whose repositories bear their bare names; made at the first start. */
const usual = 'default';

/**
 * The organization that a command works for: the one named; else `default`, or the only one. Where there is none yet it is made.
 * Throws one sentence where it can't be told.
 */
export async function organizationOf(relational: Accounts, slug: string | undefined): Promise<Organization> {
  const found = await findOrganization(relational, slug);
  return found ?? relational.accounts.ensureOrganization({ slug: slug ?? usual, name: slug ?? usual });
}

/** The same; null where there is none yet. */
export async function findOrganization({ accounts }: Accounts, slug: string | undefined): Promise<Organization | null> {
  const all = await accounts.organizations();
  const found = all.find((each) => each.slug === (slug ?? usual));
  if (found) return found;
  const [only, ...others] = all;
  if (!only) return null;
  if (slug === undefined && others.length === 0) return only;
  const known = `There ${others.length === 0 ? 'is' : 'are'} ${all.map((each) => each.slug).join(', ')}`;
  throw new Error(
    slug === undefined
      ? `Say for which organization, with --organization or RIS_ORGANIZATION. ${known}.`
      : `There is no organization ${slug}. ${known}.`,
  );
}

/** The key that `claim` will give where there is no organization yet; for who can't wait until it has. */
export const firstKeyOf = (slug: string | undefined, name: string): string =>
  (slug ?? usual) === usual ? name : keyOf(slug ?? usual, name);

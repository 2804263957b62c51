import type { Organization } from '../model/account.ts';
import type { RelationalStore } from '../stores/relational/port.ts';

/** Whose repositories bear their bare names; made at the first start. */
const usual = 'default';

/**
 * The organization that a command works for: the one named; else `default`, or the only one. Where there is none yet it is made.
 * Throws one sentence where it can't be told.
 */
export async function organizationOf(
  { accounts }: Pick<RelationalStore, 'accounts'>,
  slug: string | undefined,
): Promise<Organization> {
  const all = await accounts.organizations();
  if (all.length === 0) return accounts.ensureOrganization({ slug: slug ?? usual, name: slug ?? usual });
  const found = all.find((each) => each.slug === (slug ?? usual));
  if (found) return found;
  const [only, ...others] = all;
  if (slug === undefined && only && others.length === 0) return only;
  const known = `There ${others.length === 0 ? 'is' : 'are'} ${all.map((each) => each.slug).join(', ')}`;
  throw new Error(
    slug === undefined
      ? `Say for which organization, with --organization or RIS_ORGANIZATION. ${known}.`
      : `There is no organization ${slug}. ${known}.`,
  );
}

import type { Stores } from '../../src/stores/open.ts';

/** Has the organization `default` own these repositories and share them, so that whoever a test asks as sees them. */
export async function shareWithAll(
  { relational }: Pick<Stores, 'relational'>,
  names: readonly string[],
): Promise<void> {
  const { id } = await relational.accounts.ensureOrganization({ slug: 'default', name: 'default' });
  for (const name of names) await relational.repositories.share(await relational.repositories.claim(id, name), true);
}

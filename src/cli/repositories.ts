import type { Organization } from '../model/account.ts';
import type { OwnedRepository, RelationalStore, StoredSnapshot } from '../stores/relational/port.ts';

/** A repository that is loaded, as an organization sees it. */
export interface ListedRepository extends StoredSnapshot {
  /** What it is called there: its name for its owner, its key for others. */
  name: string;
  /** Of its owner. */
  organization: string;
  shared: boolean;
  own: boolean;
}

type Relational = Pick<RelationalStore, 'accounts' | 'repositories' | 'snapshots'>;

/** The loaded repositories that an organization sees, by key; of all where none is given, each by what its owner calls it. */
export async function listRepositories(
  { repositories, snapshots }: Pick<Relational, 'repositories' | 'snapshots'>,
  organization: Pick<Organization, 'id'> | null,
): Promise<ListedRepository[]> {
  const [owned, stored] = await Promise.all([repositories.list(), snapshots.list()]);
  const named = organization === null ? namedForAll(owned) : namedFor(owned, organization.id);
  return stored.flatMap((each) => {
    const found = named.get(each.repository);
    if (!found) return [];
    const { name, organization_slug: slug, shared, organization_id: id } = found;
    return [{ ...each, name, organization: slug, shared, own: id === organization?.id }];
  });
}

/** What whoever runs the service calls each repository: its name where there is one owner, else its key. */
export async function shownNames({ repositories }: Pick<Relational, 'repositories'>): Promise<(key: string) => string> {
  const named = namedForAll(await repositories.list());
  return (key) => named.get(key)?.name ?? key;
}

/** The key of what an organization calls so: its own, or one that is shared. */
export async function keyOfNamed(
  { repositories }: Pick<Relational, 'repositories'>,
  { id }: Organization,
  name: string,
  { own = false } = {},
): Promise<string | null> {
  const found = [...namedFor(await repositories.list(), id).values()].find((each) => each.name === name);
  return found && (!own || found.organization_id === id) ? found.key : null;
}

/** By key what an organization sees, called as there. */
export function namedFor(owned: readonly OwnedRepository[], organizationId: string): Map<string, OwnedRepository> {
  const isOwn = (each: OwnedRepository) => each.organization_id === organizationId;
  const names = new Set(owned.filter(isOwn).map(({ name }) => name));
  const visible = owned.flatMap((each) => {
    if (isOwn(each)) return [each];
    // What is its own hides what another calls so.
    return each.shared && !names.has(each.key) ? [{ ...each, name: each.key }] : [];
  });
  return new Map(visible.map((each) => [each.key, each]));
}

function namedForAll(owned: readonly OwnedRepository[]): Map<string, OwnedRepository> {
  const owners = new Set(owned.map((each) => each.organization_id));
  return new Map(owned.map((each) => [each.key, owners.size > 1 ? { ...each, name: each.key } : each]));
}

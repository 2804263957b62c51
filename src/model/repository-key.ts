/** Between an organization's slug and a repository's name: neither has it. */
const separator = '~';

/** What a repository is kept under that doesn't have its bare name for a key: `acme~payments`. */
export const keyOf = (slug: string, name: string): string => `${slug}${separator}${name}`;

/** What its owner calls it: `payments`. */
export const nameOfKey = (key: string): string => key.slice(key.indexOf(separator) + 1);

/** Whether a new repository may be called so. */
export const isRepositoryName = (name: string): boolean => !name.includes(separator);

/**
 * What is not committed yet is kept under a key that nobody can claim, so that nobody sees it who does not ask for it:
 * `.acme.5f2c~payments` of `acme~payments`, and a digest of where it lies.
 */
export const workingTreeKey = (key: string, place: string): string =>
  keyOf(`.${key.includes(separator) ? key.slice(0, key.indexOf(separator)) : ''}.${place}`, nameOfKey(key));

/** The key of the repository that this is a working tree of; null of one that is none. */
export function committedKey(key: string): string | null {
  const [, slug, name = ''] = /^\.([^.]*)\.[^~]*~(.*)$/.exec(key) ?? [];
  if (slug === undefined) return null;
  return slug === '' ? name : keyOf(slug, name);
}

/** Between an organization's slug and a repository's name: neither has it. */
const separator = '~';

/** What a repository is kept under that doesn't have its bare name for a key: `acme~payments`. */
export const keyOf = (slug: string, name: string): string => `${slug}${separator}${name}`;

/** What its owner calls it: `payments`. */
export const nameOfKey = (key: string): string => key.slice(key.indexOf(separator) + 1);

/** Whether a new repository may be called so. */
export const isRepositoryName = (name: string): boolean => !name.includes(separator);

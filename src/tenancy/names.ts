import { repositoryOf } from '../stores/graph/repository-of.ts';

/** A repository that an organization sees. */
export interface VisibleRepository {
  /** What stores call it: nobody else's has the same. */
  key: string;
  /** What its owner calls it. */
  name: string;
  /** Of the organization that looks. */
  own: boolean;
}

/** What one caller sees, and by which names; stores know repositories by their keys. */
export interface Names {
  /** By code point. */
  readonly keys: readonly string[];
  /** By name, by code point. */
  readonly shown: readonly { name: string; own: boolean }[];
  /** Whether each repository is shown by its key, so that there is nothing to translate. */
  readonly areKeys: boolean;
  /** Whether it is one of the keys. */
  has(key: string): boolean;
  /** Of what is shown by this name; `noKey` where nothing is. */
  keyOf(name: string): string;
  /** Of one of the keys. */
  nameOf(key: string): string;
  /** The id of a node as stores have it, of one as it is shown; one that no node has where the repository is not shown. */
  storedId(id: string): string;
  /** The other way. */
  shownId(id: string): string;
}

/** No repository has it, so that an unknown name and another's are asked for alike. */
export const noKey = '~';

/** An own repository is shown by its name; another's by its key, unless an own one is called so. */
export function namesOf(visible: readonly VisibleRepository[], restrictedTo: readonly string[] | null = null): Names {
  const own = new Set(visible.flatMap((each) => (each.own ? [each.name] : [])));
  const shown = visible
    .filter((each) => each.own || !own.has(each.key))
    .map(({ key, name, own: isOwn }) => ({ key, name: isOwn ? name : key, own: isOwn }))
    .filter(({ name }) => restrictedTo === null || restrictedTo.includes(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const keys = new Map(shown.map(({ key, name }) => [name, key]));
  const names = new Map(shown.map(({ key, name }) => [key, name]));
  const keyOf = (name: string) => keys.get(name) ?? noKey;
  const nameOf = (key: string) => names.get(key) ?? key;
  const within = (id: string, translate: (repository: string) => string) => {
    const repository = repositoryOf(id);
    return translate(repository) + id.slice(repository.length);
  };
  return {
    keys: shown.map(({ key }) => key).toSorted(),
    shown: shown.map(({ name, own: isOwn }) => ({ name, own: isOwn })),
    areKeys: shown.every(({ key, name }) => key === name),
    has: (key) => names.has(key),
    keyOf,
    nameOf,
    storedId: (id) => (isContributor(id) ? id : within(id, keyOf)),
    shownId: (id) => within(id, nameOf),
  };
}

/** Contributors belong to no repository; a repository's name has no colon behind this word. */
const isContributor = (id: string) => /^contributor:[0-9a-f]+$/.test(id);

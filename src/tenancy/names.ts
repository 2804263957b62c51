import { repositoryOf } from '../model/repository-of.ts';
import type { VisibleRepository } from '../stores/relational/port.ts';

/** What one caller sees, and by which names; stores know repositories by their keys. */
export interface Names {
  /** By code point. */
  readonly keys: readonly string[];
  /** By name, by code point. */
  readonly shown: readonly Shown[];
  /** Whether it is one of the keys. */
  has(key: string): boolean;
  /** Of the loaded repository that is shown by this name, or has it for its full name; `noKey` where none does. */
  keyOf(name: string): string;
  /** The name that is shown of what may be asked for by its full name; of what is not shown, as it was asked for. */
  shownName(name: string): string;
  /** The same of one that tasks were minted from. */
  taskKeyOf(name: string): string;
  /** Of one of the keys. */
  nameOf(key: string): string;
  /** `owner/name` of what is shown by this name; null where it is not known. */
  fullNameOf(name: string): string | null;
  /** The id of a node as stores have it, of one as it is shown; one that no node has where the repository is not shown. */
  storedId(id: string): string;
  /** The other way. */
  shownId(id: string): string;
}

/** No repository has it, so that an unknown name and another's are asked for alike. */
export const noKey = '~';

/** A repository under the name that the caller sees. */
type Shown = Omit<VisibleRepository, 'shared'>;

/** An own repository is shown by its name; another's by its key, unless an own one is called so. */
export function namesOf(visible: readonly VisibleRepository[], restrictedTo: readonly string[] | null = null): Names {
  const shown = shownOf(visible, restrictedTo);
  // Tasks are minted from a history, not from what is loaded: the benchmark calls a repository by its full name.
  const [minted = [], loaded = []] = [true, false].map((isMinted) =>
    shown.filter(({ name }) => name.includes('/') === isMinted),
  );
  const names = new Map(shown.map(({ key, name }) => [key, name]));
  const keyOf = finder(loaded);
  const nameOf = (key: string) => names.get(key) ?? key;
  const fullNames = new Map(loaded.map(({ name, full_name }) => [name, full_name]));
  const mintedKeyOf = finder(minted);
  const within = (id: string, translate: (repository: string) => string) => {
    const repository = repositoryOf(id);
    return translate(repository) + id.slice(repository.length);
  };
  return {
    keys: shown.map(({ key }) => key).toSorted(),
    shown,
    has: (key) => names.has(key),
    keyOf,
    taskKeyOf(name) {
      const key = mintedKeyOf(name);
      return key === noKey ? mintedKeyOf(fullNames.get(name) ?? noKey) : key;
    },
    nameOf,
    fullNameOf: (name) => fullNames.get(name) ?? null,
    shownName: (name) => names.get(keyOf(name)) ?? name,
    storedId(id) {
      if (isContributor(id)) return id;
      // A full name has a slash, as ids have behind the repository's.
      const [fullName = ''] = /^[^/]*\/[^/]*/.exec(id) ?? [];
      return keyOf(fullName) === noKey ? within(id, keyOf) : keyOf(fullName) + id.slice(fullName.length);
    },
    shownId: (id) => within(id, nameOf),
  };
}

function shownOf(visible: readonly VisibleRepository[], restrictedTo: readonly string[] | null): Shown[] {
  const own = new Set(visible.flatMap((each) => (each.own ? [each.name] : [])));
  const shown = visible
    .filter((each) => each.own || !own.has(each.key))
    .map(({ key, name, full_name, own: isOwn }) => ({ key, name: isOwn ? name : key, full_name, own: isOwn }));
  const allowed = restrictedTo && new Set(restrictedTo);
  // Who is restricted to a repository may also see what was minted from it.
  const alsoAllowed = new Set(shown.flatMap(({ name, full_name }) => (allowed?.has(name) ? [full_name] : [])));
  return shown
    .filter(({ name }) => allowed === null || allowed.has(name) || alsoAllowed.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Finds by the name that is shown, else by the full name where it is of one alone; an own one goes before those of others. */
function finder(repositories: readonly Shown[]): (name: string) => string {
  const byName = new Map(repositories.map(({ key, name }) => [name, key]));
  const byFullName = Map.groupBy(repositories, ({ full_name }) => full_name);
  return (name) => {
    const alike = byFullName.get(name) ?? [];
    const own = alike.filter((each) => each.own);
    const [only, ...more] = own.length > 0 ? own : alike;
    return byName.get(name) ?? (only && more.length === 0 ? only.key : noKey);
  };
}

/** Contributors belong to no repository; a repository's name has no colon behind this word. */
const isContributor = (id: string) => /^contributor:[0-9a-f]+$/.test(id);

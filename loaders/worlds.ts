import type { RepositoryInfo } from '../src/model/snapshot.ts';
import type { OwnedRepository } from '../src/stores/relational/port.ts';
import { committedKey } from '../src/model/repository-key.ts';
import { repositoryOf } from '../src/model/repository-of.ts';
import { linkRepositories } from './link.ts';
import { usageByRepository } from './usage.ts';
import { wantedLinks, type WantedLinks } from './wanted-links.ts';

/** A kept repository as its owner and others see it. */
export interface Placed {
  info: RepositoryInfo;
  /** Null where nobody has claimed it. */
  owner: string | null;
  /** Every organization may read it. */
  shared: boolean;
}

/** Says whose each of these is. */
export function placed(repositories: readonly RepositoryInfo[], owned: readonly OwnedRepository[]): Placed[] {
  const byKey = new Map(owned.map((each) => [each.key, each]));
  return repositories.map((info) => {
    const of = byKey.get(info.name);
    return { info, owner: of?.organization_id ?? null, shared: of?.shared ?? false };
  });
}

/**
 * What leads from each repository to others: looked for among those of its own owner and the shared ones. What leads from one shared
 * repository to another is looked for among the shared ones alone: it is shown to all.
 */
export function linksByWorld(kept: readonly Placed[]): WantedLinks[] {
  const { repositories, workingTrees } = told(kept);
  const links = new Map(linksOfCommitted(repositories).map((each) => [each.repository, each]));
  for (const { tree, all } of workingTrees) {
    const others = new Map(wantedLinks(all.map(({ info }) => info)).map((each) => [each.repository, each.generation]));
    for (const wanted of wantedLinks([...all, tree].map(({ info }) => info))) {
      const { repository } = wanted;
      const known = links.get(repository);
      if (repository === tree.info.name) links.set(repository, wanted);
      // What leads to it beside what leads to the commit: who sees the one does not see the other.
      else if (known && others.get(repository) !== wanted.generation)
        links.set(
          repository,
          both(known, wanted, (key) => key !== tree.info.name),
        );
    }
  }
  return [...links.values()];
}

function linksOfCommitted(repositories: readonly Placed[]): WantedLinks[] {
  const shared = new Set(repositories.flatMap((each) => (each.shared ? [each.info.name] : [])));
  const common = new Map(
    wantedLinks(repositories.flatMap((each) => (each.shared ? [each.info] : []))).map((each) => [
      each.repository,
      each,
    ]),
  );
  return worldsOf(repositories).flatMap(({ own, all }) => {
    const names = new Set(own.map(({ info }) => info.name));
    return wantedLinks(all.map(({ info }) => info))
      .filter(({ repository }) => names.has(repository))
      .map((wanted) => {
        const shownToAll = common.get(wanted.repository);
        return shownToAll ? both(shownToAll, wanted, (key) => shared.has(key)) : wanted;
      });
  });
}

/** What is shown to all, and what leads to those that fewer see: the owner's private repositories, a working tree. */
function both(shownToAll: WantedLinks, inOwnWorld: WantedLinks, isKnown: (key: string) => boolean): WantedLinks {
  // None of those plays a part.
  if (shownToAll.generation === inOwnWorld.generation) return shownToAll;
  return {
    repository: shownToAll.repository,
    generation: `${shownToAll.generation} ${inOwnWorld.generation}`,
    edges: async (boundaryOf) => [
      ...(await shownToAll.edges(boundaryOf)),
      ...(await inOwnWorld.edges(boundaryOf)).filter(({ to }) => !isKnown(repositoryOf(to))),
    ],
  };
}

/**
 * How many others need each repository, rounded. Counted are those of its own owner; of a shared one the shared ones alone, as its
 * number is shown to all: no number tells anybody else of a private repository.
 */
export function usageByWorld(kept: readonly Placed[]): Map<string, number> {
  const { repositories, workingTrees } = told(kept);
  const counted = worldsOf(repositories).flatMap(({ owner, all }) => usesOf(all, owner));
  // A working tree is used as its commit is, and uses nothing.
  const ofTrees = workingTrees.flatMap(({ tree, all }) =>
    usesOf([...all, tree], tree.owner).filter(({ to }) => to === tree.info.name),
  );
  return usageByRepository([...counted, ...ofTrees]);
}

function usesOf(all: readonly Placed[], owner: string | null) {
  const placeOf = new Map(all.map((each) => [each.info.name, each]));
  return linkRepositories(all.map(({ info }) => info)).filter(({ from, to }) => {
    const [user, used] = [placeOf.get(from), placeOf.get(to)];
    return used?.owner === owner && (used.shared ? user?.shared : user?.owner === owner);
  });
}

/**
 * Repositories, and the working trees of some of them: each belongs to the owner of its repository, and stands in its place among
 * all that this one sees.
 */
function told(kept: readonly Placed[]) {
  const repositories = kept.filter(({ info }) => committedKey(info.name) === null);
  const byKey = new Map(repositories.map((each) => [each.info.name, each]));
  const workingTrees = kept.flatMap(({ info }) => {
    const committed = byKey.get(committedKey(info.name) ?? '');
    if (!committed) return [];
    const { owner, shared } = committed;
    const all = repositories.filter((each) => each !== committed && (each.owner === owner || each.shared));
    return [{ tree: { info, owner, shared }, all }];
  });
  return { repositories, workingTrees };
}

/** For each owner what is theirs, and what they see: that, and what others share. */
function worldsOf(repositories: readonly Placed[]): { owner: string | null; own: Placed[]; all: Placed[] }[] {
  return [...Map.groupBy(repositories, ({ owner }) => owner)].map(([owner, own]) => ({
    owner,
    own,
    all: repositories.filter((each) => each.owner === owner || each.shared),
  }));
}

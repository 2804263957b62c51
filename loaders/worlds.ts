import type { RepositoryInfo } from '../src/model/snapshot.ts';
import type { OwnedRepository } from '../src/stores/relational/port.ts';
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
export function linksByWorld(repositories: readonly Placed[]): WantedLinks[] {
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

/** What is shown to all, and what leads to the owner's private repositories. */
function both(shownToAll: WantedLinks, inOwnWorld: WantedLinks, isShared: (key: string) => boolean): WantedLinks {
  // The owner has no private one that plays a part.
  if (shownToAll.generation === inOwnWorld.generation) return shownToAll;
  return {
    repository: shownToAll.repository,
    generation: `${shownToAll.generation} ${inOwnWorld.generation}`,
    edges: async (boundaryOf) => [
      ...(await shownToAll.edges(boundaryOf)),
      ...(await inOwnWorld.edges(boundaryOf)).filter(({ to }) => !isShared(repositoryOf(to))),
    ],
  };
}

/**
 * How many others need each repository, rounded. Counted are those of its own owner; of a shared one the shared ones alone, as its
 * number is shown to all: no number tells anybody else of a private repository.
 */
export function usageByWorld(repositories: readonly Placed[]): Map<string, number> {
  const counted = worldsOf(repositories).flatMap(({ owner, all }) => {
    const placeOf = new Map(all.map((each) => [each.info.name, each]));
    return linkRepositories(all.map(({ info }) => info)).filter(({ from, to }) => {
      const [user, used] = [placeOf.get(from), placeOf.get(to)];
      return used?.owner === owner && (used.shared ? user?.shared : user?.owner === owner);
    });
  });
  return usageByRepository(counted);
}

/** For each owner what is theirs, and what they see: that, and what others share. */
function worldsOf(repositories: readonly Placed[]): { owner: string | null; own: Placed[]; all: Placed[] }[] {
  return [...Map.groupBy(repositories, ({ owner }) => owner)].map(([owner, own]) => ({
    owner,
    own,
    all: repositories.filter((each) => each.owner === owner || each.shared),
  }));
}

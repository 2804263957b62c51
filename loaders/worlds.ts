import type { RepositoryInfo } from '../src/model/snapshot.ts';
import type { OwnedRepository } from '../src/stores/relational/port.ts';
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

/** What leads from each repository to others: looked for among those of its own owner and the shared ones. */
export function linksByWorld(repositories: readonly Placed[]): WantedLinks[] {
  return worldsOf(repositories).flatMap(({ own, all }) => {
    const names = new Set(own.map(({ info }) => info.name));
    return wantedLinks(all.map(({ info }) => info)).filter(({ repository }) => names.has(repository));
  });
}

/**
 * How many others need each repository, rounded. Counted are those of its own owner, and of a shared one
 * the other shared ones: no number tells of another's private repositories.
 */
export function usageByWorld(repositories: readonly Placed[]): Map<string, number> {
  const counted = worldsOf(repositories).flatMap(({ owner, all }) => {
    const placeOf = new Map(all.map((each) => [each.info.name, each]));
    return linkRepositories(all.map(({ info }) => info)).filter(({ from, to }) => {
      const [user, used] = [placeOf.get(from), placeOf.get(to)];
      return used?.owner === owner && (user?.owner === owner || used.shared);
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

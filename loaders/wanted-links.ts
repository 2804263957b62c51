import { createHash } from 'node:crypto';
import type { GraphEdge } from '../src/model/graph.ts';
import type { Boundary, RepositoryInfo } from '../src/model/snapshot.ts';
import { linkerVersion } from './analyzer-version.ts';
import { linkRepositories } from './link.ts';
import { addEdge, linkSymbols, type Provider } from './link-symbols.ts';

/** What should lead from one repository to others. */
export interface WantedLinks {
  repository: string;
  /** Made from all that the edges are made from. */
  generation: string;
  /** Makes them; a repository's boundary is only asked for where it is needed. */
  edges(boundaryOf: (repository: string) => Promise<Boundary | null>): Promise<GraphEdge[]>;
}

/** The links of every repository: by manifests and requests, and to the symbols of those that it depends on. */
export function wantedLinks(repositories: readonly RepositoryInfo[]): WantedLinks[] {
  const fingerprints = new Map(repositories.map(({ name, fingerprint }) => [name, fingerprint]));
  const byRepository = Map.groupBy(linkRepositories(repositories), ({ from }) => from);
  const providersOf = (name: string) =>
    (byRepository.get(name) ?? []).filter(({ type }) => type === 'DEPENDS_ON').map(({ to }) => to);
  return repositories.map(({ name }) => {
    const between = byRepository.get(name) ?? [];
    const providers = providersOf(name);
    const reached = reachedFrom(providers, providersOf);
    const made = [linkerVersion, between, ...[name, ...reached].map((each) => fingerprints.get(each))];
    return {
      repository: name,
      generation: createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 32),
      async edges(boundaryOf) {
        const references = providers.length > 0 ? ((await boundaryOf(name))?.references ?? []) : [];
        const surfaces: Provider[] = [];
        for (const provider of references.length > 0 ? reached : []) {
          const surface = (await boundaryOf(provider))?.surface;
          if (surface) surfaces.push({ repository: provider, surface });
        }
        const direct = surfaces.filter(({ repository }) => providers.includes(repository));
        // A call by a request and one by an import are one edge.
        const edges = new Map<string, GraphEdge>();
        for (const edge of [...between, ...linkSymbols(name, references, direct, surfaces)])
          addEdge(edges, { ...edge });
        return [...edges.values()];
      },
    };
  });
}

/** What lies further is not looked for: a class that inherits through more repositories than these. */
const furthest = 3;

/** These and what they depend on in turn. */
function reachedFrom(providers: readonly string[], providersOf: (name: string) => readonly string[]): Set<string> {
  const reached = new Set(providers);
  let last: Iterable<string> = providers;
  for (let distance = 1; distance < furthest; distance++) {
    last = new Set([...last].flatMap(providersOf).filter((each) => !reached.has(each)));
    for (const each of last) reached.add(each);
  }
  return reached;
}

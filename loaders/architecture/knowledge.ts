import { maxListed } from '../../src/model/architecture.ts';
import type { Knowledge } from '../../src/model/architecture.ts';
import type { Components } from './components.ts';

/** Who knows the files of each component, by sets of authors. */
export function knowledgeByComponent(
  components: Components,
  files: readonly { path: string; lines: number }[],
  authorsOf: ReadonlyMap<string, readonly string[]>,
): Knowledge {
  const groups = components.list.map(() => new Map<string, Knowledge[number]['groups'][number]>());
  for (const { path, lines } of files) {
    const authors = [...(authorsOf.get(path) ?? [])];
    const ofComponent = groups[components.of.get(path) ?? -1];
    const key = authors.join(' ');
    const group = ofComponent?.get(key) ?? { authors, files: 0, lines: 0, largest: [] };
    ofComponent?.set(key, group);
    group.files += 1;
    group.lines += lines;
    group.largest.push({ path, lines });
  }
  return components.list.map(({ name }, index) => ({
    component: name,
    groups: [...(groups[index] ?? [])]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, group]) => ({
        ...group,
        largest: group.largest
          .sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1))
          .slice(0, maxListed.files),
      })),
  }));
}

import { firstOf, maxListed } from '../../src/model/architecture.ts';
import type { Architecture, Knowledge } from '../../src/model/architecture.ts';
import { stronglyConnected } from '../../src/model/strongly-connected.ts';
import type { Document } from '../facts/document.ts';
import { languageOf } from '../languages/index.ts';
import type { Contributor } from '../snapshot/contributors.ts';
import type { HistoryFacts } from '../metrics/history-facts.ts';
import type { MeasuredFile } from '../metrics/metric.ts';
import { knowledgeOf } from '../metrics/people.ts';
import type { FileImport } from '../facts/file-import.ts';
import type { ResolvedEdge } from '../resolution/resolution.ts';
import { changeCoupling, coChangesOf, rounded, unstableInterfaces } from './change-coupling.ts';
import { componentsOf, configurationPath } from './components.ts';
import type { Components } from './components.ts';
import { dependenciesOf, isOfTypesAlone, weightOf } from './dependencies.ts';
import type { Dependencies, Dependency } from './dependencies.ts';
import { knowledgeByComponent } from './knowledge.ts';

/** All that the architecture is worked out from. */
export interface ArchitectureInput {
  /** Source that figures about code count, tests too. */
  files: readonly MeasuredFile[];
  /** Every file of the tree. */
  paths: readonly string[];
  text(path: string): string | null;
  imports: readonly FileImport[];
  /** Who calls and extends whom; null where nobody resolved it. */
  graph: { documents: readonly Document[]; edges: Iterable<ResolvedEdge> } | null;
  history: HistoryFacts | null;
  contributors: readonly Contributor[];
  /** The clone does not have all of its history. */
  shallow: boolean;
  /** Paths of what production imports among tests and the code of others, and that imports production. */
  ownAmongOthers: ReadonlyMap<string, { lines: number; functions: number }>;
  deadCode: Architecture['dead_code'];
}

const manyComponents = 5;
const largeShare = 0.25;

/** What a repository is made of, how the parts depend on each other, and who knows them; pure, and linear in what it is given. */
export function architectureOf(input: ArchitectureInput): {
  architecture: Architecture;
  knowledge: Knowledge;
  warnings: readonly string[];
} {
  const { history, shallow, ownAmongOthers, graph } = input;
  const production = productionFiles(input);
  const components = componentsOf(production, input.paths, input.text(configurationPath));
  const dependencies = dependenciesOf(components, input.imports, graph);
  const nameOf = (path: string) => components.list[components.of.get(path) ?? -1]?.name ?? null;
  const tests = new Set(input.files.flatMap(({ path, test }) => (test ? [path] : [])));
  const known = shallow ? null : history;
  const coChanges = known && coChangesOf(known, (path) => components.of.has(path) || tests.has(path));
  const wire = (edge: Dependency) => edgeOf(components, edge, graph !== null);
  const { list, cycles } = figuresOf(components, dependencies, production, graph !== null);
  const architecture: Architecture = {
    made_of: components.madeOf,
    basis: graph === null ? ['imports'] : ['imports', 'calls', 'inherits'],
    components: firstOf(list, maxListed.components),
    edges: firstOf(dependencies.edges.map(wire), maxListed.edges),
    cycles: firstOf(
      cycles.map(({ members, edges }) => ({
        components: members.map((each) => components.list[each]?.name ?? ''),
        edges: firstOf(edges.map(wire), maxListed.cycleEdges),
      })),
      maxListed.cycles,
    ),
    file_cycles: fileCycles(dependencies),
    god_components: godComponents(list, dependencies, components),
    unstable_interfaces: coChanges
      ? unstableInterfaces(coChanges, nameOf, dependencies.imported)
      : { total: 0, items: [] },
    change_coupling: coChanges && changeCoupling(coChanges, nameOf, dependencies.linked),
    dead_code: input.deadCode,
    ambiguous_imports: dependencies.ambiguous,
    own_among_others: firstOf([...ownAmongOthers.keys()].sort(), maxListed.files),
  };
  const knowledge =
    known === null
      ? []
      : knowledgeByComponent(
          components,
          production,
          knowledgeOf({ history: known, files: production, contributors: input.contributors }),
        );
  return { architecture, knowledge, warnings: components.warnings };
}

interface ProductionFile {
  path: string;
  lines: number;
  functions: number;
}

function productionFiles({ files, ownAmongOthers }: ArchitectureInput): ProductionFile[] {
  const production = files.flatMap(({ path, test, measures }) =>
    test ? [] : [{ path, lines: measures.code, functions: measures.functions?.length ?? 0 }],
  );
  const all = [...production, ...[...ownAmongOthers].map(([path, counts]) => ({ path, ...counts }))];
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function edgeOf(
  { list }: Components,
  { from, to, imports, types, calls, inherits, example }: Dependency,
  isResolved: boolean,
): Architecture['edges']['items'][number] {
  return {
    from: list[from]?.name ?? '',
    to: list[to]?.name ?? '',
    imports,
    types,
    calls: isResolved ? calls : null,
    inherits: isResolved ? inherits : null,
    example,
  };
}

type ComponentFigures = Architecture['components']['items'];

/** Each component with its figures, the most lines first, and the cycles among them. */
function figuresOf(
  { list, of }: Components,
  { edges, inside, outside }: Dependencies,
  production: readonly ProductionFile[],
  isResolved: boolean,
): { list: ComponentFigures; cycles: { members: number[]; edges: Dependency[] }[] } {
  const next = new Map<number, number[]>();
  // Where files of a package see each other without an import, imports alone don't say what holds together.
  const silent = new Set(
    production.flatMap(({ path }) => (languageOf(path)?.semantics.packageScope === 'none' ? [] : [of.get(path)])),
  );
  const tellsInside = (index: number) => isResolved || !silent.has(index);
  const counted = list.map(() => ({ files: 0, lines: 0, functions: 0, usedBy: 0, uses: 0 }));
  for (const { path, lines, functions } of production) {
    const each = counted[of.get(path) ?? -1];
    if (!each) continue;
    each.files += 1;
    each.lines += lines;
    each.functions += functions;
  }
  for (const edge of edges) {
    const [from, to] = [counted[edge.from], counted[edge.to]];
    if (from) from.uses += 1;
    if (to) to.usedBy += 1;
    if (isOfTypesAlone(edge)) continue;
    const targets = next.get(edge.from);
    if (targets) targets.push(edge.to);
    else next.set(edge.from, [edge.to]);
  }
  const circles = stronglyConnected(next)
    .map((members) => members.sort((a, b) => a - b))
    .sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  const cycleOf = new Map(circles.flatMap((members, index) => members.map((each) => [each, index] as const)));
  const depths = depthsOf(list.length, next, cycleOf);
  const figures = list.map(({ name, paths }, index) => {
    const { usedBy = 0, uses = 0, ...counts } = counted[index] ?? { files: 0, lines: 0, functions: 0 };
    const [stay, leave] = [inside[index] ?? 0, outside[index] ?? 0];
    const cycle = cycleOf.get(index);
    return {
      name,
      paths: [...paths],
      ...counts,
      used_by: usedBy,
      uses,
      instability: usedBy + uses === 0 ? null : rounded(uses / (usedBy + uses)),
      cohesion: stay + leave === 0 || !tellsInside(index) ? null : rounded(stay / (stay + leave)),
      depth: depths[index] ?? 0,
      cycle: cycle === undefined ? null : cycle + 1,
    };
  });
  const cycles = circles.map((members, index) => ({
    members,
    edges: edges
      .filter((edge) => cycleOf.get(edge.from) === index && cycleOf.get(edge.to) === index && !isOfTypesAlone(edge))
      .toReversed()
      .sort((a, b) => weightOf(a) - weightOf(b) || a.from - b.from || a.to - b.to),
  }));
  figures.sort((a, b) => b.lines - a.lines || (a.name < b.name ? -1 : 1));
  return { list: figures, cycles };
}

/** The longest way down from each, where all of a cycle are one. */
function depthsOf(
  size: number,
  next: ReadonlyMap<number, readonly number[]>,
  cycleOf: ReadonlyMap<number, number>,
): number[] {
  const groupOf = (each: number) => {
    const cycle = cycleOf.get(each);
    return cycle === undefined ? each : size + cycle;
  };
  const below = new Map<number, Set<number>>();
  for (const [from, targets] of next)
    for (const to of targets)
      if (groupOf(from) !== groupOf(to))
        below.set(groupOf(from), (below.get(groupOf(from)) ?? new Set()).add(groupOf(to)));
  const depths = new Map<number, number>();
  const unknownBelow = (group: number) => [...(below.get(group) ?? [])].filter((each) => !depths.has(each));
  for (const start of below.keys()) {
    const open = [start];
    for (let group = open.at(-1); group !== undefined; group = open.at(-1)) {
      const unknown = depths.has(group) ? [] : unknownBelow(group);
      open.push(...unknown);
      if (unknown.length > 0) continue;
      open.pop();
      const under = [...(below.get(group) ?? [])].map((each) => depths.get(each) ?? 0);
      depths.set(group, under.length === 0 ? 0 : Math.max(...under) + 1);
    }
  }
  return Array.from({ length: size }, (_, each) => depths.get(groupOf(each)) ?? 0);
}

function fileCycles({ imported }: Dependencies): Architecture['file_cycles'] {
  const next = new Map([...imported].map(([path, targets]) => [path, [...targets.keys()]]));
  const circles = stronglyConnected(next)
    .map((files) => files.sort())
    .sort((a, b) => b.length - a.length || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
  const found = circles.map((files) => {
    const inside = new Set(files);
    const edges = files.flatMap((path) =>
      [...(imported.get(path) ?? [])].flatMap(([to, line]) =>
        inside.has(to) ? [{ path, line, to_path: to, to_line: null }] : [],
      ),
    );
    return { files: firstOf(files, maxListed.cycleFiles), edges: firstOf(edges, maxListed.cycleEdges) };
  });
  return firstOf(found, maxListed.fileCycles);
}

function godComponents(
  list: ComponentFigures,
  { edges }: Dependencies,
  components: Components,
): Architecture['god_components'] {
  const all = list.reduce((sum, { lines }) => sum + lines, 0);
  const neighbors = new Map<string, Set<number>>();
  const add = (of: number, other: number) => {
    const name = components.list[of]?.name ?? '';
    neighbors.set(name, (neighbors.get(name) ?? new Set()).add(other));
  };
  for (const { from, to } of edges) {
    add(from, to);
    add(to, from);
  }
  const found = list.flatMap(({ name, lines }) => {
    const around = neighbors.get(name)?.size ?? 0;
    return list.length >= manyComponents && lines > all * largeShare && around * 2 >= list.length - 1
      ? [{ name, lines_pct: rounded((100 * lines) / all), neighbors: around }]
      : [];
  });
  return firstOf(found, maxListed.godComponents);
}

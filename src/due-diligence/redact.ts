import { extname } from 'node:path';
import type { Architecture } from '../model/architecture.ts';
import type { Evidence, Liveness, Metric, MetricId } from '../model/due-diligence.ts';
import type { MeasuredRepository } from '../model/snapshot.ts';

/**
 * The same for readers who must not know files and people: each has one pseudonym throughout. Names of functions and what
 * people wrote of their commits are left out; figures stay.
 */
export function redacted(measured: MeasuredRepository): MeasuredRepository {
  const { repository, measurements } = measured;
  const { metrics } = measurements;
  const paths = pathsOf(measured);
  const files = pseudonyms(paths, (index, path) => `file-${index}${/^\.\w{1,8}$/.exec(extname(path))?.[0] ?? ''}`);
  const people = pseudonyms(namesOf(measured), (index) => `person-${index}`);
  const folders = pseudonyms(paths.flatMap(foldersOf), (index) => `folder-${index}`);
  const place = (path: string) => (path === '' ? path : (folders.get(path) ?? files.get(path) ?? 'file'));
  // Those of `architecture.yml` have names of their own, all others those of their folders.
  const configured = pseudonyms(configuredNames(measurements), (index) => `component-${index}`);
  const componentOf = (name: string) => (name === '.' ? name : (configured.get(name) ?? place(name)));
  const notes = metrics.flatMap((metric) => metric.evidence.map(({ note }) => note ?? ''));
  const scrub = scrubber(new Map([...people, ...files, ...folders]), notes.join('\n'));
  const evidence = (id: MetricId) => (each: Evidence) => ({
    ...each,
    path: each.path === null ? null : place(each.path),
    ...(each.way && { way: each.way.map(({ path, line }) => ({ path: place(path), line })) }),
    note: each.note === null || each.commit !== null ? null : scrub(withoutFunction(id, each.note)),
  });
  return {
    repository: {
      ...repository,
      requires: repository.requires.map((each) => ({ ...each, path: place(each.path) })),
      warnings: [],
    },
    measurements: {
      metrics: metrics.map((metric): Metric => ({ ...metric, evidence: metric.evidence.map(evidence(metric.id)) })),
      people: measurements.people.map((each) => ({ ...each, name: people.get(each.name) ?? 'person' })),
      authorship: measurements.authorship,
      // Without it a project that is over would be graded as one that is alive. What it says of itself tells which it is.
      ...(measurements.liveness && { liveness: livenessWithout(measurements.liveness, place) }),
      ...(measurements.past && {
        past: measurements.past.map(({ liveness, ...point }) => ({
          ...point,
          ...(liveness && { liveness: livenessWithout(liveness, place) }),
          moves: [],
        })),
      }),
      ...(measurements.hotspots && {
        hotspots: measurements.hotspots.map((each) => ({ ...each, path: place(each.path) })),
      }),
      ...(measurements.left_out && {
        left_out: measurements.left_out.map((each) => ({ ...each, largest: each.largest.map(place) })),
      }),
      ...(measurements.architecture && {
        architecture: architectureWithout(measurements.architecture, place, componentOf),
      }),
      ...(measurements.knowledge && {
        knowledge: measurements.knowledge.map(({ component, groups }) => ({
          component: componentOf(component),
          groups: groups.map(({ largest, ...group }) => ({
            ...group,
            largest: largest.map((each) => ({ ...each, path: place(each.path) })),
          })),
        })),
      }),
      ...(measurements.supply && {
        supply: {
          ...measurements.supply,
          packages: measurements.supply.packages.map((each) => ({ ...each, path: place(each.path) })),
        },
      }),
      ...(measurements.activity && {
        activity: {
          months: measurements.activity.months,
          people: measurements.activity.people.map((each) => {
            const name = people.get(each.name) ?? 'person';
            // Else the id, which is made from the address, would tell.
            return { ...each, id: name, name };
          }),
        },
      }),
    },
    paths: [],
    people: [],
  };
}

const configuredNames = ({ architecture, knowledge = [] }: MeasuredRepository['measurements']) =>
  architecture?.made_of === 'configured'
    ? [
        ...knowledge.map(({ component }) => component),
        ...architecture.edges.items.flatMap(({ from, to }) => [from, to]),
        ...architecture.components.items.map(({ name }) => name),
      ]
    : [];

function architectureWithout(
  architecture: Architecture,
  place: (path: string) => string,
  component: (name: string) => string,
): Architecture {
  const hidden = <T extends { path: string; to_path: string }>(each: T): T => ({
    ...each,
    path: place(each.path),
    to_path: place(each.to_path),
  });
  const each = <T>({ total, items }: { total: number; items: readonly T[] }, of: (item: T) => T) => ({
    total,
    items: items.map(of),
  });
  const edge = (one: Architecture['edges']['items'][number]) => ({
    ...one,
    from: component(one.from),
    to: component(one.to),
    example: hidden(one.example),
  });
  const { change_coupling: coupling, dead_code: dead } = architecture;
  return {
    ...architecture,
    components: each(architecture.components, ({ name, paths, ...figures }) => ({
      name: component(name),
      paths: paths.map((path) => (path.endsWith('/') ? `${place(path.slice(0, -1))}/` : place(path))),
      ...figures,
    })),
    edges: each(architecture.edges, edge),
    cycles: each(architecture.cycles, ({ components, edges }) => ({
      components: components.map(component),
      edges: each(edges, edge),
    })),
    file_cycles: each(architecture.file_cycles, ({ files, edges }) => ({
      files: each(files, place),
      edges: each(edges, hidden),
    })),
    god_components: each(architecture.god_components, (god) => ({ ...god, name: component(god.name) })),
    unstable_interfaces: each(architecture.unstable_interfaces, (one) => ({
      ...one,
      path: place(one.path),
      component: component(one.component),
    })),
    change_coupling: coupling && {
      ...coupling,
      pairs: each(coupling.pairs, (pair) => ({
        ...pair,
        path: place(pair.path),
        component: pair.component && component(pair.component),
        other_path: place(pair.other_path),
        other_component: pair.other_component && component(pair.other_component),
      })),
    },
    dead_code: dead && each(dead, (one) => ({ ...one, path: place(one.path), name: null })),
    own_among_others: each(architecture.own_among_others, place),
  };
}

const livenessWithout = (liveness: Liveness, place: (path: string) => string): Liveness => ({
  ...liveness,
  notices: liveness.notices.map((notice) => ({
    ...notice,
    path: notice.path === null ? null : place(notice.path),
    note: 'it is deprecated, archived or no longer maintained',
  })),
});

function pathsOf({ repository, measurements, paths }: MeasuredRepository): string[] {
  return [
    ...paths,
    ...repository.requires.map(({ path }) => path),
    ...measurements.metrics.flatMap(({ evidence }) => evidence.map(({ path }) => path)),
    ...(measurements.hotspots ?? []).map(({ path }) => path),
    ...(measurements.left_out ?? []).flatMap(({ largest }) => largest),
  ].filter((path) => path !== null);
}

const namesOf = ({ people, measurements }: MeasuredRepository) => [
  ...people,
  ...measurements.people.map(({ name }) => name),
  ...(measurements.activity?.people ?? []).map(({ name }) => name),
];

const foldersOf = (path: string) =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'));

/** In the order of the names, so that the same commit gives the same. */
function pseudonyms(names: readonly string[], of: (index: number, name: string) => string): Map<string, string> {
  const sorted = [...new Set(names)].filter((name) => name !== '').sort();
  return new Map(sorted.map((name, index) => [name, of(index + 1, name)]));
}

/**
 * Puts the pseudonym in place of each name that stands by itself in a note, the longest first. A folder's name may be any
 * word (`test`), so without a slash it is one only where a place is named.
 */
function scrubber(names: ReadonlyMap<string, string>, notes: string): (text: string) => string {
  const alternatives = [...names]
    .filter(([name]) => notes.includes(name))
    .sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1))
    .map(([name, pseudonym]) => `${isWord(name, pseudonym) ? '(?<= in )' : ''}${escapePattern(name)}`);
  if (alternatives.length === 0) return (text) => text;
  // Bounded: plain words.
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
  return (text) => text.replace(pattern, (name) => names.get(name) ?? '');
}

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

const isWord = (name: string, pseudonym: string) => pseudonym.startsWith('folder-') && !name.includes('/');

/** These notes begin with the name of a function. */
const ofFunctions: readonly MetricId[] = ['long_function_loc_pct', 'complex_function_loc_pct'];
const withoutFunction = (id: MetricId, note: string) =>
  ofFunctions.includes(id) ? `function${note.slice(note.lastIndexOf(':'))}` : note;

import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import type { HierarchyAnswer } from '../../../graph/hierarchy.ts';
import { isDeep, mostOf, redOf } from '../charts/heat.ts';
import { fileOf } from '../code/address.ts';
import { format } from '../format.ts';

type Hotspot = NonNullable<RepositoryPackage['hotspots']>[number];

/** A part, or what is inside of one. */
export type Place = Pick<HierarchyAnswer['parts'][number], 'id' | 'kind' | 'findings' | 'main_author'>;

/** How a place is painted: so much of a colour, from 0 to 1, with the background as the rest. */
export interface Paint {
  color: string;
  share: number;
  /** So much that text on it is light. */
  isDeep?: boolean;
}

/** By what parts are coloured. */
export interface Layer {
  title: string;
  /** What a place has of it, in words, and alone, for a column of its own; null where that is not known. */
  says: (place: Place) => string | null;
  cell: (place: Place) => string | null;
  /** What stands in the column as CSV. */
  valueOf: (place: Place) => number | string | null;
  /** Null where it is not known. */
  paintOf: (place: Place) => Paint | null;
  /** A folder or file that is to be seen at once, whatever its colour: one that a single person knows. */
  isMarked?: (place: Place) => boolean;
  /** What its colours stand for. Null of the layer without colours. */
  legend: Legend | null;
}

export type Legend =
  | { kind: 'scale'; pale: string; red: string; note?: string }
  | { kind: 'people'; people: readonly { color: string; name: string; note: string }[]; mark: string };

/** A layer of numbers: the redder, the nearer to the worst. */
function scale(
  title: string,
  {
    valueOf,
    heatOf,
    says,
    cell,
    legend,
  }: {
    valueOf: (place: Place) => number | null;
    /** From 0 to 1. */
    heatOf: (place: Place) => number | null;
    says: (value: number) => string;
    cell: (value: number) => string;
    legend: { pale: string; red: string; note?: string } | null;
  },
): Layer {
  const known = (place: Place, write: (value: number) => string) => {
    const value = valueOf(place);
    return value === null ? null : write(value);
  };
  return {
    title,
    valueOf,
    says: (place) => known(place, says),
    cell: (place) => known(place, cell),
    paintOf: (place) => {
      const heat = heatOf(place);
      return heat === null ? null : { color: '--grade-e', share: heat, isDeep: isDeep(heat) };
    },
    legend: legend && { kind: 'scale', ...legend },
  };
}

/** Figures of history, complexity and tests are of files: what a file defines has those of its file. */
function filesIn(hotspots: readonly Hotspot[], { kind, id }: Place): readonly Hotspot[] {
  if (kind === 'folder') return hotspots.filter(({ path }) => path.startsWith(id));
  const file = fileOf(id)?.path ?? id;
  return hotspots.filter(({ path }) => path === file);
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const sumOf = (values: readonly number[]) => (values.length === 0 ? null : sum(values));
const largest = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values));

/** Counted by file, the more the redder; nothing is known of files that nobody has measured, as those of documentation and of others. */
function counted(
  title: string,
  hotspots: readonly Hotspot[] | null,
  of: (file: Hotspot) => number,
  { says, together = sumOf }: { says: (value: number) => string; together?: typeof sumOf },
): Layer {
  const most = mostOf(hotspots ?? [], of);
  const valuesIn = (place: Place) => filesIn(hotspots ?? [], place).map(of);
  return scale(title, {
    says,
    cell: format.whole,
    valueOf: (place) => together(valuesIn(place)),
    heatOf: (place) => largest(filesIn(hotspots ?? [], place).map((file) => redOf(of(file), most, file.test === true))),
    legend: hotspots && {
      pale: '0',
      red: `${says(most)} in one file`,
      ...(hotspots.some(({ test }) => test) && { note: 'tests half as red' }),
    },
  });
}

/** Whose code it is: a colour for each of those who own the most files of the repository, one for all others. */
function mainAuthors(authors: HierarchyAnswer['main_authors'], shown: readonly Place[]): Layer {
  const others = shown.some(({ main_author: author }) => author && authors.every(({ id }) => id !== author.id));
  const colors = new Map(authors.map(({ id }, index) => [id, `--person-${index}`]));
  const left = 'no commit in 12 months';
  const partOf = ({ share, people }: NonNullable<Place['main_author']>) =>
    people === 1 ? 'alone' : `${format.share(share)} of commits by ${format.count(people, 'author')}`;
  return {
    title: 'main author',
    says: ({ main_author: author }) =>
      author && [`main author ${author.name}`, partOf(author), !author.active && left].filter(Boolean).join(', '),
    cell: ({ main_author: author }) =>
      author && `${author.name}, ${author.people === 1 ? 'alone' : format.share(author.share)}`,
    valueOf: ({ main_author: author }) => author?.name ?? null,
    paintOf: ({ main_author: author }) => author && { color: colors.get(author.id) ?? '--person-others', share: 1 },
    isMarked: ({ kind, main_author: author }) => (kind === 'folder' || kind === 'file') && author?.people === 1,
    legend: {
      kind: 'people',
      people: [
        ...authors.map(({ id, name, files, active }) => ({
          color: colors.get(id) ?? '',
          name,
          note: [format.count(files, 'file'), !active && left].filter(Boolean).join(', '),
        })),
        ...(others ? [{ color: '--person-others', name: 'others', note: '' }] : []),
      ],
      mark: 'one author alone',
    },
  };
}

/** All layers for which there are figures. */
export function layersOf(
  measured: readonly Hotspot[] | null,
  shown: Pick<HierarchyAnswer, 'parts' | 'main_authors'> | null,
): Record<string, Layer> {
  const hotspots = measured ?? [];
  const covered = hotspots.flatMap(({ path, coverage }) => (coverage === undefined ? [] : [{ path, ...coverage }]));
  const byPath = new Map(covered.map((each) => [each.path, each]));
  const coverageIn = (place: Place) => {
    const known = filesIn(hotspots, place).flatMap(({ path }) => byPath.get(path) ?? []);
    const lines = sum(known.map((each) => each.lines));
    return lines === 0 ? null : sum(known.map((each) => each.covered)) / lines;
  };
  const { parts = [], main_authors: authors = [] } = shown ?? {};
  const places = parts.flatMap((part) => [part, ...part.inside]);
  const mostFindings = Math.max(1, ...parts.map(({ findings }) => findings));
  return {
    hotspots: counted('hotspots', measured, ({ changes_12m: changes, complexity }) => changes * complexity, {
      says: (value) => `${format.whole(value)} changes × complexity`,
    }),
    changes: counted('change frequency', measured, ({ changes_12m: changes }) => changes, {
      says: (value) => `${format.count(value, 'change')} in 12 months`,
    }),
    complexity: counted('complexity', measured, ({ complexity }) => complexity, {
      says: (value) => `complexity ${format.whole(value)}`,
    }),
    people: counted('authors', measured, ({ people_12m: people }) => people, {
      says: (value) => `${format.count(value, 'author')} in 12 months`,
      together: largest,
    }),
    ...(authors.length > 0 && { owner: mainAuthors(authors, places) }),
    ...(covered.length > 0 && {
      coverage: scale('test coverage', {
        valueOf: coverageIn,
        says: (value) => `${format.share(value)} of lines covered`,
        cell: format.share,
        heatOf: (place) => {
          const share = coverageIn(place);
          return share === null ? null : 1 - share;
        },
        legend: { pale: '100% covered', red: '0%' },
      }),
    }),
    findings: scale('security findings', {
      valueOf: ({ findings }) => findings,
      says: (value) => format.count(value, 'finding'),
      cell: format.whole,
      heatOf: ({ findings }) => findings / mostFindings,
      legend: { pale: '0', red: format.count(mostFindings, 'finding') },
    }),
    none: scale('nothing', { valueOf: () => null, says: String, cell: String, heatOf: () => 0, legend: null }),
  };
}

/** The layer that the address names, else the first; some are there only once it is known what was measured. */
export const layerIdOf = (named: string | null, layers: Record<string, Layer>, isLoading: boolean) =>
  named === null || !(isLoading || Object.hasOwn(layers, named)) ? 'hotspots' : named;

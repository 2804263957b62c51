import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import type { HierarchyAnswer } from '../../../graph/hierarchy.ts';
import { fileOf } from '../code/address.ts';
import { format } from '../format.ts';

type Hotspot = NonNullable<RepositoryPackage['hotspots']>[number];

/** A part, or what is inside of one. */
export type Place = Pick<HierarchyAnswer['parts'][number], 'id' | 'kind' | 'findings'>;

/** By what parts are coloured. */
export interface Layer {
  title: string;
  /** What a place has of it; null where that is not known. */
  valueOf: (place: Place) => number | null;
  /** Its value in words, and alone, for a column of its own. */
  says: (value: number) => string;
  cell: (value: number) => string;
  /** How red it is, from 0 to 1: as its worst file is, beside the worst of the repository. Null where that is not known. */
  heatOf: (place: Place) => number | null;
  /** Of its colours: what the palest and the reddest stand for. Null of the layer without colours. */
  legend: { pale: string; red: string } | null;
}

/** Figures of history, complexity and tests are of files: what a file defines has those of its file. */
function filesIn(hotspots: readonly Hotspot[], { kind, id }: Place): readonly Hotspot[] {
  if (kind === 'folder') return hotspots.filter(({ path }) => path.startsWith(id));
  const file = fileOf(id)?.path ?? id;
  return hotspots.filter(({ path }) => path === file);
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Counted by file, the more the redder; nothing is known while nobody has measured. */
function counted(
  hotspots: readonly Hotspot[] | null,
  of: (file: Hotspot) => number,
  { title, says, together = sum }: { title: string; says: (value: number) => string; together?: typeof sum },
): Layer {
  if (hotspots === null)
    return { title, says, cell: format.whole, valueOf: () => null, heatOf: () => null, legend: null };
  const most = Math.max(1, ...hotspots.map(of));
  const valuesIn = (place: Place) => filesIn(hotspots, place).map(of);
  return {
    title,
    says,
    cell: format.whole,
    valueOf: (place) => together(valuesIn(place)),
    heatOf: (place) => Math.max(0, ...valuesIn(place)) / most,
    legend: { pale: '0', red: `${says(most)} in one file` },
  };
}

const largest = (values: readonly number[]) => Math.max(0, ...values);

/** All layers for which there are figures. */
export function layersOf(measured: readonly Hotspot[] | null, shown: readonly Place[]): Record<string, Layer> {
  const hotspots = measured ?? [];
  const covered = hotspots.flatMap(({ path, coverage }) => (coverage === undefined ? [] : [{ path, ...coverage }]));
  const byPath = new Map(covered.map((each) => [each.path, each]));
  const coverageIn = (place: Place) => {
    const known = filesIn(hotspots, place).flatMap(({ path }) => byPath.get(path) ?? []);
    const lines = sum(known.map((each) => each.lines));
    return lines === 0 ? null : sum(known.map((each) => each.covered)) / lines;
  };
  const mostFindings = Math.max(1, ...shown.map(({ findings }) => findings));
  return {
    hotspots: counted(measured, ({ changes_12m: changes, complexity }) => changes * complexity, {
      title: 'hotspots',
      says: (value) => `${format.whole(value)} changes × complexity`,
    }),
    changes: counted(measured, ({ changes_12m: changes }) => changes, {
      title: 'change frequency',
      says: (value) => `${format.count(value, 'change')} in 12 months`,
    }),
    complexity: counted(measured, ({ complexity }) => complexity, {
      title: 'complexity',
      says: (value) => `complexity ${format.whole(value)}`,
    }),
    people: counted(measured, ({ people_12m: people }) => people, {
      title: 'authors',
      says: (value) => `${format.count(value, 'author')} in 12 months`,
      together: largest,
    }),
    ...(covered.length > 0 && {
      coverage: {
        title: 'test coverage',
        valueOf: coverageIn,
        says: (value: number) => `${format.share(value)} of lines covered`,
        cell: format.share,
        heatOf: (place: Place) => {
          const share = coverageIn(place);
          return share === null ? null : 1 - share;
        },
        legend: { pale: '100% covered', red: '0%' },
      },
    }),
    findings: {
      title: 'security findings',
      valueOf: ({ findings }) => findings,
      says: (value) => format.count(value, 'finding'),
      cell: format.whole,
      heatOf: ({ findings }) => findings / mostFindings,
      legend: { pale: '0', red: format.count(mostFindings, 'finding') },
    },
    none: { title: 'nothing', valueOf: () => null, says: () => '', cell: () => '', heatOf: () => 0, legend: null },
  };
}

import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import type { HierarchyAnswer } from '../../../graph/hierarchy.ts';
import { format } from '../format.ts';

type Part = HierarchyAnswer['parts'][number];
type Hotspot = NonNullable<RepositoryPackage['hotspots']>[number];

/** By what parts are coloured. */
export interface Layer {
  title: string;
  /** How much of it a part has. */
  heatOf: (part: Part) => number;
  says: (heat: number) => string;
}

const filesIn = (hotspots: readonly Hotspot[], { kind, path, id }: Part) =>
  hotspots.filter((each) => (kind === 'folder' ? each.path.startsWith(id) : each.path === path));

const sumOf = (of: (hotspot: Hotspot) => number, hotspots: readonly Hotspot[] | null) => (part: Part) =>
  filesIn(hotspots ?? [], part).reduce((sum, each) => sum + of(each), 0);

/** All layers for which there are figures; those of history are of files, so what a file defines has those of its file. */
export function layersOf(hotspots: readonly Hotspot[] | null): Record<string, Layer> {
  return {
    none: { title: 'nothing', heatOf: () => 0, says: () => '' },
    changes: {
      title: 'changes in 12 months',
      heatOf: sumOf(({ changes_12m: count }) => count, hotspots),
      says: (heat) => `${format.count(heat, 'change')} in 12 months`,
    },
    complexity: {
      title: 'complexity',
      heatOf: sumOf(({ complexity }) => complexity, hotspots),
      says: (heat) => `complexity ${format.whole(heat)}`,
    },
    hotspots: {
      title: 'hotspots: changes × complexity',
      heatOf: sumOf(({ changes_12m: count, complexity }) => count * complexity, hotspots),
      says: (heat) => `${format.whole(heat)} changes × complexity`,
    },
    people: {
      title: 'most people on one file',
      heatOf: (part) => Math.max(0, ...filesIn(hotspots ?? [], part).map(({ people_12m: count }) => count)),
      says: (heat) => `${format.count(heat, 'person', 'people')} on one file`,
    },
    findings: {
      title: 'findings',
      heatOf: ({ findings }) => findings,
      says: (heat) => format.count(heat, 'finding'),
    },
  };
}

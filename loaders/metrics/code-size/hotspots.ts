import type { MeasuredFile, MetricSource } from '../metric.ts';
import { isHuman } from '../people.ts';

const leastTouches = 50;
const hotShare = 0.1;

/**
 * Of the changes to source files by people within twelve months, the share that went into the tenth of the files with the highest
 * complexity (CodeScene's hotspots; scc's history hotspots).
 */
export const hotspots: MetricSource = {
  id: 'hotspot_change_share_pct',
  version: 1,
  measure({ files, history, noHistory, shallow }) {
    if (files.length === 0) return { value: null, reason: 'no_source_code' };
    if (!history) return { value: null, reason: shallow ? 'shallow_clone' : noHistory };
    const source = new Set(files.map(({ path }) => path));
    const touches = new Map<string, { count: number; authors: Set<string> }>();
    let all = 0;
    for (const commit of history.commits) {
      if (!isHuman(commit)) continue;
      for (const path of commit.paths ?? []) {
        if (!source.has(path)) continue;
        const touched = touches.get(path) ?? { count: 0, authors: new Set() };
        touches.set(path, touched);
        touched.count += 1;
        touched.authors.add(commit.author);
        all += 1;
      }
    }
    if (all < leastTouches) return { value: null, reason: 'history_too_short' };
    const complex = files
      .map((file) => ({ path: file.path, complexity: complexityOf(file), touched: touches.get(file.path) }))
      .sort((a, b) => b.complexity - a.complexity || (a.path < b.path ? -1 : 1))
      .slice(0, Math.ceil(files.length * hotShare));
    const hot = complex.reduce((sum, { touched }) => sum + (touched?.count ?? 0), 0);
    const weight = ({ complexity, touched }: (typeof complex)[number]) => complexity * (touched?.count ?? 0);
    return {
      value: (100 * hot) / all,
      numerator: hot,
      denominator: all,
      evidence: complex
        .filter(({ touched }) => touched)
        .toSorted((a, b) => weight(b) - weight(a) || (a.path < b.path ? -1 : 1))
        .slice(0, 20)
        .map(({ path, complexity, touched }) => ({
          path,
          note: `${touched?.count} changes by ${touched?.authors.size} people, complexity ${complexity}`,
        })),
    };
  },
};

/** Of its functions together; where they are not known, its length stands in. */
function complexityOf({ measures }: MeasuredFile): number {
  return measures.functions?.reduce((sum, { complexity }) => sum + complexity, 0) ?? Math.round(measures.code / 10);
}

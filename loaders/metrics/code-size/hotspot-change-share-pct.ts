import type { Hotspot } from '../../../src/model/due-diligence.ts';
import type { MetricSource } from '../metric.ts';
import { hotFiles } from './hot-files.ts';

const minTouches = 50;
const hotShare = 0.1;

/**
 * Of the changes to production source by people within twelve months, the share that went into the tenth of the files with the highest
 * complexity (CodeScene's hotspots; scc's history hotspots).
 */
export const hotspots: MetricSource = {
  id: 'hotspot_change_share_pct',
  version: 6,
  measure({ files: source, history, noHistory, shallow }) {
    const files = source.filter(({ test }) => !test);
    if (files.length === 0) return { value: null, reason: 'no_source_code' };
    if (!history) return { value: null, reason: shallow ? 'shallow_clone' : noHistory };
    const all = hotFiles({ files, history });
    const changes = changesOf(all);
    if (changes < minTouches) return { value: null, reason: 'history_too_short' };
    const complex = all
      .toSorted((a, b) => b.complexity - a.complexity || (a.path < b.path ? -1 : 1))
      .slice(0, Math.ceil(files.length * hotShare));
    const hot = changesOf(complex);
    const weight = ({ complexity, changes_12m: count }: Hotspot) => complexity * count;
    return {
      value: (100 * hot) / changes,
      numerator: hot,
      denominator: changes,
      evidence: complex
        .filter(({ changes_12m: count }) => count > 0)
        .toSorted((a, b) => weight(b) - weight(a) || (a.path < b.path ? -1 : 1))
        .slice(0, 20)
        .map(({ path, complexity, changes_12m: count, people_12m: people }) => ({
          path,
          note: `${count} ${count === 1 ? 'change' : 'changes'} by ${people} ${people === 1 ? 'person' : 'people'}, complexity ${complexity}`,
        })),
    };
  },
};

const changesOf = (files: readonly Hotspot[]) => files.reduce((sum, { changes_12m: count }) => sum + count, 0);

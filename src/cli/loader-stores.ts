import type { LoaderStores } from '../../loaders/write.ts';
import { assess } from '../due-diligence/assess.ts';
import { dayOf } from '../due-diligence/standing.ts';
import type { Stores } from '../stores/open.ts';

/** The stores as the loaders write to them: with what due diligence makes of a repository. */
export function loaderStores(stores: Stores): LoaderStores {
  return {
    ...stores,
    mustHaveRoom: stores.disk.mustHaveRoom,
    // Search orders by it, and what was loaded alike is found alike on any day.
    healthOf: (measurements) => healthOf(assess(measurements, noRate, null)),
    gradeOf: (measurements) => assess(measurements, noRate, dayOf()).grade,
  };
}

/** Costs are not looked at. */
const noRate = { currency: 'USD', hourly_rate: 0 };

/** Known where there is a grade. */
function healthOf({ score, grade }: ReturnType<typeof assess>) {
  return score === null || grade === null ? null : { score: score / 100, grade };
}

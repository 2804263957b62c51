import type { MeasuredRepository } from '../src/model/snapshot.ts';
import { startThreads } from './extraction/pool.ts';
import type { MeasureOptions } from './measure-snapshot.ts';
import { openSnapshot } from './snapshot/open-snapshot.ts';

/** Opens a folder and measures it, with so many points of its history where they are asked for. Throws SnapshotError. */
export async function measure(
  source: string,
  options: MeasureOptions & { name?: string; ref?: string; trendPoints?: number },
): Promise<MeasuredRepository> {
  const { ref, trendPoints } = options;
  const opened = await openSnapshot(source, ref === undefined ? {} : { ref });
  try {
    const name = options.name ?? opened.name;
    // A thread starts while the modules that measure are read; a trend starts its own, and what has no source needs none.
    const hasSource = opened.files.some(({ countedAs }) => countedAs.language !== null);
    if (hasSource && !options.pool && trendPoints === undefined) startThreads(1);
    const { measureSnapshot } = await import('./measure-snapshot.ts');
    // First, as it may be refused.
    const past =
      trendPoints === undefined
        ? null
        : await (await import('./trend.ts')).measureTrend(opened, name, trendPoints, options);
    const measured = await measureSnapshot(opened, name, options);
    return past === null ? measured : { ...measured, measurements: { ...measured.measurements, past } };
  } finally {
    await opened.close();
  }
}

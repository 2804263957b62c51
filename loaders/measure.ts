import type { MeasuredRepository } from '../src/model/snapshot.ts';
import { measureSnapshot, type MeasureOptions } from './measure-snapshot.ts';
import { openSnapshot } from './snapshot/open-snapshot.ts';
import { measureTrend } from './trend.ts';

/** Opens a folder and measures it, with so many points of its history where they are asked for. Throws SnapshotError. */
export async function measure(
  source: string,
  options: MeasureOptions & { name?: string; ref?: string; trendPoints?: number },
): Promise<MeasuredRepository> {
  const { ref, trendPoints } = options;
  const opened = await openSnapshot(source, ref === undefined ? {} : { ref });
  try {
    const name = options.name ?? opened.name;
    // First, as it may be refused.
    const past = trendPoints === undefined ? null : await measureTrend(opened, name, trendPoints, options);
    const measured = await measureSnapshot(opened, name, options);
    return past === null ? measured : { ...measured, measurements: { ...measured.measurements, past } };
  } finally {
    await opened.close();
  }
}

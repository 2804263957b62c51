import type { Evidence, Liveness } from '../model/due-diligence.ts';

const dayMs = 86_400_000;

/** What the day of an assessment makes of the dates that were measured. Ages are in whole days; null where nobody knows. */
export interface Standing {
  /** The UTC day that ages are counted to, `2026-11-23`; null: they are not counted. */
  asOf: string | null;
  daysSinceHumanCommit: number | null;
  daysSinceRelease: number | null;
  /** Where the repository itself says that it is over. */
  notices: readonly Evidence[];
}

/** The UTC day of a time, or of now; a day like `2026-11-23` is itself. */
export function dayOf(time: string | number = Date.now()): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Without a day no age is known, and what the repository says of itself still counts. */
export function standingOn(liveness: Liveness | undefined, day: string | null): Standing {
  const age = (at: string | null | undefined) =>
    at == null || day === null ? null : Math.max(0, Math.round((Date.parse(day) - Date.parse(dayOf(at))) / dayMs));
  return {
    asOf: day,
    daysSinceHumanCommit: age(liveness?.last_human_commit_at),
    daysSinceRelease: age(liveness?.last_release_at),
    notices: liveness?.notices ?? [],
  };
}

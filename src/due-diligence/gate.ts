import type { Assessment } from './assess.ts';
import { dimensions, grades } from './scoring-model.ts';
import type { DimensionId, Grade } from './scoring-model.ts';

/** The least grade that is accepted: overall, or of one dimension. */
export interface Gate {
  dimension: DimensionId | null;
  least: Grade;
}

/** Reads `B` or `security=B`; null where it is neither. */
export function readGate(text: string): Gate | null {
  const [first = '', second] = text.split('=', 2).map((part) => part.trim());
  const [name, letter] = second === undefined ? [null, first] : [first, second];
  const least = grades.find(({ grade }) => grade === letter.toUpperCase())?.grade;
  const dimension = dimensions.find(({ id }) => id === name?.toLowerCase())?.id ?? null;
  return least === undefined || (name !== null && dimension === null) ? null : { dimension, least };
}

/** A sentence for each gate that is missed; what could not be graded misses it too. */
export function missedGates(assessment: Assessment, gates: readonly Gate[]): string[] {
  return gates.flatMap(({ dimension, least }) => {
    const found = dimension === null ? assessment : assessment.dimensions.find(({ id }) => id === dimension);
    const grade = found?.grade ?? null;
    // A is before B.
    if (grade !== null && grade <= least) return [];
    const what = dimension ?? 'overall';
    return [
      grade === null
        ? `${what}: not graded, as too little could be measured; ${least} is asked for`
        : `${what}: grade ${grade}, but ${least} is asked for`,
    ];
  });
}

import type { FunctionMeasures } from '../file-measures.ts';
import type { MeasuredFile, Measurement } from '../metric.ts';

export interface PlacedFunction extends FunctionMeasures {
  path: string;
}

/** Less of the code than this in languages whose functions are known is too little to speak for the rest. */
const minShare = 0.5;

/** The share of the code in functions that lies in some of them; what stands outside every function counts for neither. */
export function functionShare(
  files: readonly MeasuredFile[],
  counts: (each: FunctionMeasures) => boolean,
  describe: (chosen: PlacedFunction[]) => Pick<Measurement, 'evidence' | 'quantities'>,
): Measurement {
  const total = files.reduce((sum, { measures }) => sum + measures.code, 0);
  if (total === 0) return { value: null, reason: 'no_source_code' };
  const known = files.filter(({ measures }) => measures.functions !== null);
  const covered = known.reduce((sum, { measures }) => sum + measures.code, 0);
  const chosen: PlacedFunction[] = [];
  let inFunctions = 0;
  for (const { path, measures } of known) {
    for (const each of measures.functions ?? []) {
      inFunctions += each.code;
      if (counts(each)) chosen.push({ path, ...each });
    }
  }
  if (covered < total * minShare) return { value: null, reason: 'unsupported_language' };
  if (inFunctions === 0) return { value: null, reason: 'nothing_to_measure', notApplicable: true };
  const numerator = chosen.reduce((sum, { code }) => sum + code, 0);
  return { value: (100 * numerator) / inFunctions, numerator, denominator: inFunctions, ...describe(chosen) };
}

export const nameOf = ({ name }: FunctionMeasures): string => (name === '' ? 'an anonymous function' : name);

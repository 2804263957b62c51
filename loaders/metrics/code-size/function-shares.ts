import type { FunctionMeasures } from '../file-measures.ts';
import type { MeasuredFile, Measurement } from '../metric.ts';

export interface PlacedFunction extends FunctionMeasures {
  path: string;
}

/** Less of the code than this in languages whose functions are known is too little to speak for the rest. */
const leastShare = 0.5;

/** The share of the code in functions that lies in some of them; what stands outside every function counts for neither. */
export function functionShare(
  files: readonly MeasuredFile[],
  counts: (each: FunctionMeasures) => boolean,
  describe: (chosen: PlacedFunction[], all: PlacedFunction[]) => Pick<Measurement, 'evidence' | 'quantities'>,
): Measurement {
  const total = files.reduce((sum, { measures }) => sum + measures.code, 0);
  if (total === 0) return { value: null, reason: 'no_source_code' };
  const known = files.filter(({ measures }) => measures.functions !== null);
  const covered = known.reduce((sum, { measures }) => sum + measures.code, 0);
  const all = known.flatMap(({ path, measures }) => (measures.functions ?? []).map((each) => ({ path, ...each })));
  const inFunctions = all.reduce((sum, { code }) => sum + code, 0);
  if (covered < total * leastShare) return { value: null, reason: 'unsupported_language' };
  if (inFunctions === 0) return { value: null, reason: 'nothing_to_measure', notApplicable: true };
  const chosen = all.filter(counts);
  const numerator = chosen.reduce((sum, { code }) => sum + code, 0);
  return { value: (100 * numerator) / inFunctions, numerator, denominator: inFunctions, ...describe(chosen, all) };
}

export const nameOf = ({ name }: FunctionMeasures): string => (name === '' ? 'an anonymous function' : name);

import type { FunctionMeasures } from '../file-measures.ts';
import type { MeasuredFile, Measurement } from '../metric.ts';
import { productionOf } from './production.ts';
import type { PlacedFunction } from './production.ts';

/** Less of the code than this in languages whose functions are known is too little to speak for the rest. */
const minShare = 0.5;

/** The share of the production code in functions that lies in some of them; what stands outside every function counts for neither. */
export function functionShare(
  files: readonly MeasuredFile[],
  counts: (each: FunctionMeasures) => boolean,
  describe: (chosen: PlacedFunction[]) => Pick<Measurement, 'evidence' | 'quantities'>,
): Measurement {
  const production = productionOf(files);
  const lines = (some: readonly MeasuredFile[]) => some.reduce((sum, { measures }) => sum + measures.code, 0);
  const total = lines(production.files);
  if (total === 0) return { value: null, reason: 'no_source_code' };
  const covered = lines(production.files.filter(({ measures }) => measures.functions !== null));
  if (covered < total * minShare) return { value: null, reason: 'unsupported_language' };
  const inFunctions = production.functions.reduce((sum, { code }) => sum + code, 0);
  if (inFunctions === 0) return { value: null, reason: 'nothing_to_measure', notApplicable: true };
  const chosen = production.functions.filter(counts);
  const numerator = chosen.reduce((sum, { code }) => sum + code, 0);
  return { value: (100 * numerator) / inFunctions, numerator, denominator: inFunctions, ...describe(chosen) };
}

export const nameOf = ({ name }: FunctionMeasures): string => (name === '' ? 'an anonymous function' : name);

import type { FunctionMeasures } from '../file-measures.ts';
import type { MeasuredFile } from '../metric.ts';

export interface PlacedFunction extends FunctionMeasures {
  path: string;
}

/** What figures about the quality of code are of: neither tests nor what is one thing written many times. */
export interface Production {
  files: readonly MeasuredFile[];
  /** Of those that are one thing written many times only the first. */
  functions: readonly PlacedFunction[];
  /** Code lines of the others. */
  repeated: number;
  /** Code lines without these. */
  code: number;
}

/** lizard's default, and Sonar's S1541 nearly. */
export const highComplexity = 15;
/** SIG's largest class of unit size. */
export const longLines = 60;

/** So many functions of one shape are no coincidence … */
const manyAlike = 10;
/** … and together, as a share of the code, no small thing: getters and the like are a few. */
const largeShare = 0.1;

const known = new WeakMap<readonly MeasuredFile[], Production>();

/** Worked out once for the files of a repository. */
export function productionOf(files: readonly MeasuredFile[]): Production {
  let production = known.get(files);
  if (!production) known.set(files, (production = withoutRepeated(files.filter(({ test }) => !test))));
  return production;
}

/** Long and complex functions count as often as they are written. */
function withoutRepeated(files: readonly MeasuredFile[]): Production {
  let all = 0;
  const functions: PlacedFunction[] = [];
  for (const { path, measures } of files) {
    all += measures.code;
    for (const each of measures.functions ?? []) functions.push({ path, ...each });
  }
  const isPlain = ({ complexity, code }: PlacedFunction) => complexity <= highComplexity && code <= longLines;
  const shapes = Map.groupBy(functions.filter(isPlain), ({ shape }) => shape);
  const again = new Set<PlacedFunction>();
  for (const alike of shapes.values())
    if (alike.length >= manyAlike) for (const each of alike.slice(1)) again.add(each);
  const repeated = [...again].reduce((sum, { code }) => sum + code, 0);
  return repeated > all * largeShare
    ? { files, functions: functions.filter((each) => !again.has(each)), repeated, code: all - repeated }
    : { files, functions, repeated: 0, code: all };
}

import type { InsecureCode, Place } from '../../facts/insecure-code.ts';
import { isAside } from '../../snapshot/is-aside.ts';
import { isProse } from '../../snapshot/language-of.ts';
import { productionOf } from '../code-size/production.ts';
import type { MetricInput } from '../metric.ts';

/** Insecure code where it stands; `aside` in tests and examples, and in what others wrote: there it counts less. */
export type PlacedInsecureCode = InsecureCode & {
  path: string;
  aside: boolean;
  /** Production uses it, wherever it lies. */
  usedBy?: Place;
};

/** So many times the production code, what a test's path holds is hardly all tests. */
const maxTests = 20;

/** By the rules of insecure code, in all source of the tree. What outweighs the production code is never aside. */
export function insecureCodeOf(
  input: Pick<MetricInput, 'files' | 'aside' | 'leftOut' | 'insecure' | 'used'>,
): PlacedInsecureCode[] {
  const { files, aside, leftOut, insecure, used } = input;
  const lines = (some: MetricInput['files']) => some.reduce((sum, { measures }) => sum + measures.code, 0);
  const code = files.filter(({ test }) => !test);
  const beside = code.filter(({ path }) => isAside(path));
  const production = lines(code) - lines(beside) - productionOf(files).repeated;
  const isLess = {
    beside: lines(beside) <= production,
    tests: lines(files) - lines(code) <= maxTests * production,
    leftOut: leftOut.reduce((sum, each) => sum + (each.by === 'path' ? each.lines : 0), 0) <= production,
  };
  const placed = (path: string, isInAside: boolean, found: readonly InsecureCode[] = []) =>
    found.map((each) => {
      const by = isInAside ? used.get(path)?.by : undefined;
      return { ...each, path, aside: isInAside, ...(by && { usedBy: by }) };
    });
  return [
    ...files.flatMap(({ path, test }) =>
      placed(path, test ? isLess.tests : isLess.beside && isAside(path), insecure.get(path)),
    ),
    // What prose quotes may be there as a warning.
    ...aside.flatMap(({ path }) => (isProse(path) ? [] : placed(path, true, insecure.get(path)))),
    // What a repository itself calls somebody else's, or a tool's, is not believed.
    ...leftOut.flatMap(({ path, by, test, glance }) =>
      placed(
        path,
        by === 'package_manager' || (test && isLess.tests) || (by === 'path' && isLess.leftOut),
        glance?.insecure,
      ),
    ),
    // What nobody would read by its name.
    ...[...used.values()].flatMap(({ path, insecure: found }) => placed(path, true, found ?? [])),
  ];
}

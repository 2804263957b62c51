import type { LeftOutCode } from '../left-out/left-out.ts';
import type { MeasuredFile, MetricInput, MetricSource } from '../metric.ts';
import { productionOf } from './production.ts';
import { codeByLanguage } from './code-by-language.ts';

/** Lines that are neither blank nor comment, in source files: as scc and tokei count them. */
export const locCode: MetricSource = {
  id: 'loc_code',
  version: 5,
  measure(input) {
    const { files } = input;
    const quantities = parts(input);
    if (files.length === 0) return { value: null, reason: 'no_source_code', quantities };
    const byLanguage = codeByLanguage(files);
    const total = byLanguage.reduce((sum, [, code]) => sum + code, 0);
    return {
      value: total,
      numerator: total,
      evidence: byLanguage.map(([language, code]) => ({ note: `${language}: ${code} lines` })),
      quantities,
    };
  },
};

/** Lines of each part of the source, whether it is counted or not, and how many submodules and packages there are that nobody sees. */
function parts({ files, aside, leftOut, submodules, packagesElsewhere, history }: MetricInput): Record<string, number> {
  const lines = (some: readonly MeasuredFile[]) => some.reduce((sum, { measures }) => sum + measures.code, 0);
  const without = (some: readonly LeftOutCode[]) => some.reduce((sum, each) => sum + each.lines, 0);
  // What a lockfile names is somebody else's, and known.
  const unaccounted = leftOut.filter(({ by }) => by !== 'package_manager');
  return {
    production: lines(files.filter(({ test }) => !test)),
    repeated: productionOf(files).repeated,
    tests: lines(files.filter(({ test }) => test)),
    documentation: lines(aside),
    left_out: without(unaccounted.filter(({ test }) => !test)),
    left_out_of_tests: without(unaccounted.filter(({ test }) => test)),
    of_packages: without(leftOut.filter(({ by }) => by === 'package_manager')),
    // Not lines: nobody knows how many these have.
    submodules: submodules.filter((each) => !each.aside).length,
    submodules_aside: submodules.filter((each) => each.aside).length,
    // Of these left-out lines only the names' bytes are known.
    unseen: without(unaccounted.filter(({ rule, glance }) => rule === 'not_utf8' && glance === null)),
    packages_elsewhere: packagesElsewhere.length,
    ...(history?.shrunkBy != null && { gone: history.shrunkBy }),
    // Of these lines of production a parser read the functions before they got another name.
    renamed: lines(
      files.filter(({ test, path, measures }) => !test && !measures.functions && history?.wereParsed.has(path)),
    ),
  };
}

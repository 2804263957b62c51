import { interpolate } from '../score.ts';
import { numberWords, percentWords } from '../report-words.ts';
import type { Measures } from './factor.ts';
import { defineFactor } from './factor.ts';

/** From here on what is judged is less than what is not. */
const tooMuch = 0.5;
/** Production code of which there is less beside tests, examples and what is left out is no ground for a verdict. */
const tooLittle = 0.03;
/**
 * Of a submodule, or a package that comes from no registry, nobody sees a line: three of four public repositories have more than so many
 * of production code.
 */
const leastOfSubmodule = 617;

export const maintLeftOut = defineFactor({
  id: 'maint.left_out',
  dimension: 'maintainability',
  title: 'Code that is left out',
  risk: 'medium',
  inputs: ['loc_code'],
  points: [
    [0.25, 50],
    [tooMuch, 0],
  ],
  sources:
    'Lines left out, of these and of production code; our own choice. A submodule and a package by an address count as the least that three of four public repositories have. Packages that a lockfile names, tests and documentation are not among them. Up to a quarter there is no score: it would be a merit',
  recommendation:
    'Have the code measured (`-linguist-vendored -linguist-generated` in .gitattributes; submodules and packages by an address as repositories of their own), or take it from a package manager.',
  horizon: 'post_deal',
  optional: ['loc_code'],
  score(measures, points) {
    const { share } = sharesOf(measures);
    return share <= 0.25 ? null : interpolate(points, share);
  },
  caps: (measures) => verdictOn(measures) !== null,
  decides: verdictOn,
});

/**
 * What was taken out within twelve months, or named so that no parser reads it, and is so many times the rest, was put where nobody
 * sees it, or left nothing to judge.
 */
const manyGone = 5;

/** Why there is no judging the code, in a sentence; null where there is. */
function verdictOn(measures: Measures): string | null {
  const { share, leftOut, production, all, submodules, packages, gone, renamed } = sharesOf(measures);
  if (gone > 0)
    return `Within twelve months ${numberWords(gone)} lines of code were taken out${renamed > 0 ? ' or named so that they are not parsed' : ''}, and ${numberWords(production)} are left`;
  if (isUnseen(measures) && submodules + packages > 0)
    return `The code of ${unseenWords(submodules, packages)} is in other repositories, and here are ${numberWords(production)} lines of production code`;
  if (share > tooMuch)
    return `${numberWords(leftOut)} lines of code are left out, ${percentWords(share)} of what would be judged`;
  return production < tooLittle * all
    ? `Of ${numberWords(all)} lines of code ${numberWords(production)} are production code: all else is tests, or left out`
    : null;
}

function unseenWords(submodules: number, packages: number): string {
  const counted = (count: number, one: string) =>
    count === 0 ? [] : [`${numberWords(count)} ${one}${count === 1 ? '' : 's'}`];
  return [...counted(submodules, 'submodule'), ...counted(packages, 'package')].join(' and ');
}

/** Submodules among tests and documentation that may have so many times the production code are no mere tests. */
const manyAside = 4;

/** Most of the code may well lie in submodules: what is good in the rest says nothing of it. */
export function isUnseen(measures: Measures): boolean {
  const { production, unseen, unseenAside, gone } = sharesOf(measures);
  return gone > 0 || unseen > tooMuch * (unseen + production) || unseenAside > manyAside * production;
}

function sharesOf({ quantity, production }: Measures) {
  const of = (part: string) => quantity('loc_code', part);
  const submodules = of('submodules');
  const packages = of('packages_elsewhere');
  const things = leastOfSubmodule * (submodules + packages);
  const unseen = things + of('unseen');
  const renamed = of('renamed');
  const rest = production - renamed;
  const gone = of('gone') + renamed > Math.max(leastOfSubmodule, manyGone * rest) ? of('gone') + renamed : 0;
  const leftOut = of('left_out') + things + gone;
  const unseenAside = leastOfSubmodule * of('submodules_aside');
  const beside = of('tests') + of('left_out_of_tests') + of('documentation') + unseenAside;
  const judged = gone > 0 ? rest : production;
  const all = judged + leftOut + beside;
  const share = leftOut === 0 ? 0 : leftOut / (leftOut + judged);
  return {
    production: judged,
    leftOut,
    all,
    share,
    submodules: submodules + of('submodules_aside'),
    unseen,
    unseenAside,
    packages,
    gone,
    renamed,
  };
}

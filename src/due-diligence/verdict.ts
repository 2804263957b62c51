import type { Assessment } from './assess.ts';
import { costWords, hourWords, hoursWords, numberWords, percentWords, titleOf } from './report-words.ts';
import type { Range } from './range.ts';
import type { TrendPoint } from './trend.ts';

/** Dimensions whose scores differ by less have not moved. */
const minMove = 5;
const yearMs = 365 * 86_400_000;

/**
 * What somebody reads who reads three sentences: how good it is, where it is strong and weak or, with a trend, where it comes from, and
 * what it takes to put right. Made by rules from the figures alone. Pure.
 */
export function verdictOf(
  assessment: Assessment,
  keyRisks: readonly { hours: Range | null }[],
  trend: readonly TrendPoint[] = [],
): string[] {
  return [
    standing(assessment),
    (trend.length > 1 && past(assessment, trend)) || spread(assessment),
    work(assessment, keyRisks),
  ];
}

const scoreWords = (score: number) => numberWords(Math.round(score));

function standing({ grade, score, confidence, capped_by, factors, ranks }: Assessment): string {
  if (grade === null || score === null)
    return `Not graded: ${percentWords(confidence)} of what counts could be measured, too little to judge by.`;
  const rank = ranks?.overall;
  const among = rank
    ? `, better than about ${scoreWords(rank.percentile)} % of ${rank.repositories} public repositories (${rank.among})`
    : '';
  const cause = factors.find(({ definition }) => definition.id === capped_by);
  const cap =
    capped_by === null ? '' : `; ${(cause?.definition.title ?? capped_by).toLowerCase()} alone holds it there`;
  return `Graded ${grade}, ${scoreWords(score)} of 100${among}${cap}.`;
}

function spread({ dimensions }: Assessment): string {
  const known = dimensions
    .flatMap(({ id, score, grade }) => (score === null || grade === null ? [] : [{ id, score }]))
    .toSorted((a, b) => b.score - a.score);
  const [best, worst] = [known[0], known.at(-1)];
  if (!best || !worst || best === worst) return 'Too little is known to say where it is strong and where it is weak.';
  return `Strongest in ${titleOf(best.id).toLowerCase()} (${scoreWords(best.score)}), weakest in ${titleOf(worst.id).toLowerCase()} (${scoreWords(worst.score)}).`;
}

/** Against a year before the last point, or the first that was graded; null where none was. */
function past(assessment: Assessment, trend: readonly TrendPoint[]): string | null {
  const end = Date.parse(trend.at(-1)?.as_of ?? '');
  const graded = trend.slice(0, -1).filter(({ grade }) => grade !== null);
  const before = graded.findLast(({ as_of }) => end - Date.parse(as_of) >= yearMs) ?? graded[0];
  if (!before?.grade || before.score === null) return null;
  const moves = assessment.dimensions
    .flatMap(({ id, score }) => {
      const old = before.dimensions.find((dimension) => dimension.id === id)?.score ?? null;
      return score === null || old === null || Math.abs(score - old) < minMove ? [] : [{ id, score, old }];
    })
    .toSorted((a, b) => Math.abs(b.score - b.old) - Math.abs(a.score - a.old));
  const told = moves
    .slice(0, 2)
    .map(
      ({ id, score, old }) =>
        `${titleOf(id).toLowerCase()} ${score > old ? 'rose' : 'fell'} from ${scoreWords(old)} to ${scoreWords(score)}`,
    );
  return `On ${before.as_of} it was graded ${before.grade}, ${scoreWords(before.score)} of 100: since then ${told.join(', ') || 'no dimension has moved much'}.`;
}

function work({ remediation }: Assessment, keyRisks: readonly { hours: Range | null }[]): string {
  const likely = keyRisks.reduce((sum, { hours }) => sum + (hours?.likely ?? 0), 0);
  const risks =
    keyRisks.length === 0
      ? 'No factor that was measured is a key risk'
      : likely === 0
        ? 'The key risks take time and people rather than hours of work'
        : `The key risks take about ${hourWords(likely)} h of work`;
  return `${risks}; putting right all that was found takes ${hoursWords(remediation)} (${costWords(remediation)}).`;
}

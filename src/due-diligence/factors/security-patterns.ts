import { numberWords } from '../report-words.ts';
import { minutes } from '../scoring-model.ts';
import type { Measures } from './factor.ts';
import { defineFactor, each } from './factor.ts';

/** One may be a mistake of the rule's. */
const manyHigh = 3;
/** From here on no other code makes up for it, however much there is: no repository of the population has as many. */
const tooManyHigh = 25;
/** In so many lines for each the rule may be mistaken as often. */
const linesForEach = 4_000;
/** Where a provider's secret was given away, too, fewer are enough: of the factor's points nothing is left. */
const tooManyWithSecrets = 7;

export const securityPatterns = defineFactor({
  id: 'security.patterns',
  dimension: 'security',
  title: 'Insecure patterns',
  risk: 'critical',
  ofCode: true,
  inputs: ['security_pattern_finding_count'],
  points: null,
  sources:
    'OpenSSF Scorecard: a dangerous workflow is 0; else 100 - 10 x binaries - 5 x others; insecure code, our own choice: 15 of high severity, 5 of medium, 1 of low or in tests and what others wrote, these 10 at most; three of high severity cap the dimension, 25 and one for each 4,000 lines the whole, as do seven beside a provider’s secret; what production uses counts so wherever it lies, and one place that runs encoded code is enough',
  recommendation: 'Put the listed findings right, dangerous workflows first.',
  horizon: 'deal_critical',
  score: ({ quantity }) => {
    const of = (name: string) => quantity('security_pattern_finding_count', name);
    const code = 15 * of('code_high') + 5 * of('code_medium') + of('code_low') + Math.min(10, of('code_aside'));
    return of('dangerous_workflows') > 0 ? 0 : 100 - 10 * of('binaries') - 5 * of('others') - code;
  },
  cost: each(
    'security_pattern_finding_count',
    ['dangerous_workflows', minutes.effort_low],
    ['binaries', minutes.effort_medium],
    ['others', minutes.effort_low],
    ['code_high', minutes.effort_low],
    ['code_medium', minutes.effort_low],
  ),
  aims: { security_pattern_finding_count: 0 },
  caps({ quantity }) {
    const of = (name: string) => quantity('security_pattern_finding_count', name);
    // Code of others is large, and has such a place now and then.
    const isDense = of('code_high_used') >= Math.max(tooManyWithSecrets, of('lines_used') / linesForEach);
    return of('dangerous_workflows') > 0 || of('code_high') + (isDense ? of('code_high_used') : 0) >= manyHigh;
  },
  decides: verdictOn,
});

/** Code that lets anybody in is not made safe by other code beside it, wherever it lies. */
function verdictOn({ quantity, production }: Measures): string | null {
  const of = (name: string) => quantity('security_pattern_finding_count', name);
  const used = of('code_high_used');
  const high = of('code_high') + used;
  const lines = production + of('lines_used');
  const secrets = quantity('secret_finding_count', 'provider');
  if (of('code_hidden') > 0) return hiddenWords(of('code_hidden'));
  const found = `${numberWords(high)} places in ${used > 0 ? 'the code of the program' : 'production code'} are insecure with high severity${usedWords(used)}`;
  if (high >= Math.max(tooManyHigh, lines / linesForEach)) return found;
  return secrets > 0 &&
    high >= Math.max(tooManyWithSecrets, (lines * tooManyWithSecrets) / (tooManyHigh * linesForEach))
    ? `${found}, and ${numberWords(secrets)} secret${secrets === 1 ? '' : 's'} of providers were given away`
    : null;
}

const usedWords = (used: number) =>
  used === 0
    ? ''
    : `, ${numberWords(used)} of them in files that lie beside it (among tests, the code of others, build output, data) and that production code uses`;

const hiddenWords = (hidden: number) =>
  `${numberWords(hidden)} ${hidden === 1 ? 'place runs' : 'places run'} code that stands there only encoded, so that nobody who reads it sees it`;

import type { StatementFlag } from '../../../src/model/statement-flags.ts';
import { leakScore } from '../leaks.ts';
import { wordsIn } from './statement.ts';
import { statementFlags } from './statement-flags.ts';
import { isShort } from './clarity.ts';
import { saysWhatHappens } from './told.ts';
import type { Told } from './told.ts';

/** So many words behind its title describe what was wrong; with fewer it is the title alone that does. */
const minWordsLeft = 20;

/** Who says much more of how it was mended than of what was wrong says too little of that. */
const minShareLeft = 2 / 5;

/** So many ends are tried, the last first: each reads the patch anew. */
const maxEnds = 50;

/** What an end may take away. */
const cutFor: readonly StatementFlag[] = ['tells_the_fix', 'names_hidden_test'];

/**
 * The statement as it is given, and what is against that. Whoever says first what was wrong and then how it was mended has told
 * enough before: from the first sentence that tells it on, the rest is left out. Where that leaves too little, or takes what the
 * tests ask for, the statement stays whole, and flagged.
 */
export function cutStatement(told: Told): Pick<Told, 'statement' | 'leakScore'> & { flags: StatementFlag[] } {
  const { statement, leakScore: leaks } = told;
  const flags = statementFlags(told);
  // What is left says no more than the whole does.
  if (flags.length === 0 || flags.some((flag) => !cutFor.includes(flag))) return { statement, leakScore: leaks, flags };
  for (const end of endsOf(statement).toReversed().slice(0, maxEnds)) {
    const left = statement.slice(0, end).trimEnd();
    if (leadsOn(left)) continue;
    const [title = ''] = left.split('\n', 1);
    const words = wordsIn(left);
    if (words - wordsIn(title) < minWordsLeft) return titleOf(told, flags);
    if (words < wordsIn(statement) * minShareLeft) break;
    // What quotes nothing of the patch needs no look at what was there before.
    const rest = { ...told, statement: left, leakScore: leaks > 0 ? leakScore(left, told.patch, new Set()) : 0 };
    if (statementFlags(rest).length === 0) return { statement: left, leakScore: rest.leakScore, flags: [] };
  }
  return { statement, leakScore: leaks, flags };
}

/** The title alone, where that says by itself what happens; else the whole. */
function titleOf(told: Told, flags: StatementFlag[]): ReturnType<typeof cutStatement> {
  const { statement, leakScore: leaks } = told;
  const title = statement.split('\n', 1)[0]?.trim() ?? '';
  const rest = { ...told, statement: title, leakScore: leaks > 0 ? leakScore(title, told.patch, new Set()) : 0 };
  const saysIt = !isShort(title) && saysWhatHappens(title);
  return saysIt && statementFlags(rest).length === 0
    ? { statement: title, leakScore: rest.leakScore, flags: [] }
    : { statement, leakScore: leaks, flags };
}

/** Where sentences, paragraphs and entries of lists end, outside of blocks of code. */
function endsOf(statement: string): number[] {
  const ends = Array.from(
    statement.matchAll(/(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?](?=["'`)]{0,3}\s)|\n(?=\s*(?:\n|[*-]\s|\d+[.)]\s))/gi),
    ({ 0: mark, index }) =>
      mark === '\n' ? index : index + 1 + (/^["'`)]*/.exec(statement.slice(index + 1, index + 4))?.[0].length ?? 0),
  );
  const fences = Array.from(statement.matchAll(/^[^\S\n]{0,20}(?:```|~~~)/gm), ({ index }) => index);
  const isInBlock = (end: number) => fences.filter((fence) => fence < end).length % 2 === 1;
  return ends.filter((end) => !isInBlock(end));
}

/** Whether its last line is a heading, or leads to a list, an example or a text that is not there: the sentence is then no end. */
const leadsOn = (text: string): boolean =>
  /:$|^#{1,6}\s.*$|^\*\*[^*]{0,80}\*\*$|^\s*[*-]$/.test(text.slice(text.lastIndexOf('\n') + 1));

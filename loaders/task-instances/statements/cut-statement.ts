import type { StatementFlag } from '../../../src/model/statement-flags.ts';
import { leakScore } from '../leaks.ts';
import { wordsIn } from './statement.ts';
import { statementFlags } from './statement-flags.ts';
import { isShort } from './clarity.ts';
import { interfaceOf } from './interface.ts';
import { saysWhatHappens, textsOf } from './told.ts';
import type { Told } from './told.ts';

/** So many words behind its title describe what was wrong; with fewer it is the title alone that does. */
const minWordsLeft = 20;

/** Who says much more of how it was mended than of what was wrong says too little of that. */
const minShareLeft = 2 / 5;

/** So many ends are tried, the last first: each reads the patch anew. */
const maxEnds = 50;

/** What an end may take away. */
const cutFor: readonly StatementFlag[] = ['tells_the_fix', 'names_hidden_test'];

type Untold = Omit<Told, 'interface'>;

/** A statement as it is given, and what is against that. */
export interface GivenStatement {
  statement: string;
  /** What tests ask for and it does not say; empty where there is nothing. */
  interface: string;
  leakScore: number;
  flags: StatementFlag[];
}

/**
 * Whoever says first what was wrong and then how it was mended has told enough before: from the first sentence that tells it on, the
 * rest is left out. Where that leaves too little the statement stays whole, and flagged. What the tests ask for and it does not say
 * is told behind it.
 */
export function cutStatement(told: Untold): GivenStatement {
  const { statement } = told;
  const given = givenAs(statement, told);
  // What is left says no more than the whole does.
  if (given.flags.length === 0 || given.flags.some((flag) => !cutFor.includes(flag))) return given;
  for (const end of endsOf(statement).toReversed().slice(0, maxEnds)) {
    const left = statement.slice(0, end).trimEnd();
    if (leadsOn(left)) continue;
    const [title = ''] = left.split('\n', 1);
    const words = wordsIn(left);
    if (words - wordsIn(title) < minWordsLeft) return titleOf(told) ?? given;
    if (words < wordsIn(statement) * minShareLeft) break;
    const rest = givenAs(left, told);
    if (rest.flags.length === 0) return rest;
  }
  return given;
}

/** The title alone, where that says by itself what happens. */
function titleOf(told: Untold): GivenStatement | null {
  const title = told.statement.split('\n', 1)[0]?.trim() ?? '';
  const rest = !isShort(title) && saysWhatHappens(title) ? givenAs(title, told) : null;
  return rest?.flags.length === 0 ? rest : null;
}

/** What is left of a statement, with what it does not say. */
function givenAs(statement: string, told: Untold): GivenStatement {
  const isWhole = statement === told.statement;
  // What quotes nothing of the patch needs no look at what was there before.
  const leaks = isWhole || told.leakScore === 0 ? told.leakScore : leakScore(statement, told.patch, new Set());
  const left = { ...told, statement, leakScore: leaks, interface: '' };
  const more = interfaceOf(textsOf(left));
  return { statement, interface: more, leakScore: leaks, flags: statementFlags({ ...left, interface: more }) };
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

import type { Change } from '../model/change.ts';
import { plain } from '../model/plain.ts';
import { sectionsOf, summaryOf, type Part } from './sections.ts';

/** A comment is never longer: what a reviewer reads. In characters (UTF-16). */
export const maxCommentLength = 6_000;
/** Of one row, and the first rows of each list. */
const maxRowLength = 300;
const maxRows = 10;

/** A change as a comment on a pull request: the most important first, and what is too much left out and counted. */
export function changeMarkdown(change: Change): string {
  const { base, head, notes } = change;
  const heading = [
    `### What this change does`,
    '',
    `${shortened(escaped(summaryOf(change)), maxRowLength)} ${codeSpan(`${base.slice(0, 10)}..${head.slice(0, 10)}`)}`,
    ...notes.slice(0, 3).map((note) => `> ${shortened(escaped(note), maxRowLength)}`),
  ].join('\n');
  let text = heading;
  let left = 0;
  const isFull = (more: string) => text.length + more.length + room > maxCommentLength;
  for (const { title, total, rows, alarming } of sectionsOf(change)) {
    const head = `\n\n**${alarming ? '⚠ ' : ''}${title}** (${total})\n`;
    const [first] = rows;
    if (first === undefined || isFull(head + rowOf(first))) {
      left += total;
      continue;
    }
    text += head;
    let shown = 0;
    for (const row of rows.slice(0, maxRows)) {
      const next = rowOf(row);
      if (isFull(next)) break;
      text += next;
      shown += 1;
    }
    if (shown < total) text += `\n- … ${total - shown} more`;
  }
  if (left > 0) text += `\n\n${left} more: ${codeSpan('repo-intel diff')} has them.`;
  return `${text}\n`;
}

/** Kept free for what is said of what is left out. */
const room = 120;

const rowOf = (row: readonly Part[]) => {
  let text = '';
  for (const part of row) {
    const most = maxRowLength - text.length;
    if (most < 10) break;
    text += typeof part === 'string' ? shortened(escaped(part), most) : codeSpan(shortened(part.code, most - 4));
  }
  return `\n- ${text}`;
};

const shortened = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** Names come from a repository: no one of them ends the span, mentions somebody, or is markup. */
const codeSpan = (text: string) => `\`${plain(text).replaceAll('`', "'")}\``;
const escaped = (text: string) => plain(text).replaceAll(/[\\`*_{}[\]<>#|@~]/g, (mark) => `\\${mark}`);

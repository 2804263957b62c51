import type { Change } from '../model/change.ts';
import { plain } from '../model/plain.ts';
import { sectionsOf, summaryOf } from './sections.ts';

/** How a text is marked where it is shown. */
export type Paint = (style: 'bold' | 'dim' | 'red', text: string) => string;

/** So many of each list are shown to people; the JSON has more. */
const maxShown = 12;

/** A change for people at a terminal, the most important first. */
export function changeText(change: Change, paint: Paint): string {
  const { repository, base, head, notes } = change;
  const lines = [`${paint('bold', repository)} ${base.slice(0, 10)}..${head.slice(0, 10)}: ${summaryOf(change)}`];
  for (const note of notes) lines.push(paint('dim', plain(note)));
  for (const { title, total, rows, alarming } of sectionsOf(change)) {
    lines.push('', paint(alarming ? 'red' : 'bold', `${title} (${total})`));
    for (const row of rows.slice(0, maxShown))
      lines.push(`  ${plain(row.map((part) => (typeof part === 'string' ? part : part.code)).join(''))}`);
    if (total > maxShown) lines.push(paint('dim', `  … ${total - maxShown} more`));
  }
  return `${lines.join('\n')}\n`;
}

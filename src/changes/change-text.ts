import type { Change, ChangedSymbol, ChangeSymbol } from '../model/change.ts';

/** How a text is marked where it is shown. */
export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string;

/** So many of each list are shown to people; `--json` has more. */
const maxShown = 12;

/** A change for people, the most important first. */
export function changeText(change: Change, paint: Paint): string {
  const { repository, base, head, notes, symbols, affected, broken, tests } = change;
  const lines = [`${paint('bold', repository)} ${base.slice(0, 10)}..${head.slice(0, 10)}: ${summaryOf(change)}`];
  for (const note of notes) lines.push(paint('dim', note));
  const section = <T>(title: string, list: { total: number; items: readonly T[] }, line: (item: T) => string) => {
    if (list.total === 0) return;
    lines.push('', `${paint('bold', title)} (${list.total})`);
    for (const item of list.items.slice(0, maxShown)) lines.push(`  ${line(item)}`);
    if (list.total > maxShown) lines.push(paint('dim', `  … ${list.total - maxShown} more`));
  };
  section('Broken: they did not change, and what they use is gone', broken, ({ from, path, line, to, now }) =>
    paint(
      'red',
      `${from} (${path}:${line}) uses ${to}${now === null ? ', which was removed' : `, which is ${now} now`}`,
    ),
  );
  section('Changed', symbols.changed, (symbol) => `${paint('yellow', '~')} ${changedText(symbol)}`);
  section('Removed', symbols.removed, (symbol) => `${paint('red', '-')} ${placed(symbol)}`);
  section('Added', symbols.added, (symbol) => `${paint('green', '+')} ${placed(symbol)}`);
  section('Affected', affected, ({ id, path, line, depth, way }) => {
    const through = depth > 1 ? `, by way of ${way.slice(1, -1).map(nameOf).join(', ')}` : '';
    return `${id} (${path}:${line}) ← ${nameOf(way.at(-1) ?? '')}${through}`;
  });
  section('No test reaches', tests.untested, placed);
  section('Tests that reach it', tests.reaching, ({ id, reaches }) => `${id} (${reaches})`);
  return `${lines.join('\n')}\n`;
}

/** In a few words: what changed, and who feels it. */
export function summaryOf({ files, symbols, affected, broken, only_comments }: Change): string {
  if (files.total === 0) return 'nothing differs.';
  if (only_comments) return `only comments differ, in ${counted(files.total, 'file')}.`;
  const { added, removed, changed } = symbols;
  const parts = [
    [changed.total, 'changed'],
    [added.total, 'added'],
    [removed.total, 'removed'],
  ] as const;
  const said = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]));
  const what = said.length === 0 ? 'no function or class differs' : `functions and classes: ${said.join(', ')}`;
  const who = affected.total === 0 ? '' : `; ${affected.total} others affected`;
  const bad = broken.total === 0 ? '' : `, ${broken.total} broken`;
  return `${counted(files.total, 'file')}, ${what}${who}${bad}.`;
}

function changedText({ parts, before, ...symbol }: ChangedSymbol): string {
  const from = before.id === symbol.id ? '' : `, was ${before.id}`;
  const [was, is] = [before.signature, symbol.signature];
  const signature = parts.includes('signature') && was !== is && was !== null ? `: ${was} → ${is}` : '';
  return `${placed(symbol)} ${parts.join(', ')}${from}${signature}`;
}

const placed = ({ id, line }: Pick<ChangeSymbol, 'id' | 'line'>) => `${id}:${line}`;
const nameOf = (id: string) => id.slice(id.indexOf('#') + 1);
const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

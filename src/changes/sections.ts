import type { Change, ChangedSymbol, ChangeSymbol } from '../model/change.ts';

/** Words, and what is code. */
export type Part = string | { code: string };

/** One list of what a change does. */
export interface Section {
  title: string;
  /** How many rows there are in all; `rows` has the first. */
  total: number;
  rows: readonly (readonly Part[])[];
  /** It asks for a look before the change goes in. */
  alarming: boolean;
}

/** What a change does, the most important first; what is empty is left out. */
export function sectionsOf(change: Change): Section[] {
  const { symbols, broken, elsewhere, affected, tests, endpoints, models, dependencies, people, diligence } = change;
  const sections: Section[] = [];
  const add = <T>(
    title: string,
    { total, items }: { total: number; items: readonly T[] },
    row: (item: T) => Part[],
    alarming = false,
  ) => {
    if (total > 0) sections.push({ title, total, rows: items.map(row), alarming });
  };
  add(
    'Broken: what they use is gone, or takes other arguments',
    broken,
    ({ from, line, to, now, arguments: passed }) => [
      { code: `${from}:${line}` },
      passed === null ? ' uses ' : ` passes ${passed} ${passed === 1 ? 'argument' : 'arguments'} to `,
      { code: to },
      ...(passed !== null
        ? [', which takes others now']
        : now === null
          ? [', which was removed']
          : [', which is ', { code: now }, ' now']),
    ],
    true,
  );
  if (elsewhere)
    add(
      'Uses in other repositories',
      { ...elsewhere, items: elsewhere.items.toSorted((a, b) => Number(b.broken) - Number(a.broken)) },
      ({ repository, from, path, line, to, broken: isBroken }) => [
        { code: `${repository}/${from || `${path}:${line}`}` },
        isBroken ? ' is broken: it uses ' : ' uses ',
        { code: to },
      ],
      elsewhere.items.some((each) => each.broken),
    );
  if (diligence) {
    const finding = ({ path, line, note, metric }: (typeof diligence.findings.new.items)[number]): Part[] => [
      { code: line === null ? path : `${path}:${line}` },
      ` ${metric.replaceAll('_', ' ').replace(/ (?:count|pct)$/, '')}`,
      ...(note === null ? [] : [': ', { code: note }]),
    ];
    add('New findings', diligence.findings.new, finding, true);
    const grades = diligence.grades.filter((grade) => grade.before !== grade.after);
    add(
      'Grades',
      { total: grades.length, items: grades },
      ({ id, before, after, ...scores }) => [
        `${id.replaceAll('_', ' ')}: ${before ?? 'none'} → ${after ?? 'none'} (${scores.score_before ?? '–'} → ${scores.score_after ?? '–'})`,
      ],
      grades.some(isLower),
    );
  }
  const offered = ({ name, path, line, lost }: Change['endpoints']['broken']['items'][number]): Part[] => [
    { code: name },
    lost.length === 0 ? ' is gone, it was at ' : ` lost ${lost.join(', ')}: `,
    { code: line === null ? path : `${path}:${line}` },
  ];
  add('Endpoints that are gone', endpoints.broken, offered, true);
  add('Data models that lost something', models.broken, offered, true);
  add('Changed', { ...symbols.changed, items: byImportance(symbols.changed.items) }, changedRow);
  add('Removed', { ...symbols.removed, items: byImportance(symbols.removed.items) }, placed);
  add('Added', { ...symbols.added, items: byImportance(symbols.added.items) }, placed);
  add('Affected', affected, ({ id, line, depth, way }) => {
    const through = way.slice(1, -1).map(nameOf).join(' ← ');
    return [
      { code: `${id}:${line}` },
      ' ← ',
      { code: [through, nameOf(way.at(-1) ?? '')].filter(Boolean).join(' ← ') },
      depth > 1 ? ` (${depth} calls away)` : '',
    ];
  });
  add('No test reaches', tests.untested, placed);
  add('Dependencies', dependencies, ({ ecosystem, name, status, scope, before, after, path }) => [
    `${status} `,
    { code: name },
    status === 'changed' ? ` ${before ?? 'any'} → ${after ?? 'any'}` : ` ${after ?? before ?? ''}`,
    ` (${ecosystem}, ${scope}, `,
    { code: path },
    ')',
  ]);
  add('New endpoints', endpoints.added, ({ name, path }) => [{ code: name }, ' in ', { code: path }]);
  add('New data models', models.added, ({ name, path }) => [{ code: name }, ' in ', { code: path }]);
  add('Tests that reach it', tests.reaching, ({ id, reaches }) => [{ code: id }, ` (${reaches})`]);
  if (diligence) {
    add('Findings that are fixed', diligence.findings.fixed, ({ path, note, metric }) => [
      { code: path },
      ` ${metric}`,
      ...(note === null ? [] : [': ', { code: note }]),
    ]);
    add(
      'Hotspots that it touches',
      diligence.hotspots,
      ({ path, changes_12m: changes, complexity, people_12m: who }) => [
        { code: path },
        ` ${changes} changes in 12 months by ${who}, complexity ${complexity}`,
      ],
    );
    add('Figures', { total: diligence.figures.length, items: diligence.figures }, ({ id, unit, before, after }) => [
      `${id}: ${before ?? 'not measured'} → ${after ?? 'not measured'} ${unit}`,
    ]);
  }
  add('Who knows these files', people, ({ name, files }) => [{ code: name }, ` ${files}`]);
  return sections;
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

/** A grade is worse, or is no more. A is before B. */
export const isLower = ({ before, after }: { before: string | null; after: string | null }): boolean =>
  before !== null && (after === null || after > before);

/** Production before tests, what others see before what they don't, signatures before bodies. */
function byImportance<T extends ChangeSymbol & Partial<Pick<ChangedSymbol, 'parts'>>>(symbols: readonly T[]): T[] {
  const weight = ({ test, exported, parts }: T) =>
    (test ? 0 : 4) + (exported ? 2 : 0) + (parts?.some((part) => part !== 'body' && part !== 'place') ? 1 : 0);
  return symbols.toSorted((a, b) => weight(b) - weight(a));
}

function changedRow({ parts, before, ...symbol }: ChangedSymbol): Part[] {
  const [was, is] = [before.signature, symbol.signature];
  return [
    ...placed(symbol),
    ` ${parts.join(', ')}`,
    ...(before.id === symbol.id ? [] : [', was ', { code: before.id }]),
    ...(parts.includes('signature') && was !== is && was !== null ? [': ', { code: `${was} → ${is}` }] : []),
  ];
}

const placed = ({ id, line }: Pick<ChangeSymbol, 'id' | 'line'>): Part[] => [{ code: `${id}:${line}` }];
const nameOf = (id: string) => id.slice(id.indexOf('#') + 1);
const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

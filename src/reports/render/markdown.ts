import { plain } from '../../model/plain.ts';
import type { Cell, ReportDocument, Section } from '../document.ts';

/** Tables of GitHub Flavored Markdown, for people. */
export function renderMarkdown({ title, sections }: ReportDocument): string {
  const blocks = Object.values(sections).flatMap((section) => [
    `## ${escape(section.title)}`,
    ...(section.notes ?? []).map(escape),
    section.rows.length === 0 ? 'None.' : section.facts ? facts(section) : table(section),
  ]);
  return `${[`# ${escape(title)}`, ...blocks].join('\n\n')}\n`;
}

function table({ columns, rows }: Section): string {
  const numeric = Object.keys(columns).map((id) => rows.every((row) => typeof (row[id] ?? 0) === 'number'));
  return [
    line(Object.values(columns)),
    `| ${numeric.map((right) => (right ? '---:' : '---')).join(' | ')} |`,
    ...rows.map((row) => line(Object.keys(columns).map((id) => row[id]))),
  ].join('\n');
}

function facts({ columns, rows }: Section): string {
  const pairs = rows.flatMap((row) => Object.entries(columns).map(([id, title]) => line([title, row[id]])));
  return ['| | |', '| --- | --- |', ...pairs].join('\n');
}

const line = (cells: readonly (Cell | undefined)[]) =>
  `| ${cells.map((cell) => escape(String(cell ?? '–'))).join(' | ')} |`;

/** Text that means itself: no markup, no link, no second line, nothing that can't be seen. */
const escape = (text: string) =>
  plain(text.replaceAll(/\s+/g, ' ').trim()).replaceAll(/[\\`*_{}[\]<>#+!|~&]/g, String.raw`\$&`);

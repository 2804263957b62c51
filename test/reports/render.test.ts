import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import type { ReportDocument } from '../../src/reports/document.ts';
import { renderCsv } from '../../src/reports/render/csv.ts';
import { renderMarkdown } from '../../src/reports/render/markdown.ts';

/** Clears the screen, sets the title of the window, turns what follows around, begins another line over this one. */
const steering = '\u001b[2J\u001b]0;owned\u0007\u202egpj.exe\u009b1m\u2066\u200f\rover';
const unseen = /[^\P{Cc}\r\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const cells = [steering, '=HYPERLINK("http://x")', `=1+1${steering}`, 'two\nlines', '<b>[a](b)|', 'Grüße 👩‍💻 שלום'];
const report = {
  title: `Report ${steering}`,
  sections: {
    names: { title: steering, notes: [steering], columns: { name: 'Name' }, rows: cells.map((name) => ({ name })) },
  },
} as unknown as ReportDocument;

describe('reports: what a repository calls its things', () => {
  it('steers no terminal and runs in no spreadsheet, as CSV', () => {
    const text = renderCsv(report);
    expect(text).not.match(unseen);
    const names = (parse(text, { columns: true }) as unknown as Record<string, string>[]).map(({ name }) => name);
    expect(names.slice(1)).deep.equals([
      '\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{202e}gpj.exe\\u{9b}1m\\u{2066}\\u{200f}\\u{d}over',
      `'=HYPERLINK("http://x")`,
      `'=1+1\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{202e}gpj.exe\\u{9b}1m\\u{2066}\\u{200f}\\u{d}over`,
      ...cells.slice(3),
    ]);
  });

  it('steers no terminal and is no markup, as Markdown', () => {
    const text = renderMarkdown(report);
    expect(text).not.match(unseen);
    expect(text)
      .include(String.raw`\\u\{1b\}\[2J`)
      .and.include(String.raw`\<b\>\[a\](b)\|`)
      .and.include('two lines');
  });
});

// How many lines the grammars can't read of what public histories hold: a table by language, in markdown, and with `--lines` each range.
// Arguments: git directories. Of each at most 60 files of a language, the first by the SHA-256 of their path, of at most 500 kB; not
// what lies in folders of others' code and of samples. Each file by itself, so C and C++ without the macros of other files.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createExtractor } from '../loaders/extraction/extract.ts';
import { languageOf } from '../loaders/languages/index.ts';
import type { Language } from '../loaders/languages/language.ts';

const { positionals: gitDirs, values } = parseArgs({
  allowPositionals: true,
  options: { lines: { type: 'boolean', default: false } },
});
if (gitDirs.length === 0) throw new Error('Say which git directories are to be read.');
const maxFiles = 60;
const maxBytes = 500_000;
const aside =
  /(^|\/)(vendor|node_modules|third_party|dist|build|fixtures?|testdata|test-data|samples?|examplefiles|templates)\/|\.min\.js$/i;

interface Blob {
  id: string;
  path: string;
  language: Language;
}

const extractor = await createExtractor();
const sums = new Map<string, { files: number; lines: number; unparsedFiles: number; unparsed: number }>();
for (const gitDir of gitDirs) {
  if (!existsSync(join(gitDir, 'HEAD'))) console.log(`${gitDir} is no git directory, and left out.`);
  else for (const [blob, content] of contentsOf(gitDir, blobsOf(gitDir))) count(gitDir, blob, content);
}
extractor.close();

console.log('| language | files | lines | files with lines that are not read | lines that are not read | of all |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const [id, { files, lines, unparsedFiles, unparsed }] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(
    `| ${id} | ${files} | ${lines} | ${unparsedFiles} | ${unparsed} | ${((100 * unparsed) / lines).toFixed(3)} % |`,
  );

function git(gitDir: string, args: string[], input?: string): Buffer {
  return execFileSync('git', ['--git-dir', gitDir, ...args], {
    maxBuffer: 2 ** 30,
    ...(input !== undefined && { input }),
  });
}

function blobsOf(gitDir: string): Blob[] {
  const blobs = git(gitDir, ['ls-tree', '-r', '-l', '-z', 'HEAD'])
    .toString()
    .split('\0')
    .flatMap((entry): Blob[] => {
      const [, id = '', size, path = ''] = /^100\d+ blob (\w+) +(\d+)\t(.*)$/s.exec(entry) ?? [];
      const language = languageOf(path);
      return language === null || aside.test(path) || Number(size) > maxBytes ? [] : [{ id, path, language }];
    });
  const byLanguage = Map.groupBy(blobs, ({ language }) => language.id);
  return [...byLanguage.values()].flatMap((each) =>
    each.sort((a, b) => inOrder(digest(a), digest(b))).slice(0, maxFiles),
  );
}

function digest({ path }: Blob): string {
  return createHash('sha256').update(path).digest('hex');
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function* contentsOf(gitDir: string, blobs: readonly Blob[]): Generator<[Blob, Buffer]> {
  if (blobs.length === 0) return;
  const answer = git(gitDir, ['cat-file', '--batch'], blobs.map(({ id }) => `${id}\n`).join(''));
  let at = 0;
  for (const blob of blobs) {
    const end = answer.indexOf('\n', at);
    const size = Number(answer.toString('latin1', at, end).split(' ')[2]);
    yield [blob, answer.subarray(end + 1, end + 1 + size)];
    at = end + 1 + size + 1;
  }
}

function count(gitDir: string, { path, language }: Blob, content: Buffer): void {
  const { lines, unparsed } = extractor.extract(language, content, path);
  const sum = sums.get(language.id) ?? { files: 0, lines: 0, unparsedFiles: 0, unparsed: 0 };
  sums.set(language.id, {
    files: sum.files + 1,
    lines: sum.lines + lines,
    unparsedFiles: sum.unparsedFiles + (unparsed.length > 0 ? 1 : 0),
    unparsed: sum.unparsed + unparsed.reduce((all, [from, to]) => all + to - from + 1, 0),
  });
  if (values.lines)
    for (const [from, to] of unparsed) console.log(`${language.id} ${basename(dirname(gitDir))}:${path}:${from}-${to}`);
}

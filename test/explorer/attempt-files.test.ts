import { expect } from 'chai';
import { createTwoFilesPatch, structuredPatch } from 'diff';
import { compareFiles } from '../../src/explorer/app/views/attempt-files.ts';
import type { Cell, Row } from '../../src/explorer/app/views/attempt-files.ts';

const patchOf = (path: string, from: string, to: string) =>
  createTwoFilesPatch(`a/${path}`, `b/${path}`, from, to, undefined, undefined, { context: 3 });

/** What a side's lines make of the base, and what they say that the base was. */
const textsOf = (rows: readonly Row[], side: 'attempt' | 'fix') => {
  const cells = rows.flatMap((row) => row?.[side] ?? []).filter(({ kind }) => kind !== 'blank');
  const text = (kinds: readonly Cell['kind'][]) =>
    cells.filter(({ kind }) => kinds.includes(kind)).map((cell) => cell.text);
  return { before: text(['same', 'removed']), after: text(['same', 'added']) };
};

describe('two patches beside each other', () => {
  // From a seed, so that what fails fails again.
  let seed = 7;
  const chance = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const changed = (lines: readonly string[]) =>
    lines.flatMap((line) => {
      const what = chance(12);
      if (what === 0) return [];
      if (what === 1) return [`other ${chance(5)}`];
      return what === 2 ? [`new ${chance(5)}`, line] : [line];
    });

  it('stand by lines of the base: each side says its own change, and rows of the base are one line', () => {
    for (let round = 0; round < 200; round++) {
      const base = Array.from({ length: 1 + chance(60) }, (_, line) => `line ${line}`);
      const sides = { attempt: changed(base), fix: changed(base) };
      const [ours, theirs] = [sides.attempt, sides.fix].map((lines) =>
        patchOf('x.js', `${base.join('\n')}\n`, lines.map((line) => `${line}\n`).join('')),
      );
      const [file] = compareFiles(ours ?? '', theirs ?? '') ?? [];
      for (const row of file?.rows ?? [])
        if (row?.attempt.line != null)
          expect([row.attempt.line, row.attempt.text]).deep.equals([row.fix.line, row.fix.text]);
      for (const side of ['attempt', 'fix'] as const) {
        const told = textsOf(file?.rows ?? [], side);
        const own = (file?.rows ?? []).flatMap((row) => row?.[side] ?? []).filter(({ isOwn }) => isOwn);
        const changedText = sides[side].map((line) => `${line}\n`).join('');
        const before = `${base.join('\n')}\n`;
        const { hunks } = structuredPatch('x', 'x', before, changedText, undefined, undefined, { context: 3 });
        const said = hunks.flatMap(({ lines }) => lines);
        const signs = { same: ' ', added: '+', removed: '-', blank: '' };
        expect(own.map(({ kind, text }) => signs[kind] + text).toSorted()).deep.equals(said.toSorted());
        const shown = (file?.rows ?? []).flatMap((row) => row?.[side].line ?? []);
        expect(told.before).deep.equals(shown.map((line) => base[line - 1]));
      }
    }
  });

  it('begin with the files that both change, and tell which one alone changes and where they say the same', () => {
    const one = patchOf('both.js', 'a\nb\n', 'a\nc\n');
    const attempt = `${one}${patchOf('same.js', 'x\n', 'y\n')}${patchOf('ours.js', '', 'new\n')}`;
    const fix = `${patchOf('theirs.js', 'x\n', '')}${patchOf('same.js', 'x\n', 'y\n')}${patchOf('both.js', 'a\nb\n', 'a\nd\n')}`;
    expect(compareFiles(attempt, fix)?.map(({ path, touchedBy, isEqual }) => [path, touchedBy, isEqual])).deep.equals([
      ['both.js', 'both', false],
      ['same.js', 'both', true],
      ['ours.js', 'attempt', false],
      ['theirs.js', 'fix', false],
    ]);
    const [both] = compareFiles(attempt, fix) ?? [];
    expect(both?.rows.map((row) => [row?.attempt.kind, row?.fix.text])).deep.equals([
      ['same', 'a'],
      ['removed', 'b'],
      ['added', 'd'],
    ]);
  });

  it('are read as git writes them: new, removed, renamed and binary files', () => {
    const patch = [
      'diff --git a/new.js b/new.js\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/new.js\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n',
      'diff --git a/old.js b/old.js\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/old.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
      'diff --git a/from.js b/to.js\nsimilarity index 100%\nrename from from.js\nrename to to.js\n',
      'diff --git a/x.png b/x.png\nindex 1111111..2222222 100644\nBinary files a/x.png and b/x.png differ\n',
    ].join('');
    const files = compareFiles(patch, '') ?? [];
    expect(files.map(({ path, notes }) => [path, ...notes.attempt])).deep.equals([
      ['new.js', 'a new file'],
      ['old.js', 'removes the file'],
      ['to.js', 'renamed from from.js'],
      ['x.png', 'binary'],
    ]);
    expect(files[0]?.rows.map((row) => row?.attempt.text)).deep.equals(['a']);
  });

  it('are not told by lines where they are no patches, or of another base', () => {
    expect(compareFiles('--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n gone\n', '')).equals(null);
    const [file] = compareFiles(patchOf('x.js', 'a\nb\n', 'a\nc\n'), patchOf('x.js', 'k\nl\n', 'k\nm\n')) ?? [];
    expect(textsOf(file?.rows ?? [], 'attempt').after).deep.equals(['a', 'c']);
    expect(textsOf(file?.rows ?? [], 'fix').after).deep.equals(['k', 'm']);
  });
});

import { expect } from 'chai';
import { changeMarkdown, maxCommentLength } from '../../src/changes/change-markdown.ts';
import { changeText } from '../../src/changes/change-text.ts';
import { missedGates } from '../../src/changes/gates.ts';
import { changeSchema, listed, type Change, type ChangeFinding } from '../../src/model/change.ts';

const nothing: Change = {
  repository: 'shop',
  base: 'a'.repeat(40),
  head: 'b'.repeat(40),
  notes: [],
  only_comments: false,
  files: listed([]),
  symbols: { added: listed([]), removed: listed([]), changed: listed([]) },
  edges: { gained: listed([]), lost: listed([]) },
  affected: { ...listed([]), by_depth: [] },
  broken: listed([]),
  elsewhere: null,
  tests: { reaching: listed([]), untested: listed([]) },
  endpoints: { added: listed([]), broken: listed([]) },
  models: { added: listed([]), broken: listed([]) },
  dependencies: listed([]),
  license: { before: null, after: null },
  people: listed([]),
  diligence: null,
};

const symbol = (name: string, more: { test?: boolean; exported?: boolean } = {}) => ({
  id: `src/a.ts#${name}`,
  name,
  kind: 'function',
  path: 'src/a.ts',
  line: 1,
  end_line: 2,
  signature: `${name}()`,
  exported: false,
  test: false,
  ...more,
});
const changed = (name: string, more = {}) => ({
  ...symbol(name, more),
  parts: ['body' as const],
  before: { id: `src/a.ts#${name}`, path: 'src/a.ts', line: 1, signature: `${name}()` },
});
const broken = (from: string) => ({
  repository: null,
  from,
  path: 'src/b.ts',
  line: 3,
  to: 'src/a.ts#old',
  now: null,
  arguments: null,
});
const secret: ChangeFinding = { metric: 'secret_finding_count', path: 'a.env', line: 1, note: 'aws', gated: true };
const diligence = (more: Partial<NonNullable<Change['diligence']>> = {}): NonNullable<Change['diligence']> => ({
  findings: { new: listed([]), fixed: listed([]) },
  grades: [{ id: 'overall', before: 'B', after: 'B', score_before: 70, score_after: 69 }],
  figures: [],
  hotspots: listed([]),
  ...more,
});

/** With more of everything than anybody reads, and names that nobody would choose. */
const names = Array.from({ length: 3_000 }, (_, index) => `${'x`|<b>@all'.repeat(40)}${index}`);
const huge: Change = {
  ...nothing,
  notes: Array.from({ length: 50 }, () => 'y'.repeat(2_000)),
  files: listed(names.map((path) => ({ path, old_path: null, status: 'changed', what: 'code' }))),
  symbols: {
    added: listed(names.map((name) => symbol(name))),
    removed: listed(names.map((name) => symbol(name))),
    changed: listed(names.map((name) => changed(name))),
  },
  broken: listed(names.map(broken)),
  people: listed(names.map((name) => ({ name, files: 1 }))),
  diligence: diligence({ findings: { new: listed(names.map((path) => ({ ...secret, path }))), fixed: listed([]) } }),
};

describe('a change as a comment', () => {
  it('is never longer than a reviewer reads, the most important first, and says how much is left out', () => {
    for (const change of [nothing, huge, { ...huge, broken: listed([]) }, { ...huge, diligence: null }]) {
      const text = changeMarkdown(change);
      expect(text.length).to.be.lessThan(maxCommentLength);
    }
    const text = changeMarkdown(huge);
    expect(text.indexOf('Broken')).to.be.greaterThan(0).and.lessThan(text.indexOf('New findings'));
    expect(text).to.match(/… \d+ more/);
    expect(text).to.match(/\n\d+ more: `repo-intel diff` has them\.\n$/);
  });

  it('lets no name out of its code', () => {
    const text = changeMarkdown(huge);
    for (const line of text.split('\n').filter((each) => each.startsWith('- ')))
      expect(line.replaceAll(/`[^`]*`/g, ''), line).to.not.match(/@all|<b>/);
    const sly = { ...nothing, notes: ['# @everybody <img src=x>\n- [a](b)'] };
    expect(changeMarkdown(sly)).to.include('> \\# \\@everybody \\<img src=x\\>').and.not.include('\n- ');
  });

  it('has production before tests, and what others see before what they do not', () => {
    const items = [changed('own'), changed('tried', { test: true }), changed('seen', { exported: true })];
    const text = changeMarkdown({
      ...nothing,
      files: huge.files,
      symbols: { ...nothing.symbols, changed: listed(items) },
    });
    expect([...text.matchAll(/#(\w+):1/g)].map(([, name]) => name)).to.deep.equal(['seen', 'own', 'tried']);
  });

  it('is the same to a terminal, without what steers it', () => {
    const text = changeText(
      { ...nothing, files: huge.files, broken: listed([broken('src/b.ts#\u001b[2Jf')]) },
      (_, words) => words,
    );
    expect(text).to.include('Broken: what they use is gone, or takes other arguments (1)').and.not.include('\u001b');
  });

  it('says what a call passes that takes other arguments now', () => {
    const passing = { ...broken('src/b.ts#f'), now: 'src/a.ts#old', arguments: 1 };
    const change = { ...nothing, files: huge.files, broken: listed([passing]) };
    expect(changeMarkdown(change)).to.include(
      '`src/b.ts#f:3` passes 1 argument to `src/a.ts#old`, which takes others now',
    );
    expect(missedGates(change, ['broken-caller'])[0]?.sentence).to.include(
      '1 uses what is gone or takes other arguments, the first: src/b.ts#f passes 1 to src/a.ts#old',
    );
  });
});

describe('the gates of a change', () => {
  const missed = (change: Change) =>
    missedGates(change, ['untested-change', 'lower-grade', 'new-finding', 'broken-caller']).map(
      ({ sentence }) => sentence,
    );

  it('let a change pass that does nothing of it', () => {
    expect(missed({ ...nothing, diligence: diligence() })).to.deep.equal([]);
  });

  it('say each what is wrong, in one order', () => {
    const bad = diligence({
      findings: { new: listed([{ ...secret, gated: false, path: 'docs/a.md' }, secret]), fixed: listed([]) },
      grades: [
        { id: 'overall', before: 'B', after: 'C', score_before: 70, score_after: 60 },
        { id: 'security', before: 'A', after: null, score_before: 90, score_after: null },
        { id: 'ci', before: 'C', after: 'B', score_before: 60, score_after: 70 },
      ],
    });
    const tests = { reaching: listed([]), untested: listed([symbol('f')]) };
    expect(missed({ ...nothing, broken: listed([broken('src/b.ts#g')]), tests, diligence: bad })).to.deep.equal([
      'broken-caller: 1 uses what is gone or takes other arguments, the first: src/b.ts#g uses src/a.ts#old',
      'new-finding: 1 new, the first: aws at a.env:1',
      'lower-grade: overall B → C, security A → none',
      'untested-change: no test reaches 1 of the functions that changed, the first: src/a.ts#f',
    ]);
  });

  it('refuse what is not known', () => {
    expect(missed(nothing).map((sentence) => sentence.split(':')[0])).to.deep.equal(['new-finding', 'lower-grade']);
  });

  it('count broken callers in other repositories, and those that only feel it not', () => {
    const use = { repository: 'till', from: 'a.ts#f', path: 'a.ts', line: 1, to: 'src/a.ts#old', broken: false };
    const told = (isBroken: boolean) =>
      missedGates({ ...nothing, elsewhere: listed([{ ...use, broken: isBroken }]) }, ['broken-caller']).length;
    expect([told(false), told(true)]).to.deep.equal([0, 1]);
  });
});

it('a change is what its schema says', () => {
  expect(changeSchema.safeParse(huge).error).to.equal(undefined);
});

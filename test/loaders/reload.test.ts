import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { encodeSnapshot } from '../../loaders/records/snapshot-file.ts';
import { changeKept } from '../support/change-kept.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';

const key = (letters: string) => ['ghp', '_', `${letters}8Kd93jfLq02mZx7Rw5TyPb1NvC4sE6uHg`].join('');

/** The whole analysis as bytes, with a trend; from nothing where no file is named. */
async function bytesOf(path: string, cacheFile?: string): Promise<string> {
  const analysis = await analyze(path, { name: 'it', trendPoints: 24, ...(cacheFile ? { cacheFile } : {}) });
  try {
    return Buffer.concat([...encodeSnapshot(analysis.snapshot)]).toString();
  } finally {
    analysis.close();
  }
}

/** As if what is kept were of other code or other rules. */
function ofAnotherVersion(cacheFile: string, kind: string): void {
  const db = new DatabaseSync(cacheFile);
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const table = tables.map(({ name }) => String(name)).find((name) => name.startsWith(kind));
  db.exec(`ALTER TABLE ${table} RENAME TO ${kind}_000000000000`);
  db.close();
}

describe('a reload after a push', () => {
  let folder: string;
  let repository: GitRepository;
  /** As the load before the push left it. */
  let keptFile: string;
  /** Of a load from nothing. */
  let anew: string;
  let copies = 0;
  const commit = (date: string, files: Record<string, string | null>) =>
    repository.commit(date, { files, date: `${date}T12:00:00Z` });
  const keptBefore = () => {
    const copy = join(folder, `${++copies}.sqlite`);
    copyFileSync(keptFile, copy);
    return copy;
  };
  before(async () => {
    folder = temporaryFolder();
    keptFile = join(folder, 'kept.sqlite');
    repository = gitRepository({ name: 'ledger' });
    commit('2024-01-05', { 'src/book.py': 'def price(a):\n    return a\n', 'src/key.py': `TOKEN = "${key('aQ')}"\n` });
    commit('2024-04-03', { 'src/key.py': 'TOKEN = None\n', 'README.md': 'A ledger.\n' });
    await bytesOf(repository.path, keptFile);
    commit('2024-08-01', { 'src/key.py': `TOKEN = "${key('bR')}"\n` });
    commit('2024-10-02', { 'src/key.py': 'TOKEN = None\n' });
    anew = await bytesOf(repository.path);
  });
  after(() => {
    repository.remove();
    rmSync(folder, { recursive: true });
  });

  it('gives the bytes of a load from nothing: points and secrets of the past too', async () => {
    expect(anew).to.include('removed, but in history since').and.to.include('"2024-10-02"');
    expect(await bytesOf(repository.path, keptBefore())).to.equal(anew);
  });

  it('takes over the points that were measured; other code measures all anew', async () => {
    const cacheFile = keptBefore();
    expect(changeKept(cacheFile, 'points', (text) => text.replace(/"value":\d+/, '"value":777'))).to.equal(2);
    const reloaded = await bytesOf(repository.path, cacheFile);
    expect(reloaded.split('"value":777').length - 1).to.equal(2);
    ofAnotherVersion(cacheFile, 'points');
    expect(await bytesOf(repository.path, cacheFile)).to.equal(anew);
  });

  it('searches only versions that are new for secrets; with other rules, all of them', async () => {
    const cacheFile = keptBefore();
    const secret = '{"secrets":[{"rule":"github_token","line":7,"digest":"kept","provider":true}]';
    changeKept(cacheFile, 'searched', (text) => text.replace('{"secrets":[]', secret));
    // What was seen before is believed; what is new was looked at.
    const reloaded = await bytesOf(repository.path, cacheFile);
    expect(reloaded).to.include('(sha256 kept…)');
    ofAnotherVersion(cacheFile, 'searched');
    ofAnotherVersion(cacheFile, 'points');
    expect(await bytesOf(repository.path, cacheFile)).to.equal(anew);
  });

  it('measures a point anew that a tag was put on, and all where the clone was cut off', async () => {
    const clone = join(folder, 'clone');
    execFileSync('git', ['clone', '-q', '--depth', '2', `file://${repository.path}`, clone]);
    const cacheFile = join(folder, 'cut-off.sqlite');
    await bytesOf(clone, cacheFile);
    execFileSync('git', ['fetch', '-q', '--unshallow'], { cwd: clone });
    repository.git('tag', '-a', 'v1.0.0', '-m', 'One', 'HEAD~3');
    repository.git('tag', '-a', 'v1.1.0', '-m', 'Two', 'HEAD~2');
    const tagged = await bytesOf(repository.path);
    expect(await bytesOf(repository.path, keptBefore()))
      .to.equal(tagged)
      .and.not.to.equal(anew);
    execFileSync('git', ['fetch', '-q', '--tags'], { cwd: clone });
    expect(await bytesOf(clone, cacheFile)).to.equal(await bytesOf(clone));
  });
});

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { lockDataFolder } from '../../src/stores/data-folder.ts';
import type { DataFolderHeld, DataFolderLock } from '../../src/stores/data-folder.ts';
import { openSqliteGraph } from '../../src/stores/graph/sqlite.ts';

const lockProcess = fileURLToPath(new URL('./lock-process.ts', import.meta.url));

describe('data folder lock', () => {
  let parent: string;
  let folder: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'data-folder-'));
    folder = join(parent, 'data');
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => kill(child)));
    await rm(parent, { recursive: true });
  });

  /** Another process that tries to take the folder, with what it said. */
  const contender = async () => {
    const child = spawn(process.execPath, [lockProcess, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, said: said.toString().trim() };
  };

  it('lets exactly one of several processes have the folder that begin at once, and the others name it', async () => {
    const contenders = await Promise.all(Array.from({ length: 5 }, contender));
    const winners = contenders.filter(({ said }) => said === 'ours');
    expect(winners).to.have.lengthOf(1);
    for (const { said } of contenders.filter((one) => !winners.includes(one))) {
      expect(said).to.match(/^The data folder .* is in use by process \d+ \(holder of .*\) since [\dT:.-]+Z\.$/);
      expect(said).to.include(`process ${winners[0]?.child.pid} `);
    }
  });

  it('says at once of a folder that nobody can make which one, and why', async function () {
    if (process.platform !== 'linux') return this.skip();
    const failure = await lockDataFolder('/proc/repo-intel/data').catch((error: Error) => error.message);
    expect(failure).to.match(
      /^The data folder \/proc\/repo-intel\/data can't be used \(.*mkdir '\/proc\/repo-intel'.*\): choose one/,
    );
  });

  it('is free as soon as its holder is killed, though the holder left its words behind', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { child, said } = await contender();
      expect(said).to.equal('ours');
      await kill(child);
    }
    const lock = taken(await lockDataFolder(folder));
    await lock.release();
  });

  it('does not believe the words of a dead holder whose process id a living process has now', async () => {
    await mkdir(folder);
    await writeFile(
      join(folder, 'owner.json'),
      JSON.stringify({ pid: process.ppid, command: 'x', since: '2020-01-01T00:00:00Z', address: null, control: null }),
    );
    const lock = taken(await lockDataFolder(folder));
    const { held } = refused(await lockDataFolder(folder));
    expect(held.owner?.pid).to.equal(process.pid);
    await lock.release();
  });

  it('tells the second where the first serves and takes work', async () => {
    const lock = taken(await lockDataFolder(folder, 'repo-intel up .'));
    const control = { port: 4711, token: 'secret' };
    expect(refused(await lockDataFolder(folder)).held.control).to.equal(null);
    await lock.announce({ control });
    await lock.announce({ address: 'http://127.0.0.1:8080' });
    const { held } = refused(await lockDataFolder(folder));
    expect(held.control).to.deep.equal(control);
    expect(held.message).to.match(/\(repo-intel up \.\) since .*, serving at http:\/\/127\.0\.0\.1:8080\.$/);
    expect(held.message).to.not.include('secret');
    await lock.release();
  });

  it('is free again after release, which leaves nothing to tell', async () => {
    const lock = taken(await lockDataFolder(folder));
    await lock.announce({ control: { port: 1, token: 'old' } });
    await lock.release();
    await lock.release();
    const next = taken(await lockDataFolder(folder));
    expect(refused(await lockDataFolder(folder)).held.control).to.equal(null);
    await next.release();
  });

  it('shows the token to nobody else, and closes a folder that it makes', async function () {
    if (process.platform === 'win32') this.skip();
    const lock = taken(await lockDataFolder(folder));
    await lock.announce({ control: { port: 1, token: 'secret' } });
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await mode(join(folder, 'owner.json'))).to.equal('600');
    expect(await mode(folder)).to.equal('700');
    await lock.release();
  });

  it('closes the files of an older version to others, follows no link, and says of a folder of somebody’s own whether it is open', async function () {
    if (process.platform === 'win32') this.skip();
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    await mkdir(join(folder, 'postgres/base'), { recursive: true });
    await chmod(folder, 0o755);
    const files = ['pepper', 'graph.sqlite', 'graph.sqlite-wal', 'postgres/PG_VERSION', 'postgres/base/1', 'notes.txt'];
    for (const name of files) await writeFile(join(folder, name), '', { mode: 0o644 });
    await writeFile(join(parent, 'elsewhere'), '', { mode: 0o644 });
    await symlink(join(parent, 'elsewhere'), join(folder, 'search.sqlite'));
    const lock = taken(await lockDataFolder(folder));
    expect(lock.isOpenToOthers).to.equal(true);
    for (const name of files.slice(0, -1)) expect([name, await mode(join(folder, name))]).to.deep.equal([name, '600']);
    for (const name of ['postgres', 'postgres/base']) expect(await mode(join(folder, name))).to.equal('700');
    // What is not ours, and the folder itself.
    for (const path of [join(folder, 'notes.txt'), join(parent, 'elsewhere')]) expect(await mode(path)).to.equal('644');
    expect(await mode(folder)).to.equal('755');
    await lock.release();
    await chmod(folder, 0o700);
    const next = taken(await lockDataFolder(folder));
    expect(next.isOpenToOthers).to.equal(false);
    await next.release();
  });

  it('has stores whose files are closed to others from their beginning', async function () {
    if (process.platform === 'win32') this.skip();
    await mkdir(folder, { mode: 0o755 });
    const graph = await openSqliteGraph({ file: join(folder, 'graph.sqlite') });
    for (const name of (await readdir(folder)).filter((each) => each.startsWith('graph')))
      expect([name, (await stat(join(folder, name))).mode & 0o077]).to.deep.equal([name, 0]);
    await graph.close();
  });
});

function taken(outcome: DataFolderLock | DataFolderHeld): DataFolderLock {
  if ('held' in outcome) throw new Error(outcome.held.message);
  return outcome;
}

function refused(outcome: DataFolderLock | DataFolderHeld): DataFolderHeld {
  if ('held' in outcome) return outcome;
  throw new Error('The folder was taken.');
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}

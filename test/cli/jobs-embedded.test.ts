import { rmSync } from 'node:fs';
import { expect } from 'chai';
import type { JobRecord } from '../../src/stores/jobs/port.ts';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { itTakesLong } from '../support/effort.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';

describe('jobs of a service whose data is embedded', function () {
  // Each look is a start of the program.
  this.timeout(300_000);
  const data = temporaryFolder();
  const environment = { DATA_DIR: data, DATABASE_URL: '', LOG_LEVEL: 'info' };
  let service: Running | undefined;
  let key = '';
  const jobs = async () => {
    const listed = await repoIntel(['jobs', 'list', '--json'], environment);
    expect(listed.code, listed.stderr).to.equal(0);
    return JSON.parse(listed.stdout) as JobRecord[];
  };
  const serve = async () => {
    service = await startRepoIntel(['serve'], environment);
    key ||= keyIn(service.stdout());
    return service;
  };
  const loadedAs = async (name: string) => {
    const { body } = await get<{ state: string; commit: string | null }>(
      service?.address ?? '',
      `/api/repositories/${name}`,
      key,
    );
    return body;
  };
  afterEach(async () => {
    await service?.stop();
  });
  after(() => rmSync(data, { recursive: true, force: true }));

  it('are kept while no service runs, and done by the next; then at once', async () => {
    using early = gitRepository({ name: 'early', files: { 'a.js': 'export function moor() {}\n' } });
    using late = gitRepository({ name: 'late', files: { 'a.js': 'export function land() {}\n' } });
    expect((await repoIntel(['load', '--enqueue', early.path], environment)).stderr).to.contain(
      'waits for the service',
    );
    expect((await repoIntel(['load', '--enqueue', early.path], environment)).stderr).to.contain('waits already');
    await serve();
    await eventually(async () => expect(await loadedAs('early')).to.include({ state: 'loaded' }));
    expect((await repoIntel(['load', '--enqueue', late.path], environment)).stderr).to.contain('waits for the service');
    await eventually(async () => expect(await loadedAs('late')).to.include({ state: 'loaded' }));
    await eventually(async () =>
      expect((await jobs()).map((job) => [job.repository, job.state, job.attempts])).to.deep.equal([
        ['late', 'done', 1],
        ['early', 'done', 1],
      ]),
    );
    const stopped = await service?.stop();
    expect(stopped?.code).to.equal(0);
  });

  it('are ended by the removal of what they load', async () => {
    // So many that a command can start while they are read.
    const functions = (of: number) => Array.from({ length: 4_000 }, (_, at) => `export const f${at} = () => ${of};\n`);
    const files = (of: number) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}.ts`, functions(of).join('')]));
    using repository = gitRepository({ name: 'gone', files: { 'f.ts': 'export const f = 0;\n' } });
    const running = await serve();
    await repoIntel(['load', repository.path], environment);
    repository.commit('Change all', { files: files(1) });
    await repoIntel(['load', '--enqueue', repository.path], environment);
    await eventually(async () => expect(running.stderr()).to.match(/"job":.*"msg":"parsing"/));
    expect((await repoIntel(['remove', 'gone'], environment)).stderr).to.contain('gone: removed.');
    expect((await jobs())[0]).to.include({ source: repository.path, state: 'cancelled' });
    expect((await repoIntel(['list', '--json'], environment)).stdout).to.not.contain(repository.path);
    // The next job is begun when the one before has ended.
    using after = gitRepository({ name: 'after', files: { 'f.ts': 'export const f = 0;\n' } });
    await repoIntel(['load', '--enqueue', after.path], environment);
    await eventually(async () => expect(await loadedAs('after')).to.include({ state: 'loaded' }));
    expect((await repoIntel(['list', '--json'], environment)).stdout).to.not.contain(repository.path);
  });

  itTakesLong('are taken again when the service was killed in one, and the old snapshot stays until then', async () => {
    const files = (of: number) =>
      Object.fromEntries(
        Array.from({ length: 150 }, (_, at) => [`src/f${at}.ts`, `export function f${at}() { return ${of}; }\n`]),
      );
    using repository = gitRepository({ name: 'town', files: files(0) });
    const running = await serve();
    await repoIntel(['load', '--enqueue', repository.path], environment);
    await eventually(async () => expect(await loadedAs('town')).to.include({ state: 'loaded' }));
    const before = await loadedAs('town');
    const commit = repository.commit('Change all', { files: files(1) });
    await repoIntel(['load', '--enqueue', repository.path], environment);
    await eventually(async () => expect(running.stderr().split('"msg":"parsing"')).to.have.length(3));
    await running.kill();

    await serve();
    expect((await loadedAs('town')).commit).to.equal(before.commit);
    await eventually(async () => expect(await loadedAs('town')).to.include({ commit, state: 'loaded' }));
    await eventually(async () => expect((await jobs())[0]).to.include({ state: 'done' }));
    expect((await jobs())[0]).to.include({ repository: 'town', attempts: 2, error: null });
  });

  it('need no worker, which says what it is for', async () => {
    const { code, stderr } = await repoIntel(['worker'], environment);
    expect(code).to.equal(2);
    expect(stderr).to.match(
      /^repo-intel: Workers share their jobs through a PostgreSQL server: set DATABASE_URL\b.*\n$/,
    );
  });
});

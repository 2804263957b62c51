import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { dedent } from '../support/dedent.ts';
import { gitRepository, type GitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';

interface MainAuthor {
  name: string;
  share: number;
  people: number;
  active: boolean;
}

interface Level {
  at: string;
  around: { id: string }[];
  parts: {
    id: string;
    name: string;
    kind: string;
    lines: number;
    symbols: number;
    cycle: number | null;
    main_author: MainAuthor | null;
  }[];
  main_authors: { name: string; files: number; active: boolean }[];
  edges: { from: string; to: string; calls: number }[];
}

const files = {
  'src/app/a/one.ts': dedent`
    import { two } from '../b/two.ts';
    export class One {
      run(): number {
        return two() + two();
      }
    }
  `,
  'src/app/b/two.ts': dedent`
    import { three } from '../c/three.ts';
    export function two(): number {
      return three(2);
    }
  `,
  'src/app/c/three.ts': dedent`
    import { two } from '../b/two.ts';
    export function three(left: number): number {
      return left === 0 ? two() : 3;
    }
  `,
};

const of = (value: number) => `export function value(): number {\n  return ${value};\n}\n`;

describeService('GET /api/graph/hierarchy/{repository}', (service) => {
  const name = 'levels';
  let repository: GitRepository;
  before(async () => {
    repository = gitRepository({ files });
    const { snapshot, close } = await analyze(repository.path, { name });
    await shareWithAll(service().stores, [name]);
    await writeSnapshot(service().stores, snapshot);
    close();
  });
  after(async () => {
    repository.remove();
    await removeRepository(service().stores, name);
  });
  const level = async (at?: string) => {
    const query = at === undefined ? '' : `?at=${encodeURIComponent(at)}`;
    const { json, status, text } = await service().get(`/api/graph/hierarchy/${name}${query}`);
    expect(status, text).equals(200);
    return json as unknown as Level;
  };

  it('begins where there is more than one part, with edges added up, and cycles', async () => {
    const { at, around, parts, edges } = await level();
    expect([at, around.map(({ id }) => id)]).deep.equals(['src/app/', ['src/', 'src/app/']]);
    expect(parts.map(({ id, kind, lines, symbols, cycle }) => [id, kind, lines, symbols, cycle])).deep.equals([
      ['src/app/a/', 'folder', 5, 2, null],
      ['src/app/b/', 'folder', 3, 1, 1],
      ['src/app/c/', 'folder', 3, 1, 1],
    ]);
    const calls = edges.map(({ from, to, calls }) => [from, to, calls]);
    expect(calls).deep.include.members([
      ['src/app/a/', 'src/app/b/', 2],
      ['src/app/b/', 'src/app/c/', 1],
      ['src/app/c/', 'src/app/b/', 1],
    ]);
    expect(calls).length(3);
  });

  it('goes down to files, classes and functions', async () => {
    expect((await level('src/app/a/')).parts.map(({ id }) => id)).deep.equals(['src/app/a/one.ts']);
    const [one] = (await level('src/app/a/one.ts')).parts;
    expect(one).includes({ id: `${name}/src/app/a/one.ts#One`, kind: 'class', lines: 5 });
    expect((await level(one?.id)).parts.map((part) => [part.name, part.kind])).deep.equals([['run', 'function']]);
  });

  it('names who made most of the commits to the code of a folder and a file, and who is alone there', async () => {
    const [bob, cleaner] = [
      { name: 'Bob Builder', email: 'bob@example.com' },
      { name: 'cleaner[bot]', email: 'cleaner[bot]@users.noreply.github.com' },
    ];
    using owned = gitRepository({ files: { 'a/one.ts': of(1), 'a/two.ts': of(1), 'b/three.ts': of(1) } });
    for (const turn of [2, 3, 4])
      owned.commit('Bob', { files: { 'a/one.ts': of(turn) }, author: bob, date: `2026-0${turn}-01T00:00:00Z` });
    owned.commit('A comment', {
      files: { 'a/two.ts': `// Says.\n${of(1)}` },
      author: bob,
      date: '2026-05-01T00:00:00Z',
    });
    for (const turn of [5, 6, 7, 8])
      owned.commit('Bot', { files: { 'b/three.ts': of(turn) }, author: cleaner, date: `2026-0${turn}-02T00:00:00Z` });
    const { snapshot, close } = await analyze(owned.path, { name: 'owned' });
    await shareWithAll(service().stores, ['owned']);
    await writeSnapshot(service().stores, snapshot);
    close();
    try {
      const { json } = await service().get('/api/graph/hierarchy/owned');
      const { parts, main_authors: all } = json as unknown as Level & {
        parts: { inside: { id: string; main_author: MainAuthor | null }[] }[];
      };
      const told = (author: MainAuthor | null | undefined) =>
        author && [author.name, author.share, author.people, author.active];
      expect(parts.map(({ id, main_author: author }) => [id, told(author)])).deep.equals([
        ['a/', ['Bob Builder', 0.6, 2, true]],
        ['b/', ['Ann Author', 1, 1, false]],
      ]);
      expect(parts[0]?.inside.map(({ id, main_author: author }) => [id, told(author)])).deep.equals([
        ['a/one.ts', ['Bob Builder', 0.75, 2, true]],
        ['a/two.ts', ['Ann Author', 1, 1, false]],
      ]);
      expect(all.map(({ name, files }) => [name, files])).deep.equals([
        ['Ann Author', 2],
        ['Bob Builder', 1],
      ]);
      // Measured anew, and nothing of the graph has changed.
      const { relational } = service().stores;
      const stored = await relational.snapshots.get('owned');
      if (stored === null || snapshot.measurements === undefined) throw new Error('It is loaded.');
      const { measurements } = snapshot;
      const renamed = measurements.people.map((person) => ({
        ...person,
        name: person.name === 'Ann Author' ? 'Ann Married' : person.name,
      }));
      const run = await relational.runs.begin(stored.info);
      const again = { run, measurements: { ...measurements, people: renamed } };
      await relational.snapshots.save(stored.info, stored.info.fingerprint, [Buffer.from('again')], again);
      const renewed = (await service().get('/api/graph/hierarchy/owned')).json as unknown as Level;
      expect(renewed.main_authors.map((author) => author.name)).deep.equals(['Ann Married', 'Bob Builder']);
    } finally {
      await removeRepository(service().stores, 'owned');
    }
  });

  it('knows no main author without a history', async () => {
    using owned = gitRepository({ files: { 'one.ts': of(1), 'two.ts': of(1) } });
    rmSync(join(owned.path, '.git'), { recursive: true });
    const { snapshot, close } = await analyze(owned.path, { name: 'unowned' });
    await shareWithAll(service().stores, ['unowned']);
    await writeSnapshot(service().stores, snapshot);
    close();
    try {
      const { parts, main_authors: all } = (await service().get('/api/graph/hierarchy/unowned'))
        .json as unknown as Level;
      expect(parts.map(({ main_author: author }) => author)).deep.equals([null, null]);
      expect(all).deep.equals([]);
    } finally {
      await removeRepository(service().stores, 'unowned');
    }
  });

  it('says what is not there, and is closed without a key', async () => {
    expect((await service().get('/api/graph/hierarchy/nothing')).json['code']).equals('repository_not_found');
    expect((await service().get(`/api/graph/hierarchy/${name}?at=nothing`)).json['code']).equals('node_not_found');
    expect((await service().send(`/api/graph/hierarchy/${name}`)).status).equals(401);
  });
});

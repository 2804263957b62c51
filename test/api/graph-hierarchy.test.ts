import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { dedent } from '../support/dedent.ts';
import { gitRepository, type GitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';

interface Level {
  at: string;
  around: { id: string }[];
  parts: { id: string; name: string; kind: string; lines: number; symbols: number; cycle: number | null }[];
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

  it('says what is not there, and is closed without a key', async () => {
    expect((await service().get('/api/graph/hierarchy/nothing')).json['code']).equals('repository_not_found');
    expect((await service().get(`/api/graph/hierarchy/${name}?at=nothing`)).json['code']).equals('node_not_found');
    expect((await service().send(`/api/graph/hierarchy/${name}`)).status).equals(401);
  });
});

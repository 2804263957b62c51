import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import type { LineHistory } from '../../src/model/snapshot.ts';
import { gitRepository, type GitRepository } from '../support/git-repository.ts';

/** Of each line its commit, as the snapshot has it; null where it is not known. */
function writersIn({ commits, runs }: LineHistory): (string | null)[] {
  return runs.flatMap(([length, place]) =>
    Array.from({ length }, () => (place === null ? null : (commits[place]?.id ?? null))),
  );
}

const blamed = (repository: GitRepository, path: string) =>
  repository
    .git('blame', '--porcelain', 'HEAD', '--', path)
    .split('\n')
    .flatMap((line) => /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? []);

async function historiesOf(repository: GitRepository): Promise<Map<string, LineHistory | undefined>> {
  const { snapshot, close } = await analyze(repository.path, { name: 'repository', keepSource: true });
  try {
    return new Map(
      [...(snapshot.source ?? [])].flatMap(({ files }) => files.map(({ path, history }) => [path, history] as const)),
    );
  } finally {
    close();
  }
}

describe('who wrote a line', () => {
  it('is told as git blame tells it, of a history of edits, moves, branches and merges that nobody composed', async () => {
    for (const seed of [1, 2, 3]) {
      using repository = gitRepository();
      const random = randomOf(seed);
      const names = ['a.js', 'b.js', 'c.js'];
      let unique = 0;
      const line = () => `f(${++unique});`;
      const write = (path: string, lines: readonly string[]) => repository.write({ [path]: `${lines.join('\n')}\n` });
      const linesOf = (path: string) => readFileSync(join(repository.path, path), 'utf8').trimEnd().split('\n');
      for (const name of names) write(name, Array.from({ length: 30 }, line));
      repository.commit('Begin');
      const edit = (path: string, from: number, to: number) => {
        const lines = linesOf(path);
        const at = from + Math.floor(random() * (Math.min(to, lines.length) - from));
        lines.splice(at, Math.floor(random() * 3), ...Array.from({ length: 1 + Math.floor(random() * 3) }, line));
        write(path, lines);
      };
      for (let round = 0; round < 8; round++) {
        const name = names[round % names.length] ?? '';
        // Both sides change one file, far enough from each other to be merged without a conflict.
        repository.git('checkout', '--quiet', '-b', `side-${round}`);
        edit(name, 18, 30);
        repository.commit(`Side ${round}`);
        repository.git('checkout', '--quiet', 'main');
        edit(name, 0, 8);
        if (random() < 0.3)
          repository.git('mv', names[(round + 1) % 3] ?? '', (names[(round + 1) % 3] = `moved-${round}.js`));
        repository.commit(`Main ${round}`);
        repository.git('merge', '--quiet', '--no-ff', '-m', `Merge ${round}`, `side-${round}`);
      }
      const histories = await historiesOf(repository);
      for (const name of names) {
        const history = histories.get(name);
        expect(history && writersIn(history), `${name} of ${seed}`).to.deep.equal(blamed(repository, name));
      }
    }
  });

  it('is who changed it last where it was taken back, and nobody who only moved the file', async () => {
    using repository = gitRepository({ files: { 'a.js': 'one();\ntwo();\nthree();\n' } });
    const [first] = blamed(repository, 'a.js');
    repository.commit('Change', { files: { 'a.js': 'one();\nother();\nthree();\n' } });
    const back = repository.commit('Take back', { files: { 'a.js': 'one();\ntwo();\nthree();\n' } });
    repository.git('mv', 'a.js', 'b.js');
    repository.commit('Move');
    const history = (await historiesOf(repository)).get('b.js');
    expect(history && writersIn(history)).to.deep.equal([first, back, first]);
    expect(history?.commits.map(({ subject }) => subject)).to.have.members(['Begin', 'Take back']);
  });

  it('is nobody where there is no history, and is not kept of what is no source', async () => {
    using repository = gitRepository({ files: { 'a.js': 'one();\n', 'notes.txt': 'Nothing.\n' } });
    const histories = await historiesOf(repository);
    expect(histories.get('a.js'))
      .to.have.property('runs')
      .that.deep.equals([[1, 0]]);
    expect(histories.get('notes.txt')).to.equal(undefined);
  });
});

function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

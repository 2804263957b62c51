import { expect } from 'chai';
import { foldContributors } from '../../../loaders/snapshot/contributors.ts';
import { openSnapshot } from '../../../loaders/snapshot/open-snapshot.ts';
import { gitRepository, type GitRepository } from '../../support/git-repository.ts';

describe('loaders/snapshot: contributors', () => {
  const fold = async (repository: GitRepository) => foldContributors((await openSnapshot(repository.path)).history());
  const commits = (repository: GitRepository, ...people: [name: string, email: string][]) => {
    for (const [index, [name, email]] of people.entries())
      repository.commit(`Commit ${index}`, { files: { 'a.py': `${index}\n` }, author: { name, email } });
  };

  it('are one for each e-mail address, whatever its case, under the name used most', async () => {
    using repository = gitRepository();
    commits(
      repository,
      ['Ann', 'ann@x.org'],
      ['Ann Author', 'Ann@X.org'],
      ['Ann Author', 'ANN@x.org'],
      ['Ben', 'ben@x.org'],
    );
    expect((await fold(repository)).map(({ name, commits }) => [name, commits])).to.deep.equal([
      ['Ann Author', 3],
      ['Ben', 1],
    ]);
  });

  it('count commits, lines and times', async () => {
    using repository = gitRepository();
    repository.commit('One', { files: { 'a.py': '1\n2\n' }, date: '2024-05-01T00:00:00Z' });
    repository.commit('Two', { files: { 'a.py': '1\n', 'b.py': '1\n' }, date: '2024-03-01T00:00:00Z' });
    const [ann] = await fold(repository);
    expect(ann).to.deep.include({
      commits: 2,
      added: 3,
      deleted: 1,
      bot: false,
      firstCommitAt: '2024-03-01T00:00:00.000Z',
      lastCommitAt: '2024-05-01T00:00:00.000Z',
    });
  });

  it('are folded by the mailmap and by GitHub’s noreply addresses of one user', async () => {
    using repository = gitRepository({ files: { '.mailmap': 'Ann Author <ann@example.com> <old@x.org>\n' } });
    commits(
      repository,
      ['A', 'old@x.org'],
      ['Ben', 'ben@users.noreply.github.com'],
      ['Ben', '123456+Ben@users.noreply.github.com'],
      ['Other', '7+other@users.noreply.github.com'],
    );
    expect((await fold(repository)).map(({ name, commits }) => [name, commits])).to.have.deep.members([
      ['Ann Author', 2],
      ['Ben', 2],
      ['Other', 1],
    ]);
  });

  it('are told apart by name where tools wrote no real address', async () => {
    using repository = gitRepository();
    commits(repository, ['Ann', 'root@localhost'], ['Ben', 'root@localhost'], ['Ann', 'none@none']);
    expect((await fold(repository)).map(({ name, commits }) => [name, commits])).to.deep.equal([
      ['Ann', 2],
      ['Ben', 1],
    ]);
  });

  it('are marked as bots by name or address, and people are not', async () => {
    const bots: [string, string][] = [
      ['dependabot[bot]', '49699333+dependabot[bot]@users.noreply.github.com'],
      ['Renovate Bot', 'bot@renovateapp.com'],
      ['renovate', '29139614+renovate[bot]@users.noreply.github.com'],
      ['github-actions', 'actions@github.com'],
      ['k8s-ci-robot', 'k8s-release-bot@users.noreply.github.com'],
      ['snyk-bot', 'snyk-bot@snyk.io'],
    ];
    const people: [string, string][] = [
      ['Ann Abbot', 'abbot@x.org'],
      ['Robotnik', 'r@x.org'],
      ['Bothwell', 'both@bot.example'],
      ['Jenkins Smith', 'j@x.org'],
    ];
    using repository = gitRepository();
    commits(repository, ...bots, ...people);
    const found = await fold(repository);
    const names = (bot: boolean) => found.filter((each) => each.bot === bot).map(({ name }) => name);
    expect(names(true)).to.have.members(bots.map(([name]) => name));
    expect(names(false)).to.have.members(people.map(([name]) => name));
  });

  it('have an id that is the same in every repository, and no e-mail address anywhere', async () => {
    const people: [string, string][] = [
      ['secret@x.org', 'secret@x.org'],
      ['Ann secret@x.org', 'secret@y.org'],
      ['Ann', 'secret+tag@x.org'],
    ];
    using one = gitRepository();
    using two = gitRepository();
    commits(one, ...people);
    commits(two, ...people.toReversed());
    const ids = async (repository: GitRepository) => (await fold(repository)).map(({ id }) => id).sort();
    expect(await ids(one)).to.deep.equal(await ids(two));
    for (const id of await ids(one)) expect(id).to.match(/^contributor:[0-9a-f]{20}$/);
    expect(JSON.stringify(await fold(one))).not.to.match(/@/);
  });
});

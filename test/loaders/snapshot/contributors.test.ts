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

  it('are one for each human: by full name and domain, a forge’s own address, or the same mailbox elsewhere', async () => {
    using repository = gitRepository();
    commits(
      repository,
      ['Aaron Hecht', 'aaron.hecht+github@mail.example'],
      ['aaron hecht', 'aaron@mail.example'],
      ['Aáron Hecht', '12+ahecht@users.noreply.github.com'],
      ['Aaron Hecht', 'aaron@corp.example'],
      ['Aaron Hecht', '9-aaron@users.noreply.gitlab.com'],
    );
    const [aaron, ...others] = await fold(repository);
    expect(others).to.deep.equal([]);
    expect(aaron?.commits).to.equal(5);
    expect(aaron?.also).to.have.length(4);
    expect(aaron?.because).to.deep.equal(['same_name_noreply']);
    expect(JSON.stringify(aaron)).to.not.contain('@');
  });

  it('are told apart where something speaks against it', async () => {
    const apart: [why: string, ...people: [string, string][]][] = [
      [
        'two users of one forge',
        ['Ann Berg', 'ann1@users.noreply.github.com'],
        ['Ann Berg', '7+berg@users.noreply.github.com'],
        ['Ann Berg', 'ann@x.org'],
      ],
      ['a number behind a name that was taken', ['Ann Berg', 'ann.berg@x.org'], ['Ann Berg', 'ann.berg2@x.org']],
      ['no last name', ['Ann', 'ann@x.org'], ['Ann', 'a@x.org'], ['Ann B', 'b@x.org'], ['Ann B', 'c@x.org']],
      ['a name of two', ['Ann Berg and Ben Dahl', 'pair@x.org'], ['Ann Berg and Ben Dahl', 'ben@x.org']],
      ['a name of nobody', ['Your Name', 'you@x.org'], ['Your Name', 'i@x.org']],
      ['a mailbox that all have', ['Ann Berg', 'me@x.org'], ['Ann Berg', 'me@y.org']],
      ['different domains and mailboxes', ['Ann Berg', 'ann@x.org'], ['Ann Berg', 'berg@y.org']],
      ['a bot', ['Ann Berg', 'ann@x.org'], ['Ann Berg', 'ann-bot@x.org']],
    ];
    for (const [why, ...people] of apart) {
      using repository = gitRepository();
      commits(repository, ...people);
      expect(await fold(repository), why).to.have.length(people.length);
    }
  });

  it('are not joined against the mailmap, which tells them apart', async () => {
    const mailmap = 'Ann Berg <ann@x.org> <old@x.org>\nAnn Berg <berg@x.org> <older@x.org>\n';
    using repository = gitRepository({ files: { '.mailmap': mailmap } });
    commits(repository, ['Ann Berg', 'old@x.org'], ['Ann Berg', 'older@x.org']);
    const { history } = await openSnapshot(repository.path);
    expect(await foldContributors(history(), mailmap), 'with who began it').to.have.length(3);
    expect(await foldContributors(history())).to.have.length(2);
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

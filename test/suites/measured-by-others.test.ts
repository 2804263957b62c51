import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { collectHistory } from '../../loaders/metrics/history-facts.ts';
import { authorshipOf } from '../../loaders/metrics/people.ts';
import { foldContributors } from '../../loaders/snapshot/contributors.ts';
import { openSnapshot } from '../../loaders/snapshot/open-snapshot.ts';
import { truckFactor } from '../../src/model/people.ts';
import { metricsOf, metricsOfFiles } from '../loaders/metrics/metrics-of.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import { fetchOrSkip } from '../support/packages.ts';
import type { Registry } from '../support/packages.ts';
import { needsCommand } from '../support/required.ts';
import { buildFiles, scorecardCounts } from './pinned-references.ts';
import { onPython, python } from './python.ts';
import { histories, repositoryOf } from './truck-factor-histories.ts';

describe('measured by others', function () {
  this.timeout(300_000);

  describe('lines of code in published packages', () => {
    let root: string;
    let ours: Map<string, number>;
    before(async function () {
      root = temporaryFolder();
      const packages = join(root, 'packages');
      mkdirSync(packages);
      const fetch = (registry: Registry, name: string, folder = '.') => {
        const into = join(root, registry);
        renameSync(
          join(fetchOrSkip(this, registry, name, into), folder),
          join(packages, registry + folder.replaceAll('.', '')),
        );
        rmSync(into, { recursive: true });
      };
      fetch('npm', 'express@5.1.0');
      // What it publishes beside its sources was built from them.
      fetch('npm', 'rxjs@7.8.2', 'src');
      fetch('pypi', 'flask==3.1.3');
      fetch('go', 'github.com/go-chi/chi/v5@v5.5.0');
      const { metric } = await metricsOf(packages);
      ours = new Map(
        metric('loc_code').evidence.flatMap(({ note }) => {
          const [, language = '', lines] = /^(.+): (\d+) lines$/.exec(note ?? '') ?? [];
          return lines === undefined ? [] : [[language, Number(lines)]];
        }),
      );
    });
    after(() => rmSync(root, { recursive: true, force: true }));

    const within = (language: string, theirs: number) => {
      expect(theirs, language).to.be.above(1_000);
      expect(ours.get(language) ?? 0, language).to.be.within(theirs * 0.99, theirs * 1.01);
    };

    it('are within 1 % of scc’s for JavaScript, TypeScript and Go', function () {
      needsCommand(this, 'scc', 'which .ci/run builds');
      const output = execFileSync('scc', ['--format', 'json', join(root, 'packages')], { encoding: 'utf8' });
      const counted = JSON.parse(output) as { Name: string; Code: number }[];
      for (const language of ['JavaScript', 'TypeScript', 'Go'])
        within(language, counted.find(({ Name }) => Name === language)?.Code ?? 0);
    });

    // An apostrophe in a docstring ends it for scc, and what follows is code.
    onPython('lizard', () => {
      it('are within 1 % of lizard’s for Python', async () => {
        const script = 'import lizard, sys; print(sum(f.nloc for f in lizard.analyze([sys.argv[1]], lans=["python"])))';
        const { status, output } = await python(['-c', script, join(root, 'packages', 'pypi')]);
        expect(status, output).to.equal(0);
        within('Python', Number(output.trim()));
      });
    });
  });

  it('contributors and their commits are those of git shortlog -sne, over a mailmap, merges and bots', async () => {
    using repository = gitRepository({ files: { '.mailmap': mailmap } });
    const people = [
      ['Ann Author', 'ann@example.com'],
      ['ann', 'ann@old.example.com'],
      ['Ben Berg', 'ben@example.com'],
      ['B. Berg', 'BEN@Example.com'],
      ['Cid', '12345+cid@users.noreply.github.com'],
      ['dependabot[bot]', '49699333+dependabot[bot]@users.noreply.github.com'],
      ['Dé Ünïcode', 'de@example.org'],
    ] as const;
    for (let round = 0; round < 21; round++) {
      const [name, email] = people[(round * 3) % people.length] ?? people[0];
      repository.commit(`Change ${round}`, { files: { 'a.txt': `${round}\n` }, author: { name, email } });
    }
    repository.git('checkout', '-q', '-b', 'topic', 'HEAD~5');
    repository.commit('Aside', { files: { 'b.txt': '1\n' }, author: { name: 'Ben Berg', email: 'ben@example.com' } });
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '--no-ff', '-m', 'Merge', 'topic');
    const { snapshot } = await analyze(repository.path);
    const names = new Map(Array.from(snapshot.nodes, ({ id, name }) => [id, name]));
    const ours = [...snapshot.edges]
      .filter(({ type }) => type === 'CONTRIBUTED_TO')
      .map(({ from, weight }) => `${weight} ${names.get(from)}`);
    const theirs = repository
      .git('shortlog', '-sne', 'HEAD')
      .trim()
      .split('\n')
      .map((line) => line.trim().replace(/^(\d+)\t(.*) <[^>]*>$/, '$1 $2'));
    expect(theirs.length).to.equal(5);
    expect(ours).to.have.members(theirs);
    expect([...snapshot.nodes].find(({ type }) => type === 'Repository')?.properties['commits']).to.equal(
      Number(repository.git('rev-list', '--count', 'HEAD')),
    );
  });

  it('references that are pinned, and all of them, are those of OpenSSF Scorecard', async () => {
    const { quantities } = (await metricsOfFiles(buildFiles)).metric('build_ref_hash_pinned_pct');
    const counts = Object.entries(quantities).filter(([name]) => name !== 'refs');
    expect(Object.fromEntries(counts)).to.deep.equal(scorecardCounts);
  });

  describe('the truck factor is what its authors’ implementation says of', () => {
    for (const [title, { truckFactor: theirs, steps }] of Object.entries(histories))
      it(title, async () => {
        using repository = repositoryOf(steps);
        expect(await truckFactorOf(repository.path)).to.equal(theirs);
      });
  });
});

const mailmap =
  'Ann Author <ann@example.com> ann <ann@old.example.com>\nBen Berg <ben@example.com> <BEN@Example.com>\n';

/** From the history alone: nothing is parsed. */
async function truckFactorOf(path: string): Promise<number> {
  const { files, history } = await openSnapshot(path);
  const collector = collectHistory();
  const heard = (async function* () {
    for await (const commit of history()) {
      // They count every change.
      collector.add(
        commit,
        commit.changes.map(() => 'code'),
      );
      yield commit;
    }
  })();
  const contributors = await foldContributors(heard);
  return truckFactor(authorshipOf({ files, contributors, history: collector.facts(contributors) }));
}

import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { XMLValidator } from 'fast-xml-parser';
import { factorCatalog } from '../../src/due-diligence/factors/index.ts';
import { repoIntel } from '../support/cli.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';

interface Portfolio {
  score: number | null;
  grade: string | null;
  dimensions: { id: string; score: number | null }[];
  verdict: string[];
  heat_map: { columns: unknown[]; rows: { repo: string }[] };
  shared_risks: { kind: string; name: string; repositories: string[] }[];
  repositories: { repo: string; grade: string | null; hours: { likely: number } }[];
  remediation: { hours: { likely: number } };
  not_known: { name: string; repositories: string[] }[];
  not_read: { path: string; why: string }[];
}

const person = 'Ada Lovelace';
const key = ['ghp', '_', 'a8Kd93jfLq02mZx7Rw5TyPb1NvC4sE6uHgQi'].join('');

describe('repo-intel report of several repositories', function () {
  it('is one document: what they share, who stands out, costs, what was not measured; whatever they are called', async () => {
    const folder = temporaryFolder();
    using alone = gitRepository({ name: 'alone<i>' });
    using also = gitRepository({ name: 'also' });
    for (const { commit } of [alone, also])
      for (let day = 1; day <= 12; day++)
        commit(`Change ${day}`, {
          files: { 'src/secret_plan.py': `DAY = ${day}\n`, 'src/config.py': `TOKEN = "${key}"\n` },
          author: { name: person, email: 'ada@example.com' },
          date: `2024-03-${String(day).padStart(2, '0')}T12:00:00Z`,
        });
    const html = join(folder, 'portfolio.html');
    const gone = join(folder, 'gone');
    const report = (...args: string[]) =>
      repoIntel(['report', alone.path, also.path, gone, '--as-of', '2024-03-25', '--html', html, ...args]);
    try {
      const { code, stdout, stderr } = await report('--json');
      const portfolio = JSON.parse(stdout) as Portfolio;
      // One could not be read: the others are reported, and it is said.
      expect(code, stderr).to.equal(1);
      expect(portfolio.not_read).to.deep.equal([{ path: gone, why: `${gone} does not exist: check the path.` }]);
      const names = ['alone<i>', 'also'];
      expect(portfolio.heat_map.rows.map(({ repo }) => repo)).to.deep.equal(names);
      expect(portfolio.shared_risks.map(({ kind, repositories }) => [kind, repositories])).to.have.deep.members([
        ['person', names],
        ['secret', names],
      ]);
      expect(portfolio.shared_risks.find(({ kind }) => kind === 'person')?.name).to.equal(person);
      expect(portfolio.verdict).to.have.length(3);
      expect(portfolio.verdict[1]).to.include('1 person who alone').and.to.include('1 secret');
      const hours = portfolio.repositories.reduce((sum, each) => sum + each.hours.likely, 0);
      expect(portfolio.remediation.hours.likely).to.be.closeTo(hours, 0.2);
      expect(portfolio.not_known.find(({ name }) => name === 'Line coverage')?.repositories).to.deep.equal(names);

      const page = readFileSync(html, 'utf8');
      expect(XMLValidator.validate(page.replace('<!doctype html>', ''), { allowBooleanAttributes: true })).to.equal(
        true,
      );
      expect(page.match(/<td class="[a-e]|<td class="unknown"/g)).to.have.length(2 * (factorCatalog.length + 1));
      for (const words of [...portfolio.verdict, 'Risks that they share', 'What was not measured', gone])
        expect(page).to.include(words.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));

      const hidden = await report('--redact');
      expect(hidden.stdout).to.include('Person person-1, in 2').and.to.include('Secret ');
      for (const text of [hidden.stdout, readFileSync(html, 'utf8')])
        expect(text)
          .not.to.match(/Lovelace|secret_plan|ada@example/)
          .and.not.to.include(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is graded as each of its repositories where all are alike: what is counted does not come to more for standing in several', async () => {
    const folder = temporaryFolder();
    using one = gitRepository({ name: 'one' });
    one.commit('Begin', {
      files: {
        'src/run.py': 'import subprocess\n\n\ndef run(command):\n    return subprocess.call(command, shell=True)\n',
        'src/again.py': 'def again(text):\n    return eval(text)\n',
      },
    });
    try {
      const copies = ['a', 'b', 'c', 'd'].map((name) => join(folder, name));
      for (const copy of copies) cpSync(one.path, copy, { recursive: true });
      const scoresOf = async (paths: readonly string[]) => {
        const { stdout, stderr } = await repoIntel(['report', ...paths, '--json']);
        expect(stdout, stderr).not.to.equal('');
        const { score, grade, dimensions } = JSON.parse(stdout) as Pick<Portfolio, 'score' | 'grade' | 'dimensions'>;
        return { score, grade, dimensions: dimensions.map(({ id, score: own }) => ({ id, score: own })) };
      };
      const alone = await scoresOf([one.path]);
      expect(alone.dimensions.find(({ id }) => id === 'security')?.score).to.be.within(40, 99);
      expect(await scoresOf(copies)).to.deep.equal(alone);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses what is of one repository alone', async () => {
    const { code, stderr } = await repoIntel(['report', '.', '..', '--ref', 'HEAD']);
    expect({ code, stderr }).to.deep.include({ code: 2 });
    expect(stderr).to.include('--ref is of one repository: name one path');
  });
});

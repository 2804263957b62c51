import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { assess } from '../../src/due-diligence/assess.ts';
import { measuredOf } from '../../src/due-diligence/population/population-file.ts';
import type { PopulationFile } from '../../src/due-diligence/population/population-file.ts';
import { openPopulation } from '../../src/due-diligence/population/population.ts';
import { insightsOf } from '../../src/due-diligence/portfolio-insights.ts';
import type { Measurements } from '../../src/model/due-diligence.ts';

const rate = { currency: 'EUR', hourly_rate: 80 };
const place = new URL('../../src/due-diligence/population/reference.json', import.meta.url);
const file = JSON.parse(readFileSync(place, 'utf8')) as PopulationFile;
const population = openPopulation();

type People = Measurements['people'];
const person = (id: string, name: string, also: string[] = []): People[number] => ({
  id,
  name,
  also,
  bot: false,
  commits: 9,
  commits_12m: 9,
  weeks_12m: [0],
});

/** One of the population, with these people and notes. */
function repository(
  repo: string,
  index: number,
  known: { people?: People; authorship?: Measurements['authorship']; secrets?: string[]; packages?: string[] } = {},
) {
  const member = file.repositories[index] ?? expect.fail();
  const { metrics: own, liveness } = measuredOf(member, file.methods);
  const notes = { secret_finding_count: known.secrets, known_vulnerable_dependency_count: known.packages };
  const metrics = own.map((metric) => ({
    ...metric,
    evidence: (notes[metric.id as keyof typeof notes] ?? []).map((note) => ({
      path: 'a',
      line: 1,
      commit: null,
      note,
    })),
  }));
  return {
    run: { repository: repo, committed_at: null },
    measurements: { metrics, people: known.people ?? [], authorship: known.authorship ?? [] },
    assessment: population.ranked(assess({ metrics, liveness }, rate, member.as_of)),
  };
}

describe('what repositories beside each other show', () => {
  const secret = (digest: string) => `github_token (sha256 ${digest}…)`;
  const vulnerable = (name: string) => `${name} 1.2.3 (npm): GHSA-1 (high); fixed in 1.2.4`;
  const all = insightsOf([
    repository('a', 3, {
      people: [person('ada', 'Ada'), person('bob', 'Bob')],
      authorship: [
        { authors: ['ada'], files: 6 },
        { authors: ['ada', 'bob'], files: 4 },
      ],
      secrets: [secret('0123456789ab'), secret('aaaaaaaaaaaa')],
      packages: [vulnerable('left-pad'), vulnerable('@scope/only-here')],
    }),
    repository('b', 11, {
      // The same person by another address.
      people: [person('ada2', 'Ada L.', ['ada']), person('bob', 'Bob')],
      authorship: [
        { authors: ['ada2'], files: 5 },
        { authors: ['bob'], files: 5 },
      ],
      secrets: [`${secret('0123456789ab')}, removed, but in history since 012345678901`],
      packages: [vulnerable('left-pad')],
    }),
    repository('c', 20, { people: [person('bob', 'Bob')], authorship: [{ authors: ['bob'], files: 4 }] }),
  ]);

  it('names the same person, vulnerable package and secret in several, and nothing that is in one', () => {
    const told = all.shared_risks.map(({ kind, name, repositories }) => [kind, name, repositories.join()]);
    expect(told).to.deep.equal([
      ['secret', '0123456789ab', 'a,b'],
      ['person', 'Ada', 'a,b'],
      ['person', 'Bob', 'b,c'],
      ['package', 'left-pad (npm)', 'a,b'],
    ]);
  });

  it('has every repository and figure in the heat map, as the repository itself is told of', () => {
    const { columns, rows } = all.heat_map;
    expect(rows.map(({ repo }) => repo)).to.deep.equal(['a', 'b', 'c']);
    const { assessment } = repository('a', 3);
    for (const [index, { id, kind }] of columns.entries()) {
      const ranks = kind === 'dimension' ? assessment.ranks?.dimensions : assessment.ranks?.factors;
      expect(rows[0]?.cells[index]?.percentile ?? null, id).to.equal(ranks?.get(id)?.percentile ?? null);
    }
  });

  it('finds who is far from the others, by each rule, and nobody among equals', () => {
    const equals = Array.from({ length: 6 }, (_, n) => repository(`r${n}`, 3));
    const usual = insightsOf(equals).outliers.filter(({ rule }) => rule === 'portfolio');
    expect(usual).to.deep.equal([]);
    const good = equals.map((each) => ({
      ...each,
      assessment: {
        ...each.assessment,
        ranks: null,
        dimensions: each.assessment.dimensions.map((own) => ({ ...own, score: 80 })),
      },
    }));
    const [first] = good;
    const bad = first && {
      ...first,
      run: { ...first.run, repository: 'bad' },
      assessment: {
        ...first.assessment,
        dimensions: first.assessment.dimensions.map((own) => ({ ...own, score: 30 })),
      },
    };
    const found = insightsOf([...good, ...(bad ? [bad] : [])]).outliers;
    expect(new Set(found.map(({ repo, rule }) => `${repo} ${rule}`))).to.deep.equal(new Set(['bad portfolio']));
    expect(found).to.have.lengthOf(7);
    const ranked = file.repositories.slice(0, 60).map((_, index) => repository(`m${index}`, index));
    const worst = insightsOf(ranked).outliers.filter(({ rule }) => rule === 'population');
    expect(worst).not.to.have.lengthOf(0);
    for (const { percentile } of worst) expect(percentile).to.be.at.most(5);
  });
});

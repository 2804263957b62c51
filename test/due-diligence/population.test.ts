import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fitted from '../../src/due-diligence/population/grades.json' with { type: 'json' };
import { assess, scoresOf } from '../../src/due-diligence/assess.ts';
import { openPopulation } from '../../src/due-diligence/population/population.ts';
import { measuredOf, readPopulationFile } from '../../src/due-diligence/population/population-file.ts';
import type { Member } from '../../src/due-diligence/population/population-file.ts';
import { percentileRank } from '../../src/due-diligence/population/ranks.ts';
import { gradeOf } from '../../src/due-diligence/score.ts';
import { cappedScore, grades, overallGrades } from '../../src/due-diligence/scoring-model.ts';

const shipped = join(import.meta.dirname, '../../src/due-diligence/population/reference.json');
const rate = { currency: 'EUR', hourly_rate: 100 };
const file = readPopulationFile(shipped);

describe('the reference population', () => {
  it('is whole, of at least a hundred repositories, each once', () => {
    expect(file.repositories.length).to.be.at.least(100);
    expect(new Set(file.repositories.map(({ commit }) => commit)).size).to.equal(file.repositories.length);
    for (const { name, reason } of file.left_out) expect(reason, name).to.match(/^(it|its|too large|the same)\b/);
  });

  it('gives a percentile beside every figure that has a value and that five others have', () => {
    const population = openPopulation();
    const all = file.repositories.map((member) =>
      population.ranked(assess(measuredOf(member, file.methods), rate, member.as_of)),
    );
    const ranks = all.map((each) => each.ranks?.overall?.percentile ?? NaN);
    expect(Math.max(...ranks)).to.be.at.most(100);
    const order = all.toSorted((a, b) => (a.score ?? 0) - (b.score ?? 0));
    const inWhole = order.filter(({ ranks }) => ranks?.overall?.among === 'all');
    expect(inWhole.map(({ ranks }) => ranks?.overall?.percentile ?? 0)).to.deep.equal(
      inWhole.map(({ ranks }) => ranks?.overall?.percentile ?? 0).toSorted((a, b) => a - b),
    );
    for (const { matrix, ranks } of all)
      for (const { id, value } of matrix) {
        const rank = ranks?.metrics.get(id) ?? null;
        if (value === null) expect(rank, id).to.equal(null);
        else if (rank) expect(rank.repositories, id).to.be.at.least(rank.among === 'all' ? 5 : 20);
        else
          expect(file.repositories.filter(({ metrics }) => metrics[id]?.value !== undefined).length, id).to.be.below(5);
      }
  });

  it('does not compare what was measured by another method', () => {
    const [member] = file.repositories;
    if (!member) throw new Error('There is none.');
    const other = measuredOf(member, { ...file.methods, loc_code: 'loc_code/of-tomorrow' });
    const { ranks } = openPopulation().ranked(assess(other, rate, member.as_of));
    expect(ranks?.metrics.get('loc_code')).to.equal(null);
    expect(ranks?.metrics.get('source_file_count')).not.to.equal(null);
  });

  it('is replaced by a file of one’s own, and a file that is none is refused in a sentence', () => {
    const folder = mkdtempSync(join(tmpdir(), 'population-'));
    try {
      const own = join(folder, 'own.json');
      const repositories = file.repositories.slice(0, 7);
      const digest = createHash('sha256').update(JSON.stringify(repositories)).digest('hex');
      writeFileSync(own, JSON.stringify({ ...file, name: 'own', repositories, digest }));
      const [member] = repositories;
      if (!member) throw new Error('There is none.');
      const { ranks } = openPopulation(own).ranked(assess(measuredOf(member, file.methods), rate, member.as_of));
      expect(ranks?.population).to.include({ name: 'own', repositories: 7 });
      expect(ranks?.overall?.among).to.equal('all');
      writeFileSync(own, readFileSync(own, 'utf8').replace(/"value":\d/, '"value":9'));
      expect(() => openPopulation(own)).to.throw('changed by hand');
      writeFileSync(own, '[]');
      expect(() => openPopulation(own)).to.throw('is no population');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('ranks by the share that is worse and half of those that are equal, by the direction of the figure', () => {
    expect(percentileRank(2, [1, 2, 2, 3])).to.equal(50);
    expect(percentileRank(3, [1, 2, 2, 3])).to.equal(87.5);
    expect(percentileRank(1, [1, 2, 2, 3], 'lower_better')).to.equal(87.5);
    expect(percentileRank(0, [0, 0, 0, 0], 'lower_better')).to.equal(50);
    expect(percentileRank(9, [1, 2, 2, 3])).to.equal(100);
  });
});

describe('the grades of the whole', () => {
  it('fall, end at 0, and make a D at best of what is capped', () => {
    const least = overallGrades.map((each) => each.least);
    expect(least).to.deep.equal(least.toSorted((a, b) => b - a));
    expect(least.at(-1)).to.equal(0);
    expect(overallGrades.find(({ grade }) => grade === 'C')?.least).to.be.above(cappedScore);
  });

  it('spread what no fit has seen, each half by the cut points of the other, and no letter has more than half of it', () => {
    const { seed, least_by_other_half: byOther } = fitted.cross_validation;
    const halfOf = (name: string) => (createHash('sha256').update(`${seed} ${name}`).digest()[0] ?? 0) % 2;
    const letterOf = ({ name }: Member, score: number) =>
      gradeOf(
        score,
        grades.map(({ grade }) => ({ grade, least: byOther[halfOf(name)]?.[grade] ?? expect.fail() })),
      );
    const free = file.repositories.map((member) => {
      const { metrics } = measuredOf(member, file.methods);
      const { grade, score } = scoresOf({ metrics, liveness: undefined }, null).overall;
      return grade && letterOf(member, score ?? expect.fail());
    });
    const reported = file.repositories.map((member) => {
      const { grade, score } = assess(measuredOf(member, file.methods), rate, member.as_of);
      return grade && letterOf(member, score ?? expect.fail());
    });
    for (const letters of [free, reported]) {
      const graded = letters.filter((letter) => letter !== null);
      for (const { grade } of grades) {
        const share = graded.filter((letter) => letter === grade).length / graded.length;
        expect(share, grade).to.be.within(0.01, 0.5);
      }
    }
  });

  it('are below the median on average for what is over, with liveness left out of the score', () => {
    const scored = file.repositories.flatMap((member) => {
      const { score } = scoresOf(
        { metrics: measuredOf(member, file.methods).metrics, liveness: undefined },
        null,
      ).overall;
      return score === null ? [] : [{ member, score }];
    });
    const scores = scored.map(({ score }) => score).toSorted((a, b) => a - b);
    const over = scored.filter(
      ({ member: { liveness, as_of } }) =>
        liveness.notices > 0 ||
        Date.parse(as_of) - Date.parse(liveness.last_human_commit_at ?? '1970-01-01') > 730 * 86_400_000,
    );
    expect(over.length).to.be.at.least(20);
    const mean = over.reduce((sum, { score }) => sum + percentileRank(score, scores), 0) / over.length;
    expect(mean).to.be.below(50);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { assess } from '../../src/due-diligence/assess.ts';
import { assessPortfolio } from '../../src/due-diligence/portfolio.ts';
import { grades } from '../../src/due-diligence/scoring-model.ts';
import { metricCatalog } from '../../src/model/due-diligence.ts';
import type { Measurements, Metric } from '../../src/model/due-diligence.ts';

const rate = { currency: 'EUR', hourly_rate: 80 };
const parts = [
  'functions',
  'points_over',
  'blocks',
  'files',
  'tests',
  'missing',
  'modules',
  'refs',
  'provider',
  'others',
];

/** Any matrix: each metric measured or not, with any quantities. */
const metrics: fc.Arbitrary<Metric[]> = fc.tuple(
  ...metricCatalog.slice(0, -2).map(({ id, unit, direction }) =>
    fc
      .record({
        value: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
        quantities: fc.dictionary(fc.constantFrom(...parts), fc.nat(20)),
      })
      .map(({ value, quantities }): Metric => ({
        id,
        unit,
        direction,
        value,
        status: value === null ? 'not_measured' : 'measured',
        reason: value === null ? 'parse_error' : null,
        numerator: value,
        denominator: value === null ? null : 100,
        evidence: [],
        evidence_count: 0,
        quantities,
        method_version: `${id}/1`,
      })),
  ),
);
const measured = (own: Metric[]): Measurements => ({ metrics: own, people: [], authorship: [] });

describe('costs of due diligence', () => {
  it('a better grade never costs less, none costs more than putting everything right, and one that is had costs nothing', () => {
    fc.assert(
      fc.property(metrics, (own) => {
        const { remediation, dimensions } = assess({ metrics: own }, rate, null);
        expect(remediation.to_grade.map(({ grade }) => grade)).to.deep.equal(['A', 'B', 'C', 'D']);
        let dearer = Infinity;
        for (const { grade, hours, by_dimension: parts } of remediation.to_grade) {
          const least = grades.find((each) => each.grade === grade)?.least ?? 0;
          // Each sum is rounded to tenths.
          expect(hours.likely).to.be.at.most(Math.min(dearer, remediation.hours.likely) + 1);
          dearer = hours.likely;
          for (const { id, hours: part, reached } of parts) {
            const score = dimensions.find((each) => each.id === id)?.score ?? 0;
            if (score >= least) expect([part.likely, reached], `${id} ${score} ${grade}`).to.deep.equal([0, true]);
          }
        }
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  it('a portfolio costs what its repositories cost together, factor by factor', () => {
    fc.assert(
      fc.property(metrics, metrics, (one, other) => {
        const repositories = [one, other].map((own, index) => ({
          run: { repository: `r${index}`, committed_at: null },
          measurements: measured(own),
          assessment: assess({ metrics: own }, rate, null),
        }));
        const { remediation, matrix } = assessPortfolio(repositories, rate, null);
        const sum = (of: (each: (typeof repositories)[number]['assessment']['remediation']) => number) =>
          repositories.reduce((total, { assessment }) => total + of(assessment.remediation), 0);
        expect(remediation.hours.likely).to.be.closeTo(
          sum(({ hours }) => hours.likely),
          0.06,
        );
        expect(remediation.by_factor.reduce((total, { findings }) => total + findings, 0)).to.equal(
          sum(({ by_factor: factors }) => factors.reduce((total, { findings }) => total + findings, 0)),
        );
        const hours = matrix.find(({ id }) => id === 'remediation_hours_likely');
        expect(hours?.value ?? 0).to.equal(remediation.hours.likely);
      }),
      { numRuns: 40, seed: 3 },
    );
  });

  it('nothing to put right is 0 hours, and a score is graded as it is shown', () => {
    const perfect = metricCatalog.slice(0, -2).map(({ id, unit, direction }): Metric => ({
      id,
      unit,
      direction,
      value: direction === 'lower_better' ? 0 : 100,
      status: 'measured',
      reason: null,
      numerator: 0,
      denominator: 100,
      evidence: [],
      evidence_count: 0,
      quantities: {},
      method_version: `${id}/1`,
    }));
    const { matrix, score, grade, remediation } = assess({ metrics: perfect }, rate, null);
    expect([score, grade]).to.deep.equal([100, 'A']);
    expect(matrix.find(({ id }) => id === 'remediation_hours_likely')).to.include({ value: 0, status: 'measured' });
    expect(remediation.not_costed).to.deep.equal([]);
  });
});

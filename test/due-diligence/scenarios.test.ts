import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { assess } from '../../src/due-diligence/assess.ts';
import { measuredOf } from '../../src/due-diligence/population/population-file.ts';
import type { PopulationFile } from '../../src/due-diligence/population/population-file.ts';
import { openPopulation } from '../../src/due-diligence/population/population.ts';
import type { Metric } from '../../src/model/due-diligence.ts';

const rate = { currency: 'EUR', hourly_rate: 80 };
const place = new URL('../../src/due-diligence/population/reference.json', import.meta.url);
const file = JSON.parse(readFileSync(place, 'utf8')) as PopulationFile;
const population = openPopulation();

const scenariosOf = (metrics: Metric[], member: PopulationFile['repositories'][number]) => {
  const { liveness } = measuredOf(member, file.methods);
  const { remediation, score } = population.ranked(assess({ metrics, liveness }, rate, member.as_of));
  const of = (id: string) => remediation.scenarios.find((each) => each.id === id);
  return { remediation, score, next: of('next_grade'), median: of('median'), year: of('year') };
};

/**
 * Hiding that still makes a scenario cheaper: work that is assumed is taken to lead on evenly, and that which is known may lead nowhere
 * for long. Whoever mends one takes it out.
 */
const untilMended = ['xsc/bashing without duplicated_lines_pct'];

describe('scenarios of costs', () => {
  // Each twentieth of the population: nobody picked them.
  const members = file.repositories.filter((_, index) => index % 20 === 7);

  it('have ranges, sources and rules; what is there already takes nothing', () => {
    let [beyond, below] = [0, 0];
    for (const member of members) {
      const { score, next, median, year } = scenariosOf(measuredOf(member, file.methods).metrics, member);
      for (const each of [next, median, year]) {
        if (!each) continue;
        expect(each.hours.low).to.be.at.most(each.hours.likely).and.to.be.at.most(each.hours.high);
        for (const { sources, hours } of each.parts)
          if (hours.likely > 0.1) expect(sources.length).to.be.greaterThan(0);
        expect(each.rule).not.to.equal('');
      }
      expect(year?.hours.likely, member.name).to.be.greaterThan(0);
      if (median?.hours.high === 0) beyond++;
      else below++;
      // What the whole has to gain for its next letter costs something, or can't be had by work.
      if (next?.reached) expect(next.hours.likely, `${member.name} ${score}`).to.be.greaterThan(0);
    }
    expect(Math.min(beyond, below)).to.be.greaterThan(1);
  });

  it('rise with their targets: what is aimed lower takes no more', () => {
    let pairs = 0;
    for (const member of members) {
      const { next, median, remediation } = scenariosOf(measuredOf(member, file.methods).metrics, member);
      const byTarget = [next, median]
        .filter((each) => each !== undefined)
        .toSorted((a, b) => (a.target ?? 0) - (b.target ?? 0));
      // From D in each dimension to A.
      for (const targets of [byTarget, remediation.to_grade.toReversed()])
        for (const [index, { hours }] of targets.entries()) {
          if (index > 0) pairs++;
          // Within a rounded tenth an hour.
          expect(hours.likely, member.name).to.be.at.least((targets[index - 1]?.hours.likely ?? 0) - 0.11);
        }
    }
    expect(pairs).to.be.greaterThan(20);
  });

  it('are never cheaper for hiding a figure: what is not known counts as the worst', () => {
    const cheaper: string[] = [];
    let cases = 0;
    // Of many members nothing is to be done up to the median, so more are drawn.
    for (const member of file.repositories.filter((_, index) => index % 10 === 7)) {
      const { metrics } = measuredOf(member, file.methods);
      const whole = scenariosOf(metrics, member);
      if (!whole.median?.reached || whole.median.hours.likely === 0) continue;
      for (const { id } of metrics.filter(({ value, direction }) => value !== null && direction !== 'informational')) {
        const hidden = metrics.map((metric): Metric =>
          metric.id === id
            ? { ...metric, value: null, status: 'not_measured', reason: 'parse_error', quantities: {}, numerator: null }
            : metric,
        );
        const { median } = scenariosOf(hidden, member);
        cases++;
        // Within a rounded tenth an hour a factor.
        if (median?.reached && median.hours.likely < whole.median.hours.likely - 2)
          cheaper.push(`${member.name} without ${id}: ${median.hours.likely} h, not ${whole.median.hours.likely}`);
      }
    }
    expect(cases).to.be.greaterThan(50);
    expect(cheaper.map((each) => each.split(':')[0])).to.deep.equal(untilMended);
  });
});

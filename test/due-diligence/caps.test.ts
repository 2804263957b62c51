import { join } from 'node:path';
import { expect } from 'chai';
import { assess } from '../../src/due-diligence/assess.ts';
import { cappingOf } from '../../src/due-diligence/factor-scores.ts';
import { Matrix } from '../../src/due-diligence/factors/factor.ts';
import { measuredOf, readPopulationFile } from '../../src/due-diligence/population/population-file.ts';
import { standingOn } from '../../src/due-diligence/standing.ts';
import { metricCatalog } from '../../src/model/due-diligence.ts';

describe('findings that cap a dimension', () => {
  const capping = (quantities: Record<string, number>) => {
    const entry = metricCatalog.find(({ id }) => id === 'known_vulnerable_dependency_count');
    if (!entry) throw new Error('There is no such metric.');
    const { id, group, unit, direction } = entry;
    const metric = {
      id,
      group,
      unit,
      direction,
      quantities,
      value: 1,
      numerator: 1,
      denominator: 9,
      method_version: '1',
      status: 'measured' as const,
      reason: null,
      evidence: [],
      evidence_count: 0,
    };
    return cappingOf(new Matrix([[id, metric]], standingOn(undefined, null))).map((factor) => factor.id);
  };

  it('a critical vulnerability does, a high one does not, nor one of a run that did not say', () => {
    expect(capping({ critical: 1, above_moderate: 1 })).to.deep.equal(['supply.vulnerabilities']);
    expect(capping({ critical: 0, above_moderate: 1 })).to.deep.equal([]);
    expect(capping({ above_moderate: 1 })).to.deep.equal([]);
  });
});

const population = readPopulationFile(join(import.meta.dirname, '../../src/due-diligence/population/reference.json'));

describe('insecure code that decides', () => {
  const rate = { currency: 'USD', hourly_rate: 1 };
  const assessed = (index: number, found: Record<string, number>, secrets: Record<string, number> = {}) => {
    const member = population.repositories[index];
    if (!member) throw new Error('There is no such member.');
    const measured = measuredOf(member, population.methods);
    const metrics = measured.metrics.map((metric) => {
      const more = { security_pattern_finding_count: found, secret_finding_count: secrets }[metric.id as string];
      return more ? { ...metric, quantities: { ...metric.quantities, ...more } } : metric;
    });
    return assess({ ...measured, metrics }, rate, member.as_of);
  };
  // 11,259 lines of production.
  const good = population.repositories.findIndex(({ name }) => name === '1set/starlet');

  it('holds the whole at D where there is very much of it', () => {
    expect(assessed(good, { code_high: 25 })).to.include({ capped_by: 'security.patterns', grade: 'D' });
    expect(assessed(good, { code_high: 24 }).capped_by).to.equal(null);
  });

  it('needs less of it beside a secret of a provider', () => {
    expect(assessed(good, { code_high: 7 }, { provider: 1 }).capped_by).to.equal('security.patterns');
    expect(assessed(good, { code_high: 6 }, { provider: 1 }).capped_by).to.equal(null);
    expect(assessed(good, { code_high: 7 }).capped_by).to.equal(null);
  });

  it('holds nobody down in the population', () => {
    for (const [index, { name }] of population.repositories.entries())
      expect(assessed(index, {}).capped_by, name).to.not.equal('security.patterns');
  });
});

describe('code that is not parsed', () => {
  const ofFunctions = ['complex_function_loc_pct', 'long_function_loc_pct'];

  it('is never called good, and what is bad stays so', () => {
    const seen = new Map<string, Set<string | null>>();
    for (const member of population.repositories) {
      const measured = measuredOf(member, population.methods);
      const unparsed = measured.metrics.map((metric) =>
        ofFunctions.includes(metric.id)
          ? { ...metric, value: null, status: 'not_measured' as const, reason: 'unsupported_language' as const }
          : metric,
      );
      const rate = { currency: 'USD', hourly_rate: 1 };
      const before = String(assess(measured, rate, member.as_of).grade);
      const { grade } = assess({ ...measured, metrics: unparsed }, rate, member.as_of);
      seen.set(before, (seen.get(before) ?? new Set()).add(grade));
    }
    expect([...seen.keys()]).to.include.members(['A', 'B', 'C', 'D', 'E']);
    for (const [before, after] of seen)
      for (const good of ['A', 'B', 'C']) expect([...after], before).to.not.include(good);
    for (const before of ['A', 'B', 'C']) expect([...(seen.get(before) ?? [])], before).to.include(null);
    expect([...(seen.get('E') ?? [])]).to.include('E');
  });
});

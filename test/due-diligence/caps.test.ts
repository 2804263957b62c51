import { expect } from 'chai';
import { cappingOf } from '../../src/due-diligence/factor-scores.ts';
import { Matrix } from '../../src/due-diligence/factors/factor.ts';
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

import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const supplyLockfiles = defineFactor({
  id: 'supply.lockfiles',
  dimension: 'supply_chain',
  title: 'Lockfiles',
  risk: 'high',
  inputs: ['lockfile_coverage_pct'],
  points: [
    [0, 0],
    [100, 100],
  ],
  sources: 'Linear, as OpenSSF Scorecard',
  recommendation: 'Commit a lockfile and install from it in CI.',
  horizon: 'post_deal',
  cost: each('lockfile_coverage_pct', ['manifests', minutes.effort_low]),
  aims: { lockfile_coverage_pct: 100 },
});

import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const supplyHashPinning = defineFactor({
  id: 'supply.hash_pinning',
  dimension: 'supply_chain',
  title: 'Pinning by hash',
  risk: 'medium',
  inputs: ['build_ref_hash_pinned_pct'],
  points: [
    [0, 0],
    [100, 100],
  ],
  sources: 'Linear, as OpenSSF Scorecard Pinned-Dependencies',
  recommendation: 'Pin by full commit SHA or digest.',
  horizon: 'post_deal',
  cost: each('build_ref_hash_pinned_pct', ['refs', minutes.unpinned_reference]),
  aims: { build_ref_hash_pinned_pct: 100 },
});

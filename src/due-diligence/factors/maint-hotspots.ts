import { defineFactor } from './factor.ts';

export const maintHotspots = defineFactor({
  id: 'maint.hotspots',
  dimension: 'maintainability',
  title: 'Hotspots',
  risk: 'high',
  ofCode: true,
  inputs: ['hotspot_change_share_pct'],
  points: [
    [15, 100],
    [25, 75],
    [40, 50],
    [60, 25],
    [80, 0],
  ],
  sources: 'Churn by complexity as CodeScene and scc; the points are our own choice',
  recommendation: 'Refactor these files before features are added to them.',
  horizon: 'post_deal',
});

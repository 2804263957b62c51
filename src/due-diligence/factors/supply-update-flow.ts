import { interpolate } from '../score.ts';
import { minutes } from '../scoring-model.ts';
import { defineFactor, sum } from './factor.ts';

export const supplyUpdateFlow = defineFactor({
  id: 'supply.update_flow',
  dimension: 'supply_chain',
  title: 'Flow of updates',
  risk: 'high',
  inputs: ['direct_dependency_count', 'dependency_update_automation', 'dependency_staleness_days'],
  points: [
    [90, 40],
    [365, 30],
    [730, 15],
    [1278, 0],
  ],
  sources: 'Automation 60 points; staleness 40 by SIG freshness, 1, 2 and 3.5 years',
  recommendation: 'Turn on an update bot; merge its changes weekly.',
  horizon: 'post_deal',
  optional: ['dependency_staleness_days'],
  score: ({ value }, points) => {
    const staleness = value('dependency_staleness_days');
    // A bot that has nothing to update keeps nothing fresh.
    if (staleness === null && value('direct_dependency_count') === 0) return null;
    const automation = 60 * (value('dependency_update_automation') ?? 0);
    // What nobody knows earns nothing: else the history would better be hidden.
    return staleness === null ? automation : automation + interpolate(points, staleness);
  },
  cost: ({ value }) => {
    const automation = value('dependency_update_automation');
    if (automation === null) return null;
    const isStale = (value('dependency_staleness_days') ?? 0) > 365;
    return sum([
      [automation === 0 ? 1 : 0, minutes.effort_low],
      [isStale ? (value('direct_dependency_count') ?? 0) : 0, minutes.stale_dependency],
    ]);
  },
  aims: { dependency_update_automation: 1, dependency_staleness_days: 0 },
});

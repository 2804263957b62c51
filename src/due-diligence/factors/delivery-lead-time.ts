import { defineFactor } from './factor.ts';

export const deliveryLeadTime = defineFactor({
  id: 'delivery.lead_time',
  dimension: 'delivery',
  title: 'Change lead time',
  risk: 'low',
  inputs: ['change_lead_time_median_hours'],
  points: [
    [24, 100],
    [168, 75],
    [720, 50],
    [4380, 25],
    [8760, 0],
  ],
  sources: 'DORA tiers: day, week, month, six months',
  recommendation: 'Shorten the life of branches.',
  horizon: 'long_term',
});

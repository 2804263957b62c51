import { defineFactor } from './factor.ts';

export const maintDebtRatio = defineFactor({
  id: 'maint.debt_ratio',
  dimension: 'maintainability',
  title: 'Technical debt ratio',
  risk: 'medium',
  ofCode: true,
  inputs: ['technical_debt_ratio_pct'],
  points: [
    [0, 100],
    [5, 80],
    [10, 60],
    [20, 40],
    [50, 20],
    [100, 0],
  ],
  sources: 'SonarQube rating grid 0.05, 0.1, 0.2, 0.5',
  recommendation: 'Plan debt work until the ratio is under 5 %.',
  horizon: 'long_term',
  // Made of what other factors cost.
  followsDebt: true,
});

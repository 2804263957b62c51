import fitted from './population/grades.json' with { type: 'json' };

/** All that is a choice of due diligence but the factors' own (factors/). Raised whenever a score may differ for the same measurements. */
export const modelVersion = 'dd-14';
export const costModelVersion = 'dd-cost-2';

export const dimensions = [
  { id: 'maintainability', weight: 20 },
  { id: 'testing', weight: 15 },
  { id: 'delivery', weight: 10 },
  { id: 'supply_chain', weight: 15 },
  { id: 'security', weight: 20 },
  { id: 'people', weight: 15 },
  { id: 'operability', weight: 5 },
] as const;
export type DimensionId = (typeof dimensions)[number]['id'];

/** OpenSSF Scorecard's weights by risk. */
export const riskWeights = { critical: 10, high: 7.5, medium: 5, low: 2.5 } as const;
export type Risk = keyof typeof riskWeights;

/** Exponent of the power mean, below 1, so that one good property can't hide the rest (SIG's model of 2026 has its own). */
export const meanExponent = 0.5;

/** Lowest score of each grade of a dimension or a factor; meeting a published target gives 75, a B. */
export const grades = [
  { grade: 'A', least: 80 },
  { grade: 'B', least: 60 },
  { grade: 'C', least: 40 },
  { grade: 'D', least: 20 },
  { grade: 'E', least: 0 },
] as const;
export type Grade = (typeof grades)[number]['grade'];

/** Of the whole: fitted to the reference population (bench/fit-grades.ts, docs/population.md). */
export const overallGrades = grades.map(({ grade }) => ({ grade, least: fitted.least[grade] }));

/** Below it a grade would be a guess. */
export const minConfidence = 0.6;

/** What a dimension can reach at most with a finding for which one of its factors caps it: a provider's secret, say. */
export const cappedScore = 39;

/** Minutes to put one thing right, and where the number is from. */
export const minutes = {
  duplicated_block: { value: 10, source: 'SonarQube common rules (linear with offset 10 min)' },
  duplicated_file: { value: 10, source: 'SonarQube common rules (linear with offset 10 min)' },
  long_function: { value: 20, source: 'SonarSource rspec S138' },
  long_file: { value: 60, source: 'SonarSource rspec S104' },
  complex_function: { value: 10, source: 'SonarSource rspec S1541' },
  complexity_point: { value: 1, source: 'SonarSource rspec S1541' },
  uncovered_line: { value: 2, source: 'SonarQube common rules' },
  uncovered_condition: { value: 5, source: 'SonarQube common rules' },
  skipped_test: { value: 10, source: 'SonarQube common rules' },
  untested_line: { value: 0.5, source: 'own choice: where no coverage report is, a proxy by test volume' },
  effort_low: { value: 60, source: 'OpenSSF Scorecard effort Low; hours are our own choice' },
  effort_medium: { value: 240, source: 'OpenSSF Scorecard effort Medium; hours are our own choice' },
  unpinned_reference: { value: 5, source: 'own choice' },
  stale_dependency: { value: 15, source: 'own choice' },
  vulnerable_minor: { value: 30, source: 'own choice' },
  vulnerable_major: { value: 240, source: 'own choice' },
  provider_secret: { value: 60, source: 'own choice' },
  generic_secret: { value: 15, source: 'own choice' },
  workflow_permissions: { value: 15, source: 'own choice' },
  concentrated_area: { value: 480, source: 'own choice' },
  orphaned_hotspot: { value: 120, source: 'own choice' },
  spread_service: { value: 240, source: 'own choice' },
  hardcoded_endpoint: { value: 10, source: 'own choice' },
  developed_line: { value: 30, source: 'SonarQube sonar.technicalDebt.developmentCost' },
} as const;

/** Low and high of a range, as multiples of the likely hours; wider where an input is a proxy or little was measured. */
export const ranges = { usual: { low: 0.5, high: 2 }, wide: { low: 0.33, high: 3 }, wideBelowConfidence: 0.8 } as const;

/** Boehm's basic COCOMO, organic, as scc has it: an order of magnitude, never a price. */
export const cocomo = { factor: 2.4, exponent: 1.05 } as const;

/** What keeps a repository alive, and what is assumed of what nobody knows. */
export const upkeep = {
  changed_share: {
    value: { low: 0.05, likely: 0.1, high: 0.25 },
    source:
      'Boehm 1981, annual change traffic: the development effort times the part changed in a year; shares are our own choice',
  },
  month_hours: { value: 152, source: 'Boehm 1981: 152 hours a person-month' },
  updates: { value: 4, source: 'own choice: each direct dependency is updated four times a year' },
  assumed: {
    source: 'not measured: as much as in any repository of the population, by lines of code, and four hours at least',
  },
} as const;

export type Horizon = 'deal_critical' | 'post_deal' | 'long_term';

/** Pairs of a value and its score; between them the score is linear, beyond them it stays. */
export type Points = readonly (readonly [value: number, score: number])[];

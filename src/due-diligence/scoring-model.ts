import type { MetricId } from '../model/due-diligence.ts';

/** All that is a choice of due diligence, in one place. Raised whenever a score may differ for the same measurements. */
export const modelVersion = 'dd-2';
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

/** Lowest score of each grade; meeting a published target gives 75, a B. */
export const grades = [
  { grade: 'A', least: 80 },
  { grade: 'B', least: 60 },
  { grade: 'C', least: 40 },
  { grade: 'D', least: 20 },
  { grade: 'E', least: 0 },
] as const;
export type Grade = (typeof grades)[number]['grade'];

/** Below it a grade would be a guess. */
export const minConfidence = 0.6;

/** What the security dimension can reach at most with a provider's secret at HEAD or a workflow that runs strangers' code. */
export const securityCap = 39;

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
  undocumented_service: { value: 120, source: 'own choice' },
  spread_service: { value: 240, source: 'own choice' },
  hardcoded_endpoint: { value: 10, source: 'own choice' },
  developed_line: { value: 30, source: 'SonarQube sonar.technicalDebt.developmentCost' },
} as const;

/** Low and high of a range, as multiples of the likely hours; wider where an input is a proxy or little was measured. */
export const ranges = { usual: { low: 0.5, high: 2 }, wide: { low: 0.33, high: 3 }, wideBelowConfidence: 0.8 } as const;

/** Boehm's basic COCOMO, organic, as scc has it: an order of magnitude, never a price. */
export const cocomo = { factor: 2.4, exponent: 1.05 } as const;

export type Horizon = 'deal_critical' | 'post_deal' | 'long_term';

/** Pairs of a value and its score; between them the score is linear, beyond them it stays. */
export type Points = readonly (readonly [value: number, score: number])[];

/** What the catalogue says of a factor; how it is scored and costed is beside it, in factors.ts. */
export interface FactorDefinition {
  id: string;
  dimension: DimensionId;
  title: string;
  risk: Risk;
  inputs: readonly MetricId[];
  points: Points | null;
  /** Where the points come from. */
  sources: string;
  recommendation: string;
  horizon: Horizon;
}

export const factorCatalog = [
  {
    id: 'maint.duplication',
    dimension: 'maintainability',
    title: 'Duplication',
    risk: 'medium',
    inputs: ['duplicated_lines_pct'],
    points: [
      [3, 100],
      [5.6, 75],
      [10, 50],
      [20, 25],
      [40, 0],
    ],
    sources: '100 at 3 %: Sonar way quality gate; 75 at 5.6 %: SIG, four stars; the rest our own choice',
    recommendation: 'Extract the listed repeated blocks into one place each.',
    horizon: 'long_term',
  },
  {
    id: 'maint.function_size',
    dimension: 'maintainability',
    title: 'Function size',
    risk: 'medium',
    inputs: ['long_function_loc_pct'],
    points: [
      [3, 100],
      [6.7, 75],
      [13, 50],
      [27, 25],
      [50, 0],
    ],
    sources: '75 at 6.7 % of code in functions over 60 lines: SIG unit size; the rest multiples of it',
    recommendation: 'Split the listed functions.',
    horizon: 'long_term',
  },
  {
    id: 'maint.complexity',
    dimension: 'maintainability',
    title: 'Complexity',
    risk: 'high',
    inputs: ['complex_function_loc_pct'],
    points: [
      [2, 100],
      [6, 75],
      [12, 50],
      [25, 25],
      [50, 0],
    ],
    sources: 'Cyclomatic complexity over 15: lizard and Sonar S1541; the points are our own choice',
    recommendation: 'Reduce the branches of the listed functions, hotspots first.',
    horizon: 'long_term',
  },
  {
    id: 'maint.hotspots',
    dimension: 'maintainability',
    title: 'Hotspots',
    risk: 'high',
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
  },
  {
    id: 'maint.debt_ratio',
    dimension: 'maintainability',
    title: 'Technical debt ratio',
    risk: 'medium',
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
  },
  {
    id: 'test.coverage',
    dimension: 'testing',
    title: 'Test coverage',
    risk: 'high',
    inputs: ['line_coverage_pct'],
    points: [
      [0, 0],
      [40, 25],
      [65, 50],
      [80, 75],
      [90, 100],
    ],
    sources: '100 at 90 %: OpenSSF badge gold; 75 at 80 %: OpenSSF silver and Sonar; 50 at 65 %: Sonar common rules',
    recommendation: 'Add tests to the listed files; start with the hotspots.',
    horizon: 'post_deal',
  },
  {
    id: 'test.volume',
    dimension: 'testing',
    title: 'Test volume',
    risk: 'medium',
    inputs: ['test_code_ratio_pct', 'skipped_test_count'],
    points: [
      [0, 0],
      [25, 25],
      [50, 50],
      [80, 75],
      [100, 100],
    ],
    sources: 'Sigrid: 100 % is roughly 80 % coverage; its example objective is 80 %',
    recommendation: 'Write tests for the modules that have no test file.',
    horizon: 'post_deal',
  },
  {
    id: 'test.discipline',
    dimension: 'testing',
    title: 'Test discipline',
    risk: 'medium',
    inputs: ['test_cochange_pct'],
    points: [
      [0, 0],
      [15, 25],
      [30, 50],
      [50, 75],
      [80, 100],
    ],
    sources: '75 at 50 %: OpenSSF badge regression_tests_added50; the rest our own choice',
    recommendation: 'Require a test with each change of behaviour.',
    horizon: 'post_deal',
  },
  {
    id: 'delivery.ci_gates',
    dimension: 'delivery',
    title: 'Quality gates in CI',
    risk: 'high',
    inputs: ['ci_workflow_count', 'ci_gate_score_pct'],
    points: [
      [0, 0],
      [100, 100],
    ],
    sources: 'Linear, as OpenSSF Scorecard CI-Tests and SAST; no workflow is 0',
    recommendation:
      'Add the missing gates: build, test, lint or type check, static analysis, dependency or secret scan.',
    horizon: 'post_deal',
  },
  {
    id: 'delivery.release_cadence',
    dimension: 'delivery',
    title: 'Release cadence',
    risk: 'low',
    inputs: ['release_interval_median_days'],
    points: [
      [14, 100],
      [30, 75],
      [90, 50],
      [180, 25],
      [365, 0],
    ],
    sources: 'CHAOSS release frequency; the points are our own choice',
    recommendation: 'Ship smaller, more frequent releases.',
    horizon: 'long_term',
  },
  {
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
  },
  {
    id: 'delivery.build_reproducible',
    dimension: 'delivery',
    title: 'Reproducible build',
    risk: 'medium',
    inputs: ['build_system_count', 'toolchain_pinned_pct', 'build_doc_completeness_pct'],
    points: null,
    sources: '0.6 x toolchain + 0.4 x documentation: our own choice over OpenSSF badge criteria',
    recommendation: 'Pin the toolchain and document the build and test commands.',
    horizon: 'post_deal',
  },
  {
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
  },
  {
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
  },
  {
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
  },
  {
    id: 'supply.vulnerabilities',
    dimension: 'supply_chain',
    title: 'Known vulnerabilities',
    risk: 'high',
    inputs: ['known_vulnerable_dependency_count'],
    points: [
      [0, 100],
      [10, 0],
    ],
    sources: 'OpenSSF Scorecard 10 - n; at most 74 with one above moderate (SIG open-source health)',
    recommendation: 'Update to the fixed version.',
    horizon: 'deal_critical',
  },
  {
    id: 'security.secrets',
    dimension: 'security',
    title: 'Secrets in the code',
    risk: 'critical',
    inputs: ['secret_finding_count'],
    points: [
      [0, 100],
      [1, 25],
      [3, 0],
    ],
    sources: 'Our own choice',
    recommendation: 'Rotate first, then remove, then rewrite the history if needed.',
    horizon: 'deal_critical',
  },
  {
    id: 'security.patterns',
    dimension: 'security',
    title: 'Insecure patterns',
    risk: 'critical',
    inputs: ['security_pattern_finding_count'],
    points: null,
    sources: 'OpenSSF Scorecard: a dangerous workflow is 0; else 100 - 10 x binaries - 5 x others',
    recommendation: 'Put the listed findings right, dangerous workflows first.',
    horizon: 'deal_critical',
  },
  {
    id: 'security.tokens',
    dimension: 'security',
    title: 'Token permissions',
    risk: 'high',
    inputs: ['ci_token_least_privilege_pct'],
    points: [
      [0, 0],
      [100, 100],
    ],
    sources: 'Linear, as OpenSSF Scorecard Token-Permissions; 10 less where only jobs set them',
    recommendation: 'Set top-level `permissions: contents: read`.',
    horizon: 'post_deal',
  },
  {
    id: 'people.concentration',
    dimension: 'people',
    title: 'Concentration of knowledge',
    risk: 'high',
    inputs: ['contributor_absence_factor_12m', 'truck_factor'],
    points: [
      [0, 0],
      [1, 25],
      [2, 50],
      [3, 75],
      [5, 100],
    ],
    sources: '50 at 2: OpenSSF silver; 65 % of 133 popular systems have a truck factor of 2 or less (arXiv 1604.06766)',
    recommendation: 'Pair or rotate on the listed areas.',
    horizon: 'deal_critical',
  },
  {
    id: 'people.knowledge_loss',
    dimension: 'people',
    title: 'Loss of knowledge',
    risk: 'high',
    inputs: ['orphaned_code_pct'],
    points: [
      [10, 100],
      [25, 75],
      [50, 50],
      [75, 25],
      [100, 0],
    ],
    sources: "50 at 50 %: Avelino's abandonment line; the rest our own choice",
    recommendation: 'Assign an owner to the listed folders.',
    horizon: 'post_deal',
  },
  {
    id: 'people.activity',
    dimension: 'people',
    title: 'Activity',
    risk: 'medium',
    inputs: ['active_contributors_12m', 'active_week_pct_12m'],
    points: [
      [0, 0],
      [10, 25],
      [30, 50],
      [60, 75],
      [100, 100],
    ],
    sources: '100 at weekly activity: OpenSSF Scorecard Maintained; the rest our own choice',
    recommendation: 'Confirm that the repository is still maintained.',
    horizon: 'post_deal',
  },
  {
    id: 'ops.service_count',
    dimension: 'operability',
    title: 'External services',
    risk: 'medium',
    inputs: ['external_service_count'],
    points: [
      [3, 100],
      [6, 75],
      [12, 50],
      [20, 25],
      [35, 0],
    ],
    sources: 'Our own choice',
    recommendation: 'List owner, contract and fallback of each service.',
    horizon: 'long_term',
  },
  {
    id: 'ops.coupling_spread',
    dimension: 'operability',
    title: 'Spread of service use',
    risk: 'medium',
    inputs: ['external_service_spread_pct'],
    points: [
      [5, 100],
      [15, 75],
      [30, 50],
      [50, 25],
      [80, 0],
    ],
    sources: 'Our own choice',
    recommendation: 'Put each service behind one adapter.',
    horizon: 'long_term',
  },
  {
    id: 'ops.hardcoded_endpoints',
    dimension: 'operability',
    title: 'Hard-coded endpoints',
    risk: 'medium',
    inputs: ['hardcoded_endpoint_count', 'loc_code'],
    points: [
      [0, 100],
      [1, 75],
      [3, 50],
      [8, 25],
      [20, 0],
    ],
    sources: 'Findings per 10,000 lines; our own choice',
    recommendation: 'Move the addresses to configuration.',
    horizon: 'long_term',
  },
] as const satisfies readonly FactorDefinition[];
export type FactorId = (typeof factorCatalog)[number]['id'];

/** Their costs are the technical debt. */
export const debtFactors: readonly FactorId[] = ['maint.duplication', 'maint.function_size', 'maint.complexity'];

/** Made of what other factors cost, or put right by time and not by work. */
export const costless: readonly FactorId[] = [
  'maint.hotspots',
  'maint.debt_ratio',
  'delivery.release_cadence',
  'delivery.lead_time',
  'people.activity',
];

/** Where the work on a factor leads its metrics; a factor that is not here scores no better by the work that is costed. */
export const aims: Partial<Record<FactorId, Partial<Record<MetricId, number>>>> = {
  'maint.duplication': { duplicated_lines_pct: 0 },
  'maint.function_size': { long_function_loc_pct: 0 },
  'maint.complexity': { complex_function_loc_pct: 0 },
  'test.coverage': { line_coverage_pct: 80 },
  'test.volume': { test_code_ratio_pct: 80 },
  'test.discipline': { test_cochange_pct: 50 },
  'delivery.ci_gates': { ci_workflow_count: 1, ci_gate_score_pct: 100 },
  'delivery.build_reproducible': { toolchain_pinned_pct: 100 },
  'supply.lockfiles': { lockfile_coverage_pct: 100 },
  'supply.hash_pinning': { build_ref_hash_pinned_pct: 100 },
  'supply.update_flow': { dependency_update_automation: 1, dependency_staleness_days: 0 },
  'supply.vulnerabilities': { known_vulnerable_dependency_count: 0 },
  'security.secrets': { secret_finding_count: 0 },
  'security.patterns': { security_pattern_finding_count: 0 },
  'security.tokens': { ci_token_least_privilege_pct: 100 },
  'ops.hardcoded_endpoints': { hardcoded_endpoint_count: 0 },
};

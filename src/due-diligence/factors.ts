import type { Metric, MetricId, MetricReason } from '../model/due-diligence.ts';
import { interpolate } from './score.ts';
import { factorCatalog, minutes } from './scoring-model.ts';
import type { FactorDefinition, FactorId } from './scoring-model.ts';

/** The metrics of one repository, or of a portfolio, by id. */
export type Matrix = ReadonlyMap<MetricId, Metric>;

/** What one factor comes to; null scores have a reason. */
export interface Factor {
  definition: FactorDefinition & { id: FactorId };
  score: number | null;
  status: Metric['status'];
  reason: MetricReason | null;
  /** What to put right, counted in `findings`, takes so many minutes at a likely guess; null where it could not be measured. */
  cost: { minutes: number; findings: number; isProxy: boolean } | null;
}

/** Every factor of the catalogue, in its order. */
export function factorsOf(matrix: Matrix): Factor[] {
  return factorCatalog.map((definition) => {
    const gap = gapOf(definition.id, definition.inputs, matrix);
    const score = gap ? null : scoreOf(definition, matrix);
    return {
      definition,
      score,
      // A figure per line of code, where there is none, does not arise.
      status: gap?.status ?? (score === null ? 'not_applicable' : 'measured'),
      reason: gap?.reason ?? (score === null ? 'nothing_to_measure' : null),
      cost: costOf(definition.id, matrix),
    };
  });
}

/** The score of a factor whose inputs are there. */
export function scoreOf(definition: Factor['definition'], matrix: Matrix): number | null {
  const score = rawScore(definition, matrix);
  return score === null ? null : Math.min(100, Math.max(0, score));
}

/** Inputs that a factor can do without: it is scored by the others. */
const optional: Partial<Record<FactorId, readonly MetricId[]>> = {
  'test.volume': ['skipped_test_count'],
  'delivery.ci_gates': ['ci_gate_score_pct'],
  'delivery.build_reproducible': ['toolchain_pinned_pct'],
  'supply.update_flow': ['dependency_staleness_days'],
};

function gapOf(id: FactorId, inputs: readonly MetricId[], matrix: Matrix): Pick<Metric, 'status' | 'reason'> | null {
  const needed = inputs.filter((input) => !optional[id]?.includes(input));
  const gaps = needed.map((input) => matrix.get(input)).filter((metric) => metric?.value == null);
  if (gaps.length === 0) return null;
  // Concentration is the worse of two figures; one of them is enough to know it is no better.
  if (id === 'people.concentration' && gaps.length < needed.length) return null;
  const [gap] = gaps;
  return { status: gap?.status ?? 'not_measured', reason: gap?.reason ?? 'parse_error' };
}

/** What the metrics say, as scores and costs ask for it; what is not measured counts 0 in quantities. */
function measuresOf(matrix: Matrix) {
  const value = (id: MetricId) => matrix.get(id)?.value ?? null;
  return {
    value,
    known: (id: MetricId) => value(id) !== null,
    quantity: (id: MetricId, name: string) => matrix.get(id)?.quantities[name] ?? 0,
    denominator: (id: MetricId) => matrix.get(id)?.denominator ?? 0,
  };
}

type Measures = ReturnType<typeof measuresOf>;

/** What a factor's metrics come to, whatever they are; beyond 0 and 100, too. */
function rawScore(definition: Factor['definition'], matrix: Matrix): number | null {
  const [input] = definition.inputs;
  const points = definition.points ?? [];
  const measures = measuresOf(matrix);
  const own = scores[definition.id];
  if (own) return own(measures, points);
  const only = input === undefined ? null : measures.value(input);
  return only === null ? null : interpolate(points, only);
}

type Points = NonNullable<FactorDefinition['points']>;

/** Of factors that are more than one metric on a scale. */
const scores: Partial<Record<FactorId, (measures: Measures, points: Points) => number | null>> = {
  'delivery.ci_gates': ({ value }) => (value('ci_workflow_count') === 0 ? 0 : value('ci_gate_score_pct')),
  'delivery.build_reproducible': ({ value }) => {
    const toolchain = value('toolchain_pinned_pct');
    const docs = value('build_doc_completeness_pct') ?? 0;
    return toolchain === null ? docs : 0.6 * toolchain + 0.4 * docs;
  },
  'supply.update_flow': ({ value }, points) => {
    const staleness = value('dependency_staleness_days');
    const automation = 60 * (value('dependency_update_automation') ?? 0);
    return staleness === null ? automation / 0.6 : automation + interpolate(points, staleness);
  },
  'supply.vulnerabilities': ({ value, quantity }, points) => {
    const score = interpolate(points, value('known_vulnerable_dependency_count') ?? 0);
    return quantity('known_vulnerable_dependency_count', 'above_moderate') > 0 ? Math.min(74, score) : score;
  },
  'security.patterns': ({ quantity }) => {
    const of = (name: string) => quantity('security_pattern_finding_count', name);
    return of('dangerous_workflows') > 0 ? 0 : 100 - 10 * of('binaries') - 5 * of('others');
  },
  'security.tokens': ({ value, quantity }) => {
    const score = value('ci_token_least_privilege_pct') ?? 0;
    return quantity('ci_token_least_privilege_pct', 'job_level_only') > 0 ? score - 10 : score;
  },
  'people.concentration': ({ value }, points) => {
    const known = [value('contributor_absence_factor_12m'), value('truck_factor')].filter((each) => each !== null);
    return interpolate(points, Math.min(...known));
  },
  'people.activity': ({ value }, points) => interpolate(points, value('active_week_pct_12m') ?? 0),
  'ops.hardcoded_endpoints': ({ value }, points) => {
    const lines = value('loc_code') ?? 0;
    return lines === 0 ? null : interpolate(points, (10_000 * (value('hardcoded_endpoint_count') ?? 0)) / lines);
  },
};

const costOf = (id: FactorId, matrix: Matrix): Factor['cost'] => costs[id]?.(measuresOf(matrix)) ?? null;

type CostOf = (measures: Measures) => Factor['cost'];

const sum = (parts: readonly (readonly [count: number, each: number])[]): Factor['cost'] => ({
  minutes: parts.reduce((total, [count, each]) => total + count * each, 0),
  findings: parts.reduce((total, [count]) => total + count, 0),
  isProxy: false,
});

/** So many things of a metric, each so long; null when the metric is. */
const each =
  (id: MetricId, ...parts: readonly (readonly [part: string, one: { value: number }])[]): CostOf =>
  ({ known, quantity }) =>
    known(id) ? sum(parts.map(([part, one]) => [quantity(id, part), one.value])) : null;

/** Things of a metric, each so long, and what comes with them, which is not counted for itself. */
const eachWith =
  (
    id: MetricId,
    [part, one]: readonly [string, { value: number }],
    [more, other]: readonly [string, { value: number }],
  ): CostOf =>
  ({ known, quantity }) =>
    known(id)
      ? {
          minutes: quantity(id, part) * one.value + quantity(id, more) * other.value,
          findings: quantity(id, part),
          isProxy: false,
        }
      : null;

/**
 * Of each factor that costs something: what its quantities come to. A function counts under complexity or size, never twice.
 * Hotspots and the debt ratio are made of what is counted here; the rest takes time to pass, not work.
 */
const costs: Partial<Record<FactorId, CostOf>> = {
  'maint.duplication': eachWith(
    'duplicated_lines_pct',
    ['blocks', minutes.duplicated_block],
    ['files', minutes.duplicated_file],
  ),
  'maint.function_size': each(
    'long_function_loc_pct',
    ['functions', minutes.long_function],
    ['files', minutes.long_file],
  ),
  'maint.complexity': eachWith(
    'complex_function_loc_pct',
    ['functions', minutes.complex_function],
    ['points_over', minutes.complexity_point],
  ),
  'test.coverage': each(
    'line_coverage_pct',
    ['lines_below_80', minutes.uncovered_line],
    ['conditions', minutes.uncovered_condition],
  ),
  'test.volume': ({ value, known, quantity, denominator }) => {
    const ratio = value('test_code_ratio_pct');
    const skipped = quantity('skipped_test_count', 'tests');
    if (ratio === null) return null;
    const code = denominator('test_code_ratio_pct');
    const missing = known('line_coverage_pct') ? 0 : (Math.max(0, 80 - ratio) / 100) * code;
    const lines = Math.round(missing);
    return {
      minutes: lines * minutes.untested_line.value + skipped * minutes.skipped_test.value,
      findings: skipped + (lines > 0 ? 1 : 0),
      isProxy: lines > 0,
    };
  },
  'test.discipline': ({ value }) => {
    const together = value('test_cochange_pct');
    return together === null ? null : sum([[together < 50 ? 1 : 0, minutes.effort_low.value]]);
  },
  'delivery.ci_gates': (measures) =>
    measures.value('ci_workflow_count') === 0
      ? sum([[5, minutes.effort_medium.value]])
      : each('ci_gate_score_pct', ['missing', minutes.effort_medium])(measures),
  'delivery.build_reproducible': each('toolchain_pinned_pct', ['modules', minutes.effort_low]),
  'supply.lockfiles': each('lockfile_coverage_pct', ['manifests', minutes.effort_low]),
  'supply.hash_pinning': each('build_ref_hash_pinned_pct', ['refs', minutes.unpinned_reference]),
  'supply.update_flow': ({ value }) => {
    const automation = value('dependency_update_automation');
    if (automation === null) return null;
    const isStale = (value('dependency_staleness_days') ?? 0) > 365;
    return sum([
      [automation === 0 ? 1 : 0, minutes.effort_low.value],
      [isStale ? (value('direct_dependency_count') ?? 0) : 0, minutes.stale_dependency.value],
    ]);
  },
  'supply.vulnerabilities': each(
    'known_vulnerable_dependency_count',
    ['minor', minutes.vulnerable_minor],
    ['major', minutes.vulnerable_major],
  ),
  'security.secrets': each(
    'secret_finding_count',
    ['provider', minutes.provider_secret],
    ['generic', minutes.generic_secret],
  ),
  'security.patterns': each(
    'security_pattern_finding_count',
    ['dangerous_workflows', minutes.effort_low],
    ['binaries', minutes.effort_medium],
    ['others', minutes.effort_low],
  ),
  'security.tokens': each('ci_token_least_privilege_pct', ['workflows', minutes.workflow_permissions]),
  'people.concentration': each('truck_factor', ['areas', minutes.concentrated_area]),
  'people.knowledge_loss': each('orphaned_code_pct', ['hotspots', minutes.orphaned_hotspot]),
  'ops.service_count': each('external_service_count', ['undocumented', minutes.undocumented_service]),
  'ops.coupling_spread': each('external_service_spread_pct', ['spread_services', minutes.spread_service]),
  'ops.hardcoded_endpoints': each('hardcoded_endpoint_count', ['findings', minutes.hardcoded_endpoint]),
};

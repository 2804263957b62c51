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

/** What a factor's metrics come to, whatever they are; beyond 0 and 100, too. */
function rawScore(definition: Factor['definition'], matrix: Matrix): number | null {
  const value = (id: MetricId) => matrix.get(id)?.value ?? null;
  const count = (id: MetricId, name: string) => matrix.get(id)?.quantities[name] ?? 0;
  const points = definition.points ?? [];
  switch (definition.id) {
    case 'delivery.ci_gates':
      return value('ci_workflow_count') === 0 ? 0 : value('ci_gate_score_pct');
    case 'delivery.build_reproducible': {
      const toolchain = value('toolchain_pinned_pct');
      const docs = value('build_doc_completeness_pct') ?? 0;
      return toolchain === null ? docs : 0.6 * toolchain + 0.4 * docs;
    }
    case 'supply.update_flow': {
      const staleness = value('dependency_staleness_days');
      const automation = 60 * (value('dependency_update_automation') ?? 0);
      return staleness === null ? automation / 0.6 : automation + interpolate(points, staleness);
    }
    case 'supply.vulnerabilities': {
      const score = interpolate(points, value('known_vulnerable_dependency_count') ?? 0);
      return count('known_vulnerable_dependency_count', 'above_moderate') > 0 ? Math.min(74, score) : score;
    }
    case 'security.patterns': {
      const of = (name: string) => count('security_pattern_finding_count', name);
      return of('dangerous_workflows') > 0 ? 0 : 100 - 10 * of('binaries') - 5 * of('others');
    }
    case 'security.tokens': {
      const score = value('ci_token_least_privilege_pct') ?? 0;
      return count('ci_token_least_privilege_pct', 'job_level_only') > 0 ? score - 10 : score;
    }
    case 'people.concentration': {
      const known = [value('contributor_absence_factor_12m'), value('truck_factor')].filter((each) => each !== null);
      return interpolate(points, Math.min(...known));
    }
    case 'people.activity':
      return interpolate(points, value('active_week_pct_12m') ?? 0);
    case 'ops.hardcoded_endpoints': {
      const lines = value('loc_code') ?? 0;
      return lines === 0 ? null : interpolate(points, (10_000 * (value('hardcoded_endpoint_count') ?? 0)) / lines);
    }
    default: {
      const [input] = definition.inputs;
      const only = input === undefined ? null : value(input);
      return only === null ? null : interpolate(points, only);
    }
  }
}

/** Of each factor that costs something: what its quantities come to. A function counts under complexity or size, never twice. */
function costOf(id: FactorId, matrix: Matrix): Factor['cost'] {
  const metric = (name: MetricId) => matrix.get(name);
  const known = (name: MetricId) => metric(name)?.value != null;
  const quantity = (name: MetricId, part: string) => metric(name)?.quantities[part] ?? 0;
  const sum = (parts: readonly (readonly [count: number, each: number])[], isProxy = false): Factor['cost'] => ({
    minutes: parts.reduce((total, [count, each]) => total + count * each, 0),
    findings: parts.reduce((total, [count]) => total + count, 0),
    isProxy,
  });
  /** So many things, each so long; null when their metric is. */
  const each = (name: MetricId, part: string, one: { value: number }) =>
    known(name) ? sum([[quantity(name, part), one.value]]) : null;

  switch (id) {
    case 'maint.duplication':
      if (!known('duplicated_lines_pct')) return null;
      return {
        minutes:
          quantity('duplicated_lines_pct', 'blocks') * minutes.duplicated_block.value +
          quantity('duplicated_lines_pct', 'files') * minutes.duplicated_file.value,
        findings: quantity('duplicated_lines_pct', 'blocks'),
        isProxy: false,
      };
    case 'maint.function_size':
      if (!known('long_function_loc_pct')) return null;
      return sum([
        [quantity('long_function_loc_pct', 'functions'), minutes.long_function.value],
        [quantity('long_function_loc_pct', 'files'), minutes.long_file.value],
      ]);
    case 'maint.complexity':
      if (!known('complex_function_loc_pct')) return null;
      return {
        minutes:
          quantity('complex_function_loc_pct', 'functions') * minutes.complex_function.value +
          quantity('complex_function_loc_pct', 'points_over') * minutes.complexity_point.value,
        findings: quantity('complex_function_loc_pct', 'functions'),
        isProxy: false,
      };
    case 'test.coverage':
      if (!known('line_coverage_pct')) return null;
      return sum([
        [quantity('line_coverage_pct', 'lines_below_80'), minutes.uncovered_line.value],
        [quantity('line_coverage_pct', 'conditions'), minutes.uncovered_condition.value],
      ]);
    case 'test.volume': {
      const ratio = metric('test_code_ratio_pct');
      const skipped = quantity('skipped_test_count', 'tests');
      if (ratio?.value == null) return null;
      const missing = known('line_coverage_pct') ? 0 : (Math.max(0, 80 - ratio.value) / 100) * (ratio.denominator ?? 0);
      const lines = Math.round(missing);
      return {
        minutes: lines * minutes.untested_line.value + skipped * minutes.skipped_test.value,
        findings: skipped + (lines > 0 ? 1 : 0),
        isProxy: lines > 0,
      };
    }
    case 'test.discipline': {
      const value = metric('test_cochange_pct')?.value;
      return value == null ? null : sum([[value < 50 ? 1 : 0, minutes.effort_low.value]]);
    }
    case 'delivery.ci_gates':
      if (metric('ci_workflow_count')?.value === 0) return sum([[5, minutes.effort_medium.value]]);
      return each('ci_gate_score_pct', 'missing', minutes.effort_medium);
    case 'delivery.build_reproducible':
      return each('toolchain_pinned_pct', 'modules', minutes.effort_low);
    case 'supply.lockfiles':
      return each('lockfile_coverage_pct', 'manifests', minutes.effort_low);
    case 'supply.hash_pinning':
      return each('build_ref_hash_pinned_pct', 'refs', minutes.unpinned_reference);
    case 'supply.update_flow': {
      if (!known('dependency_update_automation')) return null;
      const isStale = (metric('dependency_staleness_days')?.value ?? 0) > 365;
      return sum([
        [metric('dependency_update_automation')?.value === 0 ? 1 : 0, minutes.effort_low.value],
        [isStale ? (metric('direct_dependency_count')?.value ?? 0) : 0, minutes.stale_dependency.value],
      ]);
    }
    case 'supply.vulnerabilities':
      if (!known('known_vulnerable_dependency_count')) return null;
      return sum([
        [quantity('known_vulnerable_dependency_count', 'minor'), minutes.vulnerable_minor.value],
        [quantity('known_vulnerable_dependency_count', 'major'), minutes.vulnerable_major.value],
      ]);
    case 'security.secrets':
      if (!known('secret_finding_count')) return null;
      return sum([
        [quantity('secret_finding_count', 'provider'), minutes.provider_secret.value],
        [quantity('secret_finding_count', 'generic'), minutes.generic_secret.value],
      ]);
    case 'security.patterns':
      if (!known('security_pattern_finding_count')) return null;
      return sum([
        [quantity('security_pattern_finding_count', 'dangerous_workflows'), minutes.effort_low.value],
        [quantity('security_pattern_finding_count', 'binaries'), minutes.effort_medium.value],
        [quantity('security_pattern_finding_count', 'others'), minutes.effort_low.value],
      ]);
    case 'security.tokens':
      return each('ci_token_least_privilege_pct', 'workflows', minutes.workflow_permissions);
    case 'people.concentration':
      return each('truck_factor', 'areas', minutes.concentrated_area);
    case 'people.knowledge_loss':
      return each('orphaned_code_pct', 'hotspots', minutes.orphaned_hotspot);
    case 'ops.service_count':
      return each('external_service_count', 'undocumented', minutes.undocumented_service);
    case 'ops.coupling_spread':
      return each('external_service_spread_pct', 'spread_services', minutes.spread_service);
    case 'ops.hardcoded_endpoints':
      return each('hardcoded_endpoint_count', 'findings', minutes.hardcoded_endpoint);
    // Hotspots and the debt ratio are made of what is counted above; the rest takes time to pass, not work.
    default:
      return null;
  }
}

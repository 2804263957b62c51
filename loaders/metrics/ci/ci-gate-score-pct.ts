import type { Evidence } from '../../../src/model/due-diligence.ts';
import type { MetricSource } from '../metric.ts';
import { gateIds } from './gates.ts';
import type { GateId } from './gates.ts';
import { passagesOf, readsPassages } from './passages.ts';
import type { Passage } from './passages.ts';
import { workflowsOf } from './workflows-of.ts';

/** What is not counted is told so often. */
const maxUncounted = 40;

/**
 * Five gates on pushes or requests to merge: build, test, lint or type check, static analysis, dependency or secret scan. Commands are
 * followed through the repository's own scripts to what they run; what can't fail, never runs, or runs beside the code, is told and not counted.
 */
export const ciGateScore: MetricSource = {
  id: 'ci_gate_score_pct',
  version: 5,
  reads: readsPassages,
  measure(input) {
    const workflows = workflowsOf(input);
    if (workflows.length === 0) return { value: null, reason: 'no_ci_config' };
    const passages = passagesOf(input);
    const found = gateIds.flatMap((id) => passages.find(({ gate, hidden }) => gate === id && hidden === null) ?? []);
    const missing = gateIds.filter((id) => !found.some(({ gate }) => gate === id));
    return {
      value: (100 * found.length) / gateIds.length,
      numerator: found.length,
      denominator: gateIds.length,
      evidence: [
        ...found.map(({ gate, path, line, chain }) => ({ path, line, note: `${gate}: ${chain.join(' → ')}` })),
        ...missing.map((id) => ({ note: `missing: ${id}` })),
        ...uncounted(passages, missing),
      ],
      quantities: { missing: missing.length },
    };
  },
};

/** What reads like a gate and is none, those first that are missing; each reason once for a gate and a file. */
function uncounted(passages: readonly Passage[], missing: readonly GateId[]): Partial<Evidence>[] {
  const told = new Map<string, Passage>();
  for (const each of passages) {
    const key = `${each.gate} ${each.path} ${each.hidden}`;
    const isNews = each.gate !== 'build' || missing.includes('build');
    if (each.hidden !== null && isNews && !told.has(key)) told.set(key, each);
  }
  return [...told.values()]
    .toSorted((a, b) => Number(missing.includes(b.gate)) - Number(missing.includes(a.gate)))
    .slice(0, maxUncounted)
    .map(({ gate, path, line, chain, hidden }) => ({
      path,
      line,
      note: `not counted as ${gate}: ${chain.join(' → ')}: ${hidden}`,
    }));
}

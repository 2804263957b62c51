import type { PredictionStatus } from '../../src/model/evaluation-run.ts';
import type { InfraFailure } from './infra-signatures.ts';

/** What became of one prediction, as far as a report of its run needs it. */
export interface Evaluated {
  instance_id: string;
  status: PredictionStatus;
  /** What hints at the machine; null for a patch that resolved. */
  infra: InfraFailure | null;
}

/** The report of a run of one model in SWE-bench's form, version 2, for whatever reads leaderboards. */
export function evaluationReport(
  dataset: readonly { instance_id: string }[],
  evaluated: readonly Evaluated[],
): Record<string, unknown> {
  const submitted = new Set(evaluated.map(({ instance_id: id }) => id));
  const idsOf = (isMeant: (one: Evaluated) => boolean) =>
    evaluated
      .filter(isMeant)
      .map(({ instance_id: id }) => id)
      .toSorted();
  const ofStatus = (...statuses: PredictionStatus[]) => idsOf(({ status }) => statuses.includes(status));
  const ids = {
    completed: ofStatus('resolved', 'unresolved', 'suspicious'),
    incomplete: dataset
      .map(({ instance_id: id }) => id)
      .filter((id) => !submitted.has(id))
      .toSorted(),
    empty_patch: ofStatus('empty_patch'),
    submitted: [...submitted].toSorted(),
    resolved: ofStatus('resolved'),
    // There it has no name of its own; it is solved by neither.
    unresolved: ofStatus('unresolved', 'suspicious'),
    infra_failure: idsOf(({ infra }) => infra?.certain === true),
    ambiguous_failure: idsOf(({ infra }) => infra?.certain === false),
    error: ofStatus('patch_failed', 'timeout', 'error'),
  };
  const { incomplete: _, ...counted } = ids;
  const reasons = evaluated.flatMap(({ instance_id: id, infra }) => (infra ? [[id, infra.reason] as const] : []));
  return {
    total_instances: dataset.length,
    ...Object.fromEntries(Object.entries(counted).map(([name, list]) => [`${name}_instances`, list.length])),
    ...Object.fromEntries(Object.entries(ids).map(([name, list]) => [`${name}_ids`, list])),
    failure_reasons: Object.fromEntries(reasons.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    schema_version: 2,
  };
}

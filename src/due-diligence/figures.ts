import type { Assessment } from './assess.ts';
import type { Assessments } from './assessments.ts';
import { gradeOf, tenth } from './score.ts';

/** The assessments as rows of figures, for reports. */
export function diligenceFigures(assessments: Assessments) {
  const of = async (repository: string | null): Promise<Assessment | null> => {
    if (repository !== null) return (await assessments.repository(repository))?.assessment ?? null;
    const { repositories, assessment } = await assessments.portfolio();
    return repositories.length === 0 ? null : assessment;
  };
  return {
    async scores() {
      const { repositories } = await assessments.portfolio();
      return repositories
        .map(({ run, assessment: { score, grade, confidence, remediation } }) => ({
          repository: run.repository,
          score,
          grade,
          confidence,
          hours: remediation.hours.likely,
        }))
        .toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1) || (a.repository < b.repository ? -1 : 1));
    },
    metrics: async (repository: string | null) =>
      (await of(repository))?.matrix.map(({ id, value, unit, status, reason }) => ({
        metric: id,
        value,
        unit,
        status,
        reason,
      })) ?? [],
    async factors(repository: string | null) {
      const assessment = await of(repository);
      return (
        assessment?.factors.map(({ definition, score, reason }) => ({
          factor: definition.id,
          dimension: definition.dimension,
          risk: definition.risk,
          score: score === null ? null : tenth(score),
          grade: score === null ? null : gradeOf(score),
          reason,
          hours:
            assessment.remediation.by_factor.find((each) => each.factor_id === definition.id)?.hours.likely ?? null,
          recommendation: definition.recommendation,
        })) ?? []
      );
    },
  };
}

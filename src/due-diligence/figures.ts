import type { Assessment } from './assess.ts';
import type { Assessments } from './assessments.ts';
import { answerPortfolioPackage, answerRepositoryPackage } from './deep.ts';
import { answerPortfolioSummary, answerRepositorySummary } from './executive.ts';
import { gradeOf, tenth } from './score.ts';

/** The last runs that a summary shows. */
const runsInTrend = 10;

/** The assessments as rows of figures and as the routes answer them, for reports. */
export function diligenceFigures(assessments: Assessments) {
  const of = async (repository: string | null): Promise<Assessment | null> => {
    if (repository !== null) return (await assessments.repository(repository))?.assessment ?? null;
    const { repositories, assessment } = await assessments.portfolio();
    return repositories.length === 0 ? null : assessment;
  };
  /** All of it on one page. */
  const whole = async () => ({ page: 1, page_size: Math.max(1, (await assessments.portfolio()).repositories.length) });
  return {
    answers: {
      get_portfolio_summary: async () =>
        answerPortfolioSummary(assessments, { ...(await whole()), trend: runsInTrend }),
      get_portfolio_package: async () => answerPortfolioPackage(assessments, await whole()),
      get_repository_summary: (repository: string) => answerRepositorySummary(assessments, repository, {}),
      get_repository_package: (repository: string) => answerRepositoryPackage(assessments, repository, {}),
    },
    /** Source that no figure counts, of one repository or of each. */
    async leftOut(repository: string | null) {
      const runs =
        repository === null
          ? (await assessments.portfolio()).repositories.map(({ run }) => run)
          : [(await assessments.repository(repository))?.run].filter((run) => run !== undefined);
      const rows = [];
      for (const run of runs)
        for (const { rule, by, files, lines } of (await assessments.details(run)).left_out ?? [])
          rows.push({ repository: run.repository, rule, by, files, lines });
      return rows;
    },
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

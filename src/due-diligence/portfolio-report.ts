import type { MeasuredRepository } from '../model/snapshot.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assess.ts';
import type { Yardstick } from './assessments.ts';
import { assessPortfolio, personsOf } from './portfolio.ts';
import { insightsOf } from './portfolio-insights.ts';
import type { Insights } from './portfolio-insights.ts';
import { summaryOfPortfolio } from './portfolio-summary.ts';
import { redacted } from './redact.ts';
import { gapsOf } from './report-words.ts';
import type { summaryOf } from './summary.ts';
import { coverageOf } from './wire.ts';

/** One of the repositories of a portfolio. */
export interface PortfolioPart {
  run: { repository: string; commit: string | null; committed_at: string | null };
  measurements: MeasuredRepository['measurements'];
  assessment: Assessment;
}

/** A path that could not be read, and why. */
export interface Unread {
  path: string;
  why: string;
}

/** Several repositories on one day, as the report of them is written from: the same commits on the same day give the same. */
export interface PortfolioReport {
  assessment: Assessment;
  /** By name. */
  repositories: readonly PortfolioPart[];
  insights: Insights;
  summary: ReturnType<typeof summaryOf>;
  unread: readonly Unread[];
}

/** As of a UTC day, `2026-11-23`. */
export function portfolioReportOf(
  measured: readonly MeasuredRepository[],
  { rate, population }: Yardstick,
  day: string,
  unread: readonly Unread[] = [],
): PortfolioReport {
  const repositories = measured
    .map(({ repository: { name, commit, committed_at }, measurements }) => ({
      run: { repository: name, commit, committed_at },
      measurements,
      assessment: population.ranked(assess(measurements, rate, day)),
    }))
    .toSorted((a, b) => (a.run.repository < b.run.repository ? -1 : 1));
  const assessment = assessPortfolio(repositories, rate, day);
  const insights = insightsOf(repositories);
  const summary = summaryOfPortfolio(assessment, repositories, insights);
  return { assessment, repositories, insights, summary, unread };
}

/** For readers who must not know files and people: somebody has the same pseudonym in all repositories. */
export function redactedPortfolio(measured: readonly MeasuredRepository[]): MeasuredRepository[] {
  const personOf = personsOf(measured);
  const ids = [...new Set(measured.flatMap(({ measurements }) => measurements.people.map(({ id }) => personOf(id))))];
  const names = new Map(ids.toSorted().map((id, index) => [id, `person-${index + 1}`]));
  return measured.map((each) => {
    const hidden = redacted(each);
    const people = hidden.measurements.people.map((one) => ({ ...one, name: names.get(personOf(one.id)) ?? 'person' }));
    return { ...hidden, measurements: { ...hidden.measurements, people } };
  });
}

/** What is not known of how many of the repositories, and why; what does not apply is no gap. */
export function portfolioGaps(
  repositories: readonly PortfolioPart[],
): { reason: string; name: string; repositories: string[] }[] {
  const gaps = repositories.flatMap(({ run, assessment }) =>
    gapsOf(assessment.matrix).flatMap(({ reason, names }) =>
      reason === null ? [] : names.map((name) => ({ reason, name, repository: run.repository })),
    ),
  );
  return [...Map.groupBy(gaps, ({ reason, name }) => JSON.stringify([reason, name])).values()]
    .flatMap((list) =>
      list.slice(0, 1).map(({ reason, name }) => ({ reason, name, repositories: list.map((each) => each.repository) })),
    )
    .toSorted((a, b) => b.repositories.length - a.repositories.length);
}

/** As `GET /api/dd/executive` has it, but for what only kept runs have; with what is not known of which repositories. */
export const portfolioJson = ({ assessment, repositories, insights, summary, unread }: PortfolioReport) => ({
  ...summary,
  ...insights,
  coverage: coverageOf(assessment.matrix),
  repositories: repositories.map(({ run: { repository, commit, committed_at }, assessment: own }) => ({
    repo: repository,
    as_of_commit: commit,
    committed_at,
    score: own.score,
    grade: own.grade,
    confidence: own.confidence,
    loc_code: own.matrix.find(({ id }) => id === 'loc_code')?.value ?? null,
    dimensions: own.dimensions.map(({ id, score, grade }) => ({ id, score, grade })),
    hours: own.remediation.hours,
    cost: own.remediation.cost,
  })),
  not_known: portfolioGaps(repositories),
  not_read: unread,
});

import type { MeasuredRepository, Requirement } from '../model/snapshot.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assess.ts';
import type { Details, Yardstick } from './assessments.ts';
import { peopleByComponent } from './people-by-component.ts';
import type { PeopleByComponent, peopleNamed } from './people-by-component.ts';
import { trendOf } from './trend.ts';
import type { TrendPoint } from './trend.ts';
import { detailsOf, packageOf } from './wire.ts';

/** One repository at one commit, as the report of it is written from: the same commit on the same day gives the same. */
export interface RepositoryReport {
  repo: string;
  as_of_commit: string | null;
  committed_at: string | null;
  assessment: Assessment;
  requires: readonly Requirement[];
  /** Null where it was not looked at. */
  details: Details;
  /** Points of its history, the oldest first; empty where nobody asked for them. */
  trend: readonly TrendPoint[];
  /** Null without a whole history. */
  people: PeopleByComponent | null;
}

/** As of a UTC day, `2026-11-23`; with those who are thought to leave. */
export function reportOf(
  { repository, measurements }: MeasuredRepository,
  { rate, population }: Yardstick,
  day: string,
  leaving: ReturnType<typeof peopleNamed> | null = null,
): RepositoryReport {
  return {
    repo: repository.name,
    as_of_commit: repository.commit,
    committed_at: repository.committed_at,
    assessment: population.ranked(assess(measurements, rate, day)),
    requires: repository.requires,
    details: measurements,
    trend: trendOf(measurements.past, rate),
    people: peopleByComponent(measurements, leaving),
  };
}

/** As `GET /api/dd/deep/{repo}` has it, but for the run and its time, which only a kept run has; with all packages, however many. */
export const reportJson = ({
  repo,
  as_of_commit,
  committed_at,
  assessment,
  details,
  trend,
  people,
}: RepositoryReport) => ({
  repo,
  as_of_commit,
  committed_at,
  ...packageOf(assessment),
  ...detailsOf(details),
  people_by_component: people,
  packages: details.supply?.packages ?? null,
  trend,
});

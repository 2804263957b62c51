import type { z } from 'zod';
import type { DailyUsage } from '../model/report.ts';
import type { View } from '../tenancy/view.ts';
import type { ReportDocument } from './document.ts';

/** What the reports of one organization are made from. */
export interface ReportSources {
  graph: Pick<View['graph'], 'repositoryGraph' | 'neighbors' | 'node'>;
  search: View['search'];
  snapshots: View['snapshots'];
  task_instances: Pick<View['taskInstances'], 'list'>;
  evaluation_runs: View['evaluationRuns'];
  /** `period` is `YYYY-MM`, UTC. */
  usage: (
    organizationId: string,
    period: string,
  ) => Promise<{ calls: DailyUsage[]; events: { day: string; events: number }[] }>;
  /** Due diligence in figures, as `/api/dd/*` has it. */
  diligence: DiligenceFigures;
}

/** Of a repository; of the portfolio where that is null. */
export interface DiligenceFigures {
  /** What `/api/dd/*` answers, whole, by the id of the operation; null of a repository without a run. */
  answers: {
    get_portfolio_summary(): Promise<unknown>;
    get_portfolio_package(): Promise<unknown>;
    get_repository_summary(repository: string): Promise<unknown>;
    get_repository_package(repository: string): Promise<unknown>;
  };
  /** Of every repository with a run, the best first. */
  scores(): Promise<
    { repository: string; score: number | null; grade: string | null; confidence: number; hours: number }[]
  >;
  /** Empty where the repository has no run. */
  metrics(
    repository: string | null,
  ): Promise<{ metric: string; value: number | null; unit: string; status: string; reason: string | null }[]>;
  factors(repository: string | null): Promise<
    {
      factor: string;
      dimension: string;
      risk: string;
      score: number | null;
      grade: string | null;
      reason: string | null;
      /** Likely ones, to put right what was found. */
      hours: number | null;
      recommendation: string;
    }[]
  >;
  /** Source that no figure counts, by repository and the rule that left it out. */
  leftOut(
    repository: string | null,
  ): Promise<{ repository: string; rule: string; by: string; files: number; lines: number | null }[]>;
}

/** One kind of report. */
export interface ReportType {
  id: string;
  name: string;
  summary: string;
  parameters: z.ZodObject;
  sources: readonly (keyof ReportSources)[];
  build: (input: BuildInput<Record<string, unknown>>) => Promise<ReportDocument>;
}

interface BuildInput<P> {
  /** Parsed by the type's own schema. */
  parameters: P;
  organizationId: string;
  sources: ReportSources;
  /** Says how much is done, 0 to 1. */
  onProgress: (share: number) => void;
}

/** Declares a kind of report. */
export function reportType<P extends z.ZodObject>(
  type: Omit<ReportType, 'parameters' | 'build'> & {
    parameters: P;
    build: (input: BuildInput<z.output<P>>) => Promise<ReportDocument>;
  },
): ReportType {
  // It is called with what this very schema has parsed.
  return { ...type, build: type.build as ReportType['build'] };
}

/** Why a report can't be made; the caller reads the sentence. */
export class ReportFailure extends Error {
  override readonly name = 'ReportFailure';
  readonly code: 'repository_not_found' | 'source_unavailable' | 'internal_error';
  constructor(code: ReportFailure['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

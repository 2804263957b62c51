import type { ReportType } from '../report-type.ts';
import { benchmarkSummary } from './benchmark-summary.ts';
import { factorPortfolio } from './factor-portfolio.ts';
import { portfolioExecutive } from './portfolio-executive.ts';
import { repositoryDeepDive } from './repository-deep-dive.ts';
import { usageStatement } from './usage-statement.ts';

/** Every kind of report, as `GET /v1/reports/types` lists them. */
export const reportTypes: readonly [ReportType, ...ReportType[]] = [
  portfolioExecutive,
  repositoryDeepDive,
  factorPortfolio,
  usageStatement,
  benchmarkSummary,
];

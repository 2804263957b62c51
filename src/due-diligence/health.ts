import { z } from 'zod';
import { route } from '../http/route.ts';
import type { AssessedRepository, AssessmentsOf } from './assessments.ts';

const sourceSchema = z
  .object({
    id: z.enum(['git', 'tree', 'coverage_reports', 'vulnerability_db']),
    available: z.boolean(),
    as_of: z.string().nullable().meta({ description: 'Of the newest data from this source.' }),
  })
  .meta({ id: 'DataSource' });

/** `GET /api/dd/health`: which sources the data of due diligence could be made from, and whether it can be read now. */
export function healthRoute(assessmentsOf: AssessmentsOf) {
  return route({
    method: 'GET',
    path: '/api/dd/health',
    operation_id: 'get_due_diligence_health',
    summary: 'Availability of the data sources',
    description: '`degraded` where what was measured can’t be read, or nothing was.',
    access: 'tenant',
    product: 'dd-executive',
    credits: 0,
    response: z.object({
      status: z.enum(['ok', 'degraded']),
      sources: z.array(sourceSchema),
      repositories: z.int().nullable(),
      timestamp: z.string(),
    }),
    handle: async ({ caller }) => {
      const timestamp = new Date().toISOString();
      const portfolio = await assessmentsOf(caller)
        .then((assessments) => assessments.portfolio())
        .catch(() => null);
      const repositories = portfolio?.repositories ?? [];
      const source = (id: z.infer<typeof sourceSchema>['id'], has: (each: AssessedRepository) => boolean) => {
        const times = repositories.filter(has).flatMap(({ run }) => run.completed_at ?? []);
        return { id, available: times.length > 0, as_of: times.toSorted().at(-1) ?? null };
      };
      const measured = (id: string) => (each: AssessedRepository) =>
        each.measurements.metrics.some((metric) => metric.id === id && metric.value !== null);
      return {
        status: repositories.length > 0 ? ('ok' as const) : ('degraded' as const),
        sources: [
          source('git', ({ run }) => run.commit !== null),
          source('tree', measured('source_file_count')),
          source('coverage_reports', measured('line_coverage_pct')),
          source('vulnerability_db', measured('known_vulnerable_dependency_count')),
        ],
        repositories: portfolio ? repositories.length : null,
        timestamp,
      };
    },
  });
}

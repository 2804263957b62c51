import { z } from 'zod';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import type { AssessmentsOf } from './assessments.ts';
import { noData } from './no-data.ts';
import { peopleByComponent } from './people-by-component.ts';
import { reportHtml } from './report-html.ts';
import { asOfQuery } from './wire.ts';

/** `GET /api/dd/deep/{repo}/report.html`: the report that `repo-intel report --html` writes, of a repository that is loaded. */
export function reportRoute(assessmentsOf: AssessmentsOf): Route {
  return route({
    method: 'GET',
    path: '/api/dd/deep/{repo}/report.html',
    operation_id: 'get_repository_report',
    summary: 'The report of one repository, to print and to hand on',
    description:
      'One HTML file without scripts: two pages of A4 for who decides, then the annex, as `repo-intel report --html` writes it.',
    access: 'tenant',
    product: 'dd-deep',
    credits: 2,
    query: asOfQuery,
    params: { repo: z.string().meta({ description: 'Name of a repository.' }) },
    errors: [repositoryNotFound],
    produces: 'text/html',
    response: z.string(),
    handle: async ({ caller, params, query }) => {
      const assessments = await assessmentsOf(caller);
      const found = await assessments.repository(params.repo, query.as_of);
      if (!found) throw noData(params.repo);
      const { run, measurements, assessment } = found;
      const { trend, ...details } = await assessments.details(run);
      return reportHtml({
        repo: run.repository,
        as_of_commit: run.commit,
        committed_at: run.committed_at,
        assessment,
        requires: [],
        details,
        trend,
        people: peopleByComponent({ ...details, people: measurements.people }, null),
      });
    },
  });
}

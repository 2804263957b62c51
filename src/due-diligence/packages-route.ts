import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import type { Problem } from '../http/problems.ts';
import { list, text } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { suppliedPackageSchema } from '../model/due-diligence.ts';
import type { SuppliedPackage } from '../model/due-diligence.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import type { AssessmentsOf } from './assessments.ts';
import { licenceKindOf, licenceKinds } from './licences.ts';
import { noData } from './no-data.ts';
import { asOfQuery } from './wire.ts';

const packagesNotKept: Problem = {
  status: 404,
  code: 'packages_not_kept',
  title: 'The packages of the repository are not known',
  meaning: 'It was loaded before its packages were kept. Load it again.',
};

const packageSchema = z
  .object({
    ecosystem: suppliedPackageSchema.shape.ecosystem.meta({ description: 'By OSV’s name.' }),
    name: z.string().meta({ description: 'As the ecosystem writes it.' }),
    version: z.string().meta({ description: 'The one that was settled on.' }),
    path: z.string().meta({ description: 'The lockfile, bill of materials or manifest that says so.' }),
    license: z.string().nullable().meta({ description: 'As the lockfile writes it; null where it does not.' }),
    license_kind: z.enum(licenceKinds).meta({
      description:
        'What it asks for: `strong`, the source of what it is part of, in every choice that it gives; `weak`, the source of its own files; `unknown` where nobody says, or only by a name that nobody knows.',
    }),
    via: z.array(z.string()).nullable().meta({
      description:
        'The shortest way to it, `NAME VERSION` each, from a package that a manifest asks for to itself; null where no lockfile tells.',
    }),
    shipped: z.boolean().nullable().meta({
      description: 'It is there to run and not only to develop; null where nobody can tell.',
    }),
  })
  .meta({ id: 'SuppliedPackage' });

const packagesQuery = {
  ...asOfQuery,
  ...pageQuery,
  name: text(1, 256).optional().meta({ description: 'Only those with this in their name, in any case.' }),
  ecosystem: list(packageSchema.shape.ecosystem)
    .optional()
    .meta({ description: 'Only of these, by the names of OSV.' }),
  license_kind: list(packageSchema.shape.license_kind).optional().meta({ description: 'Only with such a licence.' }),
  shipped: z.enum(['true', 'false']).optional().meta({ description: 'Only those of which this is known to hold.' }),
};

/** `GET /api/dd/repos/{repo}/packages`: what a repository is made of that others made. */
export function packagesRoute(assessmentsOf: AssessmentsOf): Route {
  return route({
    method: 'GET',
    path: '/api/dd/repos/{repo}/packages',
    operation_id: 'list_repository_packages',
    summary: 'Packages of others that one repository is made of',
    description:
      'Each in the version that a lockfile, a bill of materials or a manifest settled on, by ecosystem, name and version. Those with a known vulnerability are evidence of `known_vulnerable_dependency_count` in `/api/dd/deep/{repo}`.',
    access: 'tenant',
    product: 'dd-deep',
    credits: 1,
    paged: true,
    params: { repo: z.string().meta({ description: 'Name of a repository.', examples: ['payments-api'] }) },
    query: packagesQuery,
    errors: [repositoryNotFound, packagesNotKept],
    response: pageOf(packageSchema),
    example: {
      items: [
        {
          ecosystem: 'npm',
          name: 'cookies',
          version: '0.9.1',
          path: 'package-lock.json',
          license: 'MIT',
          license_kind: 'permissive',
          via: ['koa 2.15.3', 'cookies 0.9.1'],
          shipped: true,
        },
      ],
      total: 1,
      page: 1,
      page_size: 20,
      total_pages: 1,
    },
    handle: async ({ caller, params, query }) => {
      const assessments = await assessmentsOf(caller);
      const found = await assessments.repository(params.repo, query.as_of);
      if (!found) throw noData(params.repo);
      const { supply } = await assessments.details(found.run);
      if (!supply) throw new HttpError(packagesNotKept, { detail: `Load ${JSON.stringify(params.repo)} again.` });
      const asked = query.name?.toLowerCase() ?? '';
      const all = supply.packages
        .map(packageOf)
        .filter(
          (each) =>
            each.name.toLowerCase().includes(asked) &&
            (query.ecosystem?.includes(each.ecosystem) ?? true) &&
            (query.license_kind?.includes(each.license_kind) ?? true) &&
            (query.shipped === undefined || each.shipped === (query.shipped === 'true')),
        )
        .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
      const { offset, limit } = pageWindow(query);
      return envelope(all.slice(offset, offset + limit), all.length, query);
    },
  });
}

const orderOf = ({ ecosystem, name, version, path }: z.infer<typeof packageSchema>) =>
  [ecosystem, name, version, path].join('\n');

const packageOf = ({ license, via, shipped, ...each }: SuppliedPackage): z.infer<typeof packageSchema> => ({
  ...each,
  license: license ?? null,
  license_kind: licenceKindOf(license),
  via: via === undefined ? null : [...via],
  shipped: shipped ?? null,
});

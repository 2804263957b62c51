import { z } from 'zod';
import { route } from '../http/route.ts';
import { keyEnvironmentSchema, roleSchema } from '../model/account.ts';

/** What the root says of the service. */
export interface ServiceDescription {
  version: string;
  apiVersion: string;
  environment: string;
  baseUrl: string;
  docsBase: string;
}

/** `GET /`: who am I, and where is what. */
export function rootRoute({ version, apiVersion, environment, baseUrl, docsBase }: ServiceDescription) {
  return route({
    method: 'GET',
    path: '/',
    operation_id: 'get_root',
    summary: 'Who am I, and where is what',
    access: 'tenant',
    product: null,
    credits: 0,
    response: z.object({
      service: z.literal('repository-intelligence'),
      version: z.string(),
      api_version: z.iso.date(),
      environment: z.string(),
      status: z.literal('beta'),
      time: z.iso.datetime(),
      organization: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
      member: z.object({ id: z.string(), role: roleSchema }),
      api_key: z.object({
        id: z.string(),
        prefix: z.string(),
        expires_at: z.string().nullable(),
        environment: keyEnvironmentSchema,
        products: z.array(z.string()).nullable(),
        repositories: z.array(z.string()).nullable(),
        scopes: z.array(z.string()).nullable(),
        rate_limit_per_minute: z.int().nullable(),
      }),
      links: z.record(z.string(), z.url()),
    }),
    example: {
      service: 'repository-intelligence',
      version: '0.1.0',
      api_version: '2026-11-21',
      environment: 'production',
      status: 'beta',
      time: '2026-11-21T11:08:12.345Z',
      organization: { id: 'org_01JD7Z3M2QK8V6T4R9W5X1Y0AB', slug: 'acme', name: 'Acme GmbH' },
      member: { id: 'mem_01JD7Z3M2QK8V6T4R9W5X1Y0AC', role: 'owner' },
      api_key: {
        id: 'key_01JD7Z3M2QK8V6T4R9W5X1Y0AD',
        prefix: 'ris_live_0Xcs',
        expires_at: null,
        environment: 'live',
        products: null,
        repositories: null,
        scopes: ['read', 'usage:read'],
        rate_limit_per_minute: null,
      },
      links: { usage: 'https://example.com/v1/billing/usage', openapi: 'https://example.com/openapi.json' },
    },
    handle: ({ caller: { organization, member, api_key, products, repositories, scopes, rate_limit_per_minute } }) => ({
      service: 'repository-intelligence' as const,
      version,
      api_version: apiVersion,
      environment,
      status: 'beta' as const,
      time: new Date().toISOString(),
      organization: { id: organization.id, slug: organization.slug, name: organization.name },
      member: { id: member.id, role: roleSchema.parse(member.role) },
      api_key: {
        ...api_key,
        products: products && [...products],
        repositories: repositories && [...repositories],
        scopes: scopes && [...scopes],
        rate_limit_per_minute,
      },
      links: {
        catalog: `${baseUrl}/v1/catalog`,
        plans: `${baseUrl}/v1/billing/plans`,
        graph: `${baseUrl}/api/graph`,
        search: `${baseUrl}/api/search`,
        usage: `${baseUrl}/v1/billing/usage`,
        openapi: `${baseUrl}/openapi.json`,
        changelog: `${baseUrl}/v1/changelog`,
        docs: docsBase,
        explorer: `${baseUrl}/explorer`,
      },
    }),
  });
}

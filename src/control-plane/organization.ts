import { z } from 'zod';
import { actorOf } from '../auth/actor.ts';
import { changeSettings } from '../auth/change-settings.ts';
import { rolesFor } from '../auth/roles.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { settingsChangeSchema } from '../model/account.ts';
import type { OrganizationSettings } from '../model/account.ts';
import { cliRoleSchema } from '../model/cli.ts';
import type { Plan } from '../model/plans.ts';
import type { RelationalStore } from '../stores/relational/port.ts';
import { changeAccounts } from './change-accounts.ts';

const organizationSchema = z
  .object({
    id: z.string(),
    object: z.literal('organization'),
    slug: z.string(),
    name: z.string(),
    checkout_hosts: z.array(z.string()).nullable(),
    default_role: cliRoleSchema,
    default_key_days: z.int().nullable(),
    plan_id: z.string().meta({ description: 'The plan that it is on: the one that it checked out last, or the beta.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Organization' });

const example = {
  id: 'org_01JD7Z3M2QK8V6T4R9W5X1Y0AB',
  object: 'organization',
  slug: 'acme',
  name: 'Acme GmbH',
  checkout_hosts: ['app.acme.example'],
  default_role: 'member',
  default_key_days: 90,
  plan_id: 'beta',
  created_at: '2026-11-21T11:08:12.345Z',
} as const;

/** `/v1/organization`: what an organization has decided for itself. */
export function organizationRoutes({ relational }: { relational: Pick<RelationalStore, 'tenant'> }): Route[] {
  const common = {
    product: null,
    credits: 0,
    path: '/v1/organization',
    response: organizationSchema,
    example,
  } as const;
  return [
    route({
      ...common,
      method: 'GET',
      operation_id: 'get_organization',
      summary: 'The organization and its settings',
      access: 'tenant',
      handle: async ({ caller }) =>
        relational.tenant(caller.organization.id, async ({ settings, plan }) =>
          wire(await settings.get(), await plan()),
        ),
    }),
    route({
      ...common,
      method: 'PATCH',
      operation_id: 'change_organization',
      summary: 'Change settings of the organization',
      description: 'What is left out stays.',
      access: rolesFor('change_organization'),
      body: settingsChangeSchema,
      handle: async ({ caller, body, request }) =>
        changeAccounts(relational, caller, async (tenant) =>
          wire(await changeSettings(tenant, body, actorOf(caller, request)), await tenant.plan()),
        ),
    }),
  ];
}

const wire = ({ id, ...settings }: OrganizationSettings, plan: Plan): z.input<typeof organizationSchema> => ({
  id,
  object: 'organization',
  ...settings,
  plan_id: plan.id,
});

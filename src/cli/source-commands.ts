import { z } from 'zod';
import { webhookSecretOf } from '../control-plane/source-webhooks.ts';
import { placeOf } from '../model/source-address.ts';
import { organizationOf } from './organization-of.ts';
import { command } from './store-command.ts';
import type { StoreCommand } from './store-command.ts';

const organization = z.string().optional();

/** The commands on sources, for whoever runs the service. */
export const sourceCommands: Record<string, StoreCommand> = {
  'sources.add': command(
    z.object({ organization, address: z.string(), ref: z.string().nullable(), every_seconds: z.int() }),
    async ({ stores: { relational }, pepper }, { organization: slug, address, ...source }) => {
      const { id } = await organizationOf(relational, slug);
      const added = await relational.tenant(id, ({ sources }) =>
        sources.add({ ...source, address, place: placeOf(address), trusted: true }),
      );
      return added && { ...added, secret: webhookSecretOf(await pepper(), added.id) };
    },
  ),
  'sources.list': command(z.object({ organization }), async ({ stores: { relational } }, { organization: slug }) => {
    const { id } = await organizationOf(relational, slug);
    return (await relational.tenant(id, ({ sources }) => sources.list())).items;
  }),
  'sources.remove': command(
    z.object({ organization, id: z.string() }),
    async ({ stores: { relational } }, { organization: slug, id }) =>
      relational.tenant((await organizationOf(relational, slug)).id, ({ sources }) => sources.remove(id)),
  ),
  'sources.tried': command(
    z.object({
      organization,
      address: z.string(),
      ref: z.string().nullable(),
      outcome: z.union([
        z.object({ error: z.string() }),
        z.object({ repository: z.string(), commit: z.string().nullable() }),
      ]),
    }),
    async ({ stores: { relational } }, { organization: slug, outcome, ...of }) =>
      relational.sourceSchedule.tried({ organizationId: (await organizationOf(relational, slug)).id, ...of }, outcome),
  ),
};

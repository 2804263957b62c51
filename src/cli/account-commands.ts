import { z } from 'zod';
import { operator } from '../auth/actor.ts';
import { auditCsv, auditLines } from '../auth/audit-files.ts';
import { changeSettings } from '../auth/change-settings.ts';
import { announceKeyChange } from '../auth/key-changes.ts';
import { changeMember, refuseUninvitable, removeMember } from '../auth/members.ts';
import { insertPairing } from '../auth/pair.ts';
import { formatPairingCode } from '../auth/pairing-code.ts';
import { memberNameSchema, roleSchema, subjectSchema, settingsChangeSchema } from '../model/account.ts';
import { cliRoleSchema } from '../model/cli.ts';
import type { Tenant } from '../stores/relational/port.ts';
import { command } from './store-command.ts';
import type { OpenService } from './store-command.ts';

const pageSize = 1_000;

const organization = z.string();
/** An id, or a name. */
const member = z.string();

/** What whoever runs the service does to organizations and their members. */
export const accountCommands = {
  'members.list': command(z.object({ organization }), (service, options) =>
    inOrganization(service, options, async ({ members }) => (await members.list({ offset: 0, limit: 10_000 })).items),
  ),
  'members.invite': command(
    z.object({ organization, name: memberNameSchema, role: cliRoleSchema.optional() }),
    async (service, { name, role, ...of }) => {
      const pepper = await service.pepper();
      await service.stores.relational.pairings.expire();
      return inOrganization(service, of, async (tenant) => {
        await tenant.apiKeys.alone();
        await refuseUninvitable(tenant, name);
        const [owner] = (await tenant.members.list({ offset: 0, limit: 1, role: 'owner' })).items;
        if (!owner)
          throw new Error(
            `${of.organization} has no owner who could let somebody in: repo-intel keys create --organization ${of.organization} --role owner`,
          );
        const { pairing, code } = await insertPairing(
          tenant,
          pepper,
          { memberId: owner.id, actor: operator },
          {
            device_name: null,
            role: role ?? (await tenant.settings.get()).default_role,
            invited_name: name,
          },
        );
        return { ...pairing, pairing_code: formatPairingCode(code) };
      });
    },
  ),
  'members.change': command(
    z.object({
      organization,
      member,
      role: roleSchema.optional(),
      name: memberNameSchema.optional(),
      subject: subjectSchema.nullable().optional(),
    }),
    async (service, { member, role, name, subject, ...of }) => {
      const changed = await inOrganization(service, of, async (tenant) => {
        await tenant.apiKeys.alone();
        return changeMember(tenant, await memberId(tenant, member), { role, name, subject, by: null, actor: operator });
      });
      await announceKeyChange(service.stores.ephemeral, changed.id);
      return changed;
    },
  ),
  'members.remove': command(z.object({ organization, member }), async (service, { member, ...of }) => {
    const id = await inOrganization(service, of, async (tenant) => {
      await tenant.apiKeys.alone();
      const id = await memberId(tenant, member);
      await removeMember(tenant, id, { by: null, actor: operator });
      return id;
    });
    await announceKeyChange(service.stores.ephemeral, id);
    return id;
  }),
  'organization.change': command(
    z.object({ organization, change: settingsChangeSchema }),
    (service, { change, ...of }) => inOrganization(service, of, (tenant) => changeSettings(tenant, change, operator)),
  ),
  audit: command(
    z.object({
      organization,
      format: z.enum(['csv', 'jsonl']),
      action: z.string().optional(),
      member: z.string().optional(),
      from: z.string().optional(),
      to: z.string().optional(),
    }),
    async (service, { organization, format, member, ...filter }, io) => {
      let after: string | null = null;
      let written = 0;
      for (;;) {
        const entries = await inOrganization(service, { organization }, async (tenant) =>
          tenant.audit.page(
            { ...filter, ...(member === undefined ? {} : { memberId: await memberId(tenant, member) }) },
            { after, limit: pageSize },
          ),
        );
        await io.out(format === 'csv' ? auditCsv(entries, { header: written === 0 }) : auditLines(entries));
        written += entries.length;
        after = entries.at(-1)?.id ?? null;
        if (entries.length < pageSize) return written;
      }
    },
  ),
};

async function inOrganization<T>(
  { stores: { relational } }: OpenService,
  { organization }: { organization: string },
  work: (tenant: Tenant) => Promise<T>,
): Promise<T> {
  const found = (await relational.accounts.organizations()).find(({ slug }) => slug === organization);
  if (!found) throw new Error(`There is no organization ${organization}.`);
  return relational.tenant(found.id, work);
}

/** Of whoever has this id or name; an id may be of somebody who was removed. */
async function memberId({ members }: Tenant, idOrName: string): Promise<string> {
  if (/^mem_[0-9A-HJKMNP-TV-Z]{26}$/.test(idOrName)) return idOrName;
  const found = await members.named(idOrName);
  if (!found) throw new Error(`There is no member ${idOrName}; see repo-intel members list.`);
  return found.id;
}

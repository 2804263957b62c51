import type { OrganizationSettings, SettingsChange } from '../model/account.ts';
import type { Tenant } from '../stores/relational/port.ts';
import type { Actor } from './actor.ts';

/** Changes what an organization has decided for itself, and writes down what was another thing before. */
export async function changeSettings(
  { settings, audit }: Tenant,
  wanted: SettingsChange,
  actor: Actor,
): Promise<OrganizationSettings> {
  const before = await settings.get();
  const names = (Object.keys(wanted) as (keyof SettingsChange)[]).filter(
    (name) => wanted[name] !== undefined && JSON.stringify(wanted[name]) !== JSON.stringify(before[name]),
  );
  if (names.length === 0) return before;
  const pick = (of: SettingsChange) => Object.fromEntries(names.map((name) => [name, of[name]])) as SettingsChange;
  await settings.set(pick(wanted));
  await audit.append({
    ...actor,
    action: 'organization.changed',
    subject: before.id,
    details: { from: pick(before), to: pick(wanted) },
  });
  return settings.get();
}

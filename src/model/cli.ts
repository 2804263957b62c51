import { z } from 'zod';
import { roleSchema } from './account.ts';

/** What the key of a command line may do: never all that an owner may. */
export const cliRoleSchema = roleSchema.exclude(['owner']).meta({ id: 'MemberRole' });
export type CliRole = z.infer<typeof cliRoleSchema>;

// oxlint-disable-next-line no-control-regex -- they are what is excluded
const printable = z.string().regex(/^[^\u0000-\u001f\u007f]{1,64}$/u);

/** For people to recognise a device. */
export const deviceNameSchema = printable;

/** What a command line says of itself. */
export const cliClientSchema = z
  .strictObject({ name: printable, version: printable, platform: printable })
  .meta({ id: 'CliClient' });

/** A code that an owner has asked for, with which one command line can get a key of its own. Never the code itself. */
export interface CliPairing {
  id: string;
  organization_id: string;
  /** The owner. */
  member_id: string;
  status: 'pending' | 'claimed' | 'expired' | 'revoked';
  device_name: string | null;
  role: CliRole;
  /** Of the member that it makes; null: it lets in a command line of who asked. */
  invited_name: string | null;
  created_at: string;
  expires_at: string;
}

/** A command line that has a key; it lasts as long as the key. */
export interface CliSession {
  id: string;
  organization_id: string;
  /** The owner who let it in. */
  member_id: string;
  api_key_id: string;
  status: 'active' | 'expired' | 'revoked';
  device_name: string | null;
  client: z.infer<typeof cliClientSchema> | null;
  role: CliRole;
  created_at: string;
  last_used_at: string | null;
  expires_at: string;
}

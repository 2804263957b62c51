import type { Role } from '../model/account.ts';

/** The roles from the most to the least allowed. */
const ranks: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

/** Everybody down to this role. */
const from = (least: Role) => ranks.slice(0, ranks.indexOf(least) + 1);

/** Who may call what is not open to every member: the one place that says it, by operation_id. */
export const rolesOf = {
  list_api_keys: from('admin'),
  create_api_key: from('admin'),
  get_api_key: from('admin'),
  rotate_api_key: from('admin'),
  revoke_api_key: from('admin'),

  create_checkout_session: from('owner'),
  expire_checkout_session: from('owner'),
  list_checkout_sessions: from('admin'),
  get_checkout_session: from('admin'),

  create_report: from('member'),
  // A member its own.
  delete_report: from('member'),

  create_usage_events: from('member'),

  get_cli_pairing: from('admin'),
  revoke_cli_pairing: from('admin'),
} as const satisfies Record<string, readonly Role[]>;

/** The access of an operation that the table names. */
export const rolesFor = (operation: keyof typeof rolesOf): { roles: readonly Role[] } => ({
  roles: rolesOf[operation],
});

/** Whether the first role may do all that the second may. */
export const isAtLeast = (role: Role, other: Role): boolean => ranks.indexOf(role) <= ranks.indexOf(other);

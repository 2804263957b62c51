import { InvalidArgumentError, Option } from 'commander';
import { createKeyOptions } from '../auth/create-key.ts';
import type { Config } from '../config.ts';

/** For which organization a command works. */
export interface OrganizationFlag {
  organization?: string | undefined;
}

/** `--organization`, for commands that name a repository. */
export function organizationOption({ organization }: Pick<Config, 'organization'>): Option {
  const option = new Option(
    '--organization <slug>',
    'whose repositories (default: RIS_ORGANIZATION, else `default`, or the only one)',
  ).argParser(organizationSlug);
  return organization === undefined ? option : option.default(organization);
}

/** How an organization is named on the command line. */
export function organizationSlug(text: string): string {
  const result = createKeyOptions.shape.organization.safeParse(text);
  if (!result.success) throw new InvalidArgumentError(result.error.issues[0]?.message ?? '');
  return result.data;
}

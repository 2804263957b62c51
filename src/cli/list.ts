import { Command } from 'commander';
import type { Config } from '../config.ts';
import { tableRow } from './io.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';
import type { ListedRepository } from './repositories.ts';

export function listCommand(config: Config, io: Io): Command {
  return new Command('list')
    .description('list the repositories that are loaded')
    .addOption(organizationOption(config))
    .option('--all', 'of all organizations')
    .option('--json', 'as JSON, with what was left out and why')
    .addHelpText('after', '\nExample:\n  $ repo-intel list')
    .action(async ({ organization, all, json }: OrganizationFlag & { all?: boolean; json?: boolean }) => {
      const { openSession } = await import('./session.ts');
      const session = await openSession(config, io);
      try {
        const held = await session.list({ organization, all });
        if (json) {
          await io.out(`${JSON.stringify(held.map(asJson), null, 2)}\n`);
          return;
        }
        if (held.length === 0) io.say('No repository is loaded yet: repo-intel load PATH');
        // Who has but one organization, and shares nothing, need not read whose each is.
        const isPlain = held.every(({ organization: owner, shared }) => owner === held[0]?.organization && !shared);
        for (const { name, organization: owner, shared, info, loaded_at } of held) {
          const commit = info.commit?.slice(0, 10) ?? 'no commit';
          const { completeness, source } = info;
          const whose = isPlain ? [] : [owner, shared ? 'shared' : 'private'];
          await io.out(tableRow(name, commit, `${completeness.files_parsed} files`, loaded_at, source, ...whose));
        }
      } finally {
        await session.close();
      }
    });
}

/** As the table calls it. */
function asJson({ name, organization, shared, generation, info, size_bytes, loaded_at }: ListedRepository) {
  return { repository: name, organization, shared, generation, info: { ...info, name }, size_bytes, loaded_at };
}

import { Command, Option } from 'commander';
import type { Config } from '../config.ts';
import { edgeTypeSchema } from '../model/graph.ts';
import { exportFormats } from './export-formats/index.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';

export function exportCommand(config: Config, io: Io): Command {
  return new Command('export')
    .description('write the graph to stdout')
    .addOption(
      new Option(
        '--format <format>',
        'edges: one JSON line an edge; csv, nodes-csv: a table of the edges, of the nodes; graphml: both, for Gephi, yEd, networkx',
      )
        .choices(Object.keys(exportFormats))
        .default('edges'),
    )
    .option('--repo <name>', 'only this repository')
    .addOption(organizationOption(config))
    .addOption(new Option('--type <type...>', 'only these edges').choices(edgeTypeSchema.options))
    .addHelpText(
      'after',
      '\nExample:\n  $ repo-intel export --format edges --repo payments-api --type CALLS > calls.jsonl',
    )
    .action(
      async ({
        format,
        repo,
        type,
        organization,
      }: { format: string; repo?: string; type?: string[] } & OrganizationFlag) => {
        const { openSession } = await import('./session.ts');
        const session = await openSession(config, io);
        try {
          const found = (await session.list({ organization })).find(({ name }) => name === repo);
          if (repo !== undefined && !found) throw new Error(`${repo}: not loaded; see repo-intel list.`);
          const options = {
            organization,
            format,
            ...(found ? { repository: found.repository } : {}),
            ...(type ? { types: type } : {}),
          };
          const count = await session.run('export', options);
          io.say(`${String(count)} ${format === 'nodes-csv' ? 'nodes' : 'edges'}.`);
        } finally {
          await session.close();
        }
      },
    );
}

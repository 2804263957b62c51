import { join } from 'node:path';
import { cwd } from 'node:process';
import { Command } from 'commander';
import { changeText } from '../changes/change-text.ts';
import type { Config } from '../config.ts';
import { paint } from './io.ts';
import type { Io } from './io.ts';

export function diffCommand(config: Config, io: Io): Command {
  return new Command('diff')
    .description('what a change does: symbols, callers it reaches, tests that reach it')
    .argument('<range>', 'BASE..HEAD: branches, tags or commits; BASE alone means BASE..HEAD')
    .option('--repo <path>', 'the repository (default: the one you stand in)')
    .option('--json', 'all of it as one JSON object')
    .addHelpText('after', examples)
    .action(async (range: string, options: { repo?: string; json?: boolean }) => {
      const { startThreads } = await import('../../loaders/extraction/pool.ts');
      startThreads();
      const { changeOf } = await import('../../loaders/change/change-of.ts');
      const change = await changeOf(options.repo ?? cwd(), range, {
        cacheFile: join(config.dataDir, 'cache', 'facts.sqlite'),
        onProgress: (progress) => io.progress(progress),
      });
      io.done();
      await io.out(options.json ? `${JSON.stringify(change, null, 2)}\n` : changeText(change, paint));
    });
}

const examples = `
It compares two commits; what is not committed is no part of it. Where BASE has commits that
HEAD has not, both are compared from where they parted, as forges show a pull request. No
login and no service are needed; each distinct file is parsed once, and remembered.

Examples:
  $ repo-intel diff main..my-branch
  $ repo-intel diff v1.2.0..v1.3.0 --json | jq '.affected.items[].id'
  $ repo-intel diff HEAD~1 --repo ~/src/payments`;

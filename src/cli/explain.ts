import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { ExplainedCall, Explanation } from '../../loaders/explain.ts';
import type { Config } from '../config.ts';
import { paint } from './io.ts';
import type { Io } from './io.ts';
import { readScip, scipOption } from './scip-option.ts';

interface Location {
  file: string;
  line: number;
}

export function explainCommand(_config: Config, io: Io): Command {
  return new Command('explain')
    .description('say of each call on a line why it leads where it does, or nowhere, step by step')
    .argument('<file:line>', 'where the call stands; a column behind it, as editors write it, is ignored', readLocation)
    .option('--repo <path>', 'repository or folder that the file is of (default: the repository around it)')
    .option('--ref <ref>', 'branch, tag or commit to read (default: HEAD)')
    .addOption(scipOption())
    .option('--json', 'all of it as one JSON object')
    .addHelpText('after', examples)
    .action(
      async (
        location: Location,
        options: { repo?: string; ref?: string; scip?: readonly string[]; json?: boolean },
      ) => {
        const { source, path } = await placeOf(location.file, options.repo);
        const { startThreads } = await import('../../loaders/extraction/pool.ts');
        startThreads();
        const { explain } = await import('../../loaders/explain.ts');
        const explanation = await explain(
          source,
          { path, line: location.line },
          {
            ...(options.ref === undefined ? {} : { ref: options.ref }),
            scip: await readScip(options.scip),
            onProgress: (progress) => io.progress(progress),
          },
        );
        io.done();
        if (options.json) await io.out(`${JSON.stringify(explanation, null, 2)}\n`);
        else await io.out(textOf(explanation));
        if (explanation.calls.length === 0) process.exitCode = 1;
      },
    );
}

function readLocation(text: string): Location {
  const [, file = '', line = ''] = /^(.+?):([1-9]\d*)(?::\d+)?$/.exec(text) ?? [];
  if (file === '') throw new InvalidArgumentError('It is a file and a line from 1: src/app.ts:42.');
  return { file, line: Number(line) };
}

/** The folder to read, and the file's path in it. A path that the repository does not hold as named is one from where one stands. */
async function placeOf(file: string, repo: string | undefined): Promise<{ source: string; path: string }> {
  const { findRepository } = await import('../../loaders/snapshot/find-repository.ts');
  const here = await realpath(resolve(file)).catch(() => null);
  if (repo !== undefined) {
    const source = await realpath(resolve(repo)).catch(() => resolve(repo));
    const inside = here === null ? null : within(source, here);
    const named = await realpath(join(source, file)).catch(() => null);
    return {
      source,
      path: (named !== null && !isAbsolute(file) ? within(source, named) : null) ?? inside ?? slashed(file),
    };
  }
  const start = here === null ? resolve('.') : dirname(here);
  const source = (await findRepository(start)) ?? resolve('.');
  return { source, path: (here !== null ? within(await realpath(source), here) : null) ?? slashed(file) };
}

/** The path of a file from a folder around it; null where it lies elsewhere. */
function within(folder: string, file: string): string | null {
  const path = relative(folder, file);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? null : slashed(path);
}

const slashed = (path: string) => path.split(sep).join('/').replace(/^\.\//, '');

function textOf({ repository, commit, path, line, calls, nearest }: Explanation): string {
  const of = commit === null ? repository : `${repository} at ${commit.slice(0, 10)}`;
  if (calls.length === 0) {
    const others =
      nearest.length > 0 ? ` The nearest calls are on ${nearest.map((each) => `${path}:${each}`).join(', ')}.` : '';
    return `${path}:${line} of ${of} has no call.${others}\n`;
  }
  return `${path}:${line} of ${of}\n${calls.map(callText).join('')}`;
}

const outcomes: Readonly<Record<ExplainedCall['outcome'], string>> = {
  resolved: 'leads into the repository',
  external: 'leads out of the repository',
  unresolved: 'leads nowhere',
};

function callText({ callee, outcome, steps }: ExplainedCall): string {
  const lines = steps.map(({ level, text, at, source }) => {
    const where = at ? ` (${at.path}:${at.line}${source ? `: ${source}` : ''})` : '';
    return `${'  '.repeat(level + 1)}${text}${paint('dim', where)}\n`;
  });
  return `\n${paint('bold', `${callee}(…)`)} ${outcomes[outcome]}\n${lines.join('')}`;
}

const examples = `
It reads the repository (a git repository as of HEAD: commit first) and resolves it anew;
nothing is loaded or kept. Each step names the line that says so, the deeper the further
from the call. Exits with 1 where no call stands on the line.

Examples:
  $ repo-intel explain src/app.ts:42
  $ repo-intel explain api/users.py:17 --repo ~/src/shop --ref v2.1.0
  $ repo-intel explain src/app.ts:42 --scip index.scip
  $ repo-intel explain src/app.ts:42 --json | jq '.calls[].outcome'`;

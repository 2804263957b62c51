import { spawnSync } from 'node:child_process';

/**
 * For what needs more than the README asks for: a server, a browser, another language's tools, a registry. What needs it is
 * skipped and counted, with this reason; where REQUIRE_ENGINES=1 asks for everything, as CI does, it fails.
 */
export function skipOrFail(context: Mocha.Context, why: string, cause?: unknown): never {
  if (process.env['REQUIRE_ENGINES'] === '1') throw new Error(why, { cause });
  console.warn(`    skipped: ${why}`);
  return context.skip();
}

/** The same for a program on the PATH that can say its version. */
export function needsCommand(context: Mocha.Context, command: string, whatItIs = ''): void {
  if (spawnSync(command, ['--version'], { stdio: 'ignore' }).error)
    skipOrFail(context, `${command} is not on the PATH${whatItIs && `, ${whatItIs}`}.`);
}

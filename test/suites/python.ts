import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { skipOrFail } from '../support/required.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A suite that needs this module of requirements.txt in the `python3` on the path; without it the suite is skipped with the reason,
 * or failed where REQUIRE_ENGINES=1 asks for everything.
 */
export function onPython(module: string, suite: () => void): void {
  describe(`by ${module}`, () => {
    before(async function () {
      const { status } = await python(['-c', `import ${module}`]);
      if (status === 0) return;
      const absent = `${module} is not there: pip install -r test/suites/requirements.txt`;
      skipOrFail(this, absent);
    });
    // In a suite of its own, whose hooks are skipped with it.
    describe('all of it', suite);
  });
}

/** Runs `python3` in the repository's root; `output` is what it says on either stream. */
export async function python(
  args: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<{ status: number | null; output: string }> {
  const child = spawn('python3', args, { cwd: root, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  child.stdin.on('error', () => {}).end(input);
  try {
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, output };
  } catch (cause) {
    return { status: null, output: String(cause) };
  }
}

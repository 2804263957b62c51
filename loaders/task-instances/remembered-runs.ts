import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { workTreeId } from '../snapshot/work-tree-id.ts';
import { harnessVersion } from './harness-version.ts';
import type { SuiteResult, SuiteRunner, TestStatus } from './suite.ts';

/**
 * A runner that gives the results of runs that it knows: of the same files, by the same command in the same environment. `run`
 * tells repetitions apart, which shall be real ones; `treeId` is asked of the files where it is not known, and says nothing of the
 * submodules that are `missing`. Reports are not kept.
 */
export function rememberedRuns(
  runner: SuiteRunner,
  folder: string,
  run: number,
  { treeId, missing }: { treeId?: string; missing: readonly string[] },
): SuiteRunner {
  return {
    isolation: runner.isolation,
    containment: runner.containment,
    runtime: () => runner.runtime(),
    prepare: (request) => runner.prepare(request),
    async run(request) {
      const { tree, environment, files, signal } = request;
      const known = [
        harnessVersion,
        runner.isolation,
        runner.containment.limits,
        treeId ?? (await workTreeId(tree, signal)),
        missing,
        environment,
        files,
        run,
      ];
      const digest = createHash('sha256').update(JSON.stringify(known)).digest('hex');
      const file = join(folder, `${digest}.json`);
      const remembered = await readFile(file, 'utf8').catch(() => null);
      if (remembered !== null) return resultIn(remembered);
      const result = await runner.run(request);
      await mkdir(folder, { recursive: true });
      await writeFileAtomic(file, JSON.stringify({ ...result, tests: [...result.tests], report: '' }));
      return result;
    },
  };
}

function resultIn(text: string): SuiteResult {
  const { tests, ...rest } = JSON.parse(text) as Omit<SuiteResult, 'tests'> & { tests: [string, TestStatus][] };
  return { ...rest, tests: new Map(tests) };
}

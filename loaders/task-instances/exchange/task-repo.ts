import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import type { ProvenTask, TaskInstance } from '../../../src/model/task-instance.ts';
import { writeBase, type Checkout } from './base-archive.ts';
import { dockerfile } from './dockerfile.ts';
import { fromSwebench, toSwebench } from './swebench.ts';

const split = 'test';

/** Every text in quotes: Python's reader would take some for numbers and dates. */
const yaml = (value: unknown) => stringify(value, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });

/**
 * Writes a task repository of SWE-bench 5: a folder a task, a file for each text that people read. With `checkout` the tree of the base
 * is in it, so that images are built without the repository.
 */
export async function writeTaskRepo(
  folder: string,
  dataset: string,
  instances: readonly ProvenTask[],
  checkout: Checkout | null,
): Promise<void> {
  await mkdir(join(folder, 'tasks'), { recursive: true });
  await writeFile(join(folder, 'sweb.yaml'), yaml({ datasets: [dataset], splits: [split] }));
  for (const instance of instances) {
    const { patch, test_patch, problem_statement, hints_text, eval_script, FAIL_TO_PASS, PASS_TO_PASS, ris, ...meta } =
      toSwebench(instance);
    const tests = {
      FAIL_TO_PASS: JSON.parse(FAIL_TO_PASS) as string[],
      PASS_TO_PASS: JSON.parse(PASS_TO_PASS) as string[],
    };
    const files: Record<string, string> = {
      'task.yaml': yaml({ ...meta, split, datasets: [dataset] }),
      'tests.json': `${JSON.stringify(tests, null, 2)}\n`,
      'problem_statement.md': problem_statement,
      'gold.patch': patch,
      'test.patch': test_patch,
      'eval.sh': eval_script,
      Dockerfile: dockerfile(instance, { isBesideBase: checkout !== null }),
      'ris.json': `${JSON.stringify(JSON.parse(ris), null, 2)}\n`,
      ...(hints_text === '' ? {} : { 'hints.md': hints_text }),
    };
    const task = join(folder, 'tasks', instance.instance_id);
    await mkdir(task, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(task, name), text);
    if (checkout) await writeBase(instance, checkout, task);
  }
}

const metaSchema = z.object({
  repo: z.string(),
  instance_id: z.string(),
  base_commit: z.string(),
  created_at: z.string(),
  version: z.string(),
  environment_setup_commit: z.string(),
  difficulty: z.string(),
});
const testsSchema = z.object({ FAIL_TO_PASS: z.array(z.string()), PASS_TO_PASS: z.array(z.string()) });

/** Reads a task repository that `writeTaskRepo` has written; texts that people changed in it count. */
export async function readTaskRepo(folder: string): Promise<TaskInstance[]> {
  const names = (await readdir(join(folder, 'tasks'))).toSorted();
  return Promise.all(
    names.map((name) => {
      const read = (file: string) => readFile(join(folder, 'tasks', name, file), 'utf8');
      return readTask(read).catch((error: unknown) => {
        throw new Error(`${join(folder, 'tasks', name)}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      });
    }),
  );
}

async function readTask(read: (file: string) => Promise<string>): Promise<TaskInstance> {
  const meta = metaSchema.parse(parse(await read('task.yaml')));
  const tests = testsSchema.parse(JSON.parse(await read('tests.json')));
  return fromSwebench({
    ...meta,
    difficulty: meta.difficulty as TaskInstance['difficulty'],
    patch: await read('gold.patch'),
    test_patch: await read('test.patch'),
    problem_statement: await read('problem_statement.md'),
    hints_text: await read('hints.md').catch(() => ''),
    FAIL_TO_PASS: JSON.stringify(tests.FAIL_TO_PASS),
    PASS_TO_PASS: JSON.stringify(tests.PASS_TO_PASS),
    ris: await read('ris.json'),
  });
}

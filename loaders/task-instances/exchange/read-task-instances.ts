import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { taskInstanceSchema } from '../../../src/model/task-instance.ts';
import type { TaskInstance } from '../../../src/model/task-instance.ts';
import { fromSwebench } from './swebench.ts';
import type { SwebenchRow } from './swebench.ts';
import { readTaskRepo } from './task-repo.ts';

/** Reads task instances from where `mint` or `export` wrote them: JSON lines of either form, or a task repository. */
export async function readTaskInstances(path: string): Promise<TaskInstance[]> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new Error(`There is no ${path}.`);
  const instances = found.isDirectory() ? await readTaskRepo(path) : linesOf(await readFile(path, 'utf8'), path);
  const seen = new Set<string>();
  for (const { instance_id: id } of instances) {
    if (seen.has(id)) throw new Error(`${path} has ${id} more than once.`);
    seen.add(id);
  }
  return instances;
}

function linesOf(text: string, path: string): TaskInstance[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const place = `${path}, line ${index + 1}`;
    try {
      return [instanceOf(JSON.parse(line) as Record<string, unknown>)];
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      throw new Error(`${place}: ${why}`, { cause: error });
    }
  });
}

function instanceOf(row: Record<string, unknown>): TaskInstance {
  if (row['schema_version'] !== undefined) return taskInstanceSchema.parse(row);
  if (typeof row['ris'] !== 'string')
    throw new Error('It does not say how its tests are run: only tasks that repo-intel exported are read.');
  // What it holds is checked as the instance that it makes.
  return fromSwebench(row as SwebenchRow);
}

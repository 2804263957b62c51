import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { taskInstanceSchema } from '../../../src/model/task-instance.ts';
import type { TaskInstance } from '../../../src/model/task-instance.ts';
import { isParquet, parquetRows } from './parquet.ts';
import { fromPublicRow } from './public-rows.ts';
import { fromSwebench } from './swebench.ts';
import type { SwebenchRow } from './swebench.ts';
import { readTaskRepo } from './task-repo.ts';

/**
 * Reads task instances from where `mint` or `export` wrote them, JSON lines of either form or a task repository, and from rows of public
 * datasets: JSON lines, a JSON list, or a Parquet file.
 */
export async function readTaskInstances(path: string): Promise<TaskInstance[]> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new Error(`There is no ${path}.`);
  const instances = found.isDirectory() ? await readTaskRepo(path) : await rowsOf(await readFile(path), path);
  const seen = new Set<string>();
  for (const { instance_id: id } of instances) {
    if (seen.has(id)) throw new Error(`${path} has ${id} more than once.`);
    seen.add(id);
  }
  return instances;
}

async function rowsOf(bytes: Buffer, path: string): Promise<TaskInstance[]> {
  if (isParquet(bytes)) {
    const rows = await parquetRows(bytes).catch((error: unknown) => {
      throw new Error(`${path} is no Parquet file that can be read: ${String(error)}`, { cause: error });
    });
    return rows.map((row, index) => at(`${path}, row ${index + 1}`, () => instanceOf(row)));
  }
  const text = bytes.toString('utf8');
  if (text.trimStart().startsWith('[')) {
    const rows = at(path, () => z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(text)));
    return rows.map((row, index) => at(`${path}, row ${index + 1}`, () => instanceOf(row)));
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    return [at(`${path}, line ${index + 1}`, () => instanceOf(JSON.parse(line) as Record<string, unknown>))];
  });
}

/** Says where it is that something can't be read. */
function at<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Error(`${place}: ${why}`, { cause: error });
  }
}

function instanceOf(row: Record<string, unknown>): TaskInstance {
  if (row['schema_version'] !== undefined) return taskInstanceSchema.parse(row);
  if (typeof row['ris'] !== 'string') return fromPublicRow(row);
  // What it holds is checked as the instance that it makes.
  return fromSwebench(row as SwebenchRow);
}

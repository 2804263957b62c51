import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { rejections } from '../../src/model/rejections.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import { taskInstanceSchema } from '../../src/model/task-instance.ts';
import type { TaskInstance } from '../../src/model/task-instance.ts';

const reasons = Object.keys(rejections) as Rejection[];
const stateSchema = z.object({
  /** Of all that the outcome depends on. */
  key: z.string(),
  outcome: z.union([z.enum(reasons), taskInstanceSchema]),
});

/** What became of candidates, a file each, so that an interrupted search goes on where it was. */
export interface CandidateStates {
  /** Null for one that was not decided yet, or by other rules. */
  read(fix: string, dependsOn: unknown): Promise<TaskInstance | Rejection | null>;
  write(fix: string, dependsOn: unknown, outcome: TaskInstance | Rejection): Promise<void>;
}

export function candidateStates(folder: string): CandidateStates {
  const fileOf = (fix: string) => join(folder, `${fix}.json`);
  const keyOf = (dependsOn: unknown) => createHash('sha256').update(JSON.stringify(dependsOn)).digest('hex');
  return {
    async read(fix, dependsOn) {
      const text = await readFile(fileOf(fix), 'utf8').catch(() => '{}');
      const state = stateSchema.safeParse(JSON.parse(text));
      return state.success && state.data.key === keyOf(dependsOn) ? state.data.outcome : null;
    },
    async write(fix, dependsOn, outcome) {
      await mkdir(folder, { recursive: true });
      await writeFileAtomic(fileOf(fix), JSON.stringify({ key: keyOf(dependsOn), outcome }));
    },
  };
}

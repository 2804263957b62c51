import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { namesOf } from '../../src/model/evaluation-attempt.ts';
import type { AttemptTests, EvaluationAttempt, KeptText } from '../../src/model/evaluation-attempt.ts';
import { keptText } from './kept-text.ts';

const listsSchema = z.object({ success: z.array(z.string()), failure: z.array(z.string()) });
const reportSchema = z.record(
  z.string(),
  z.object({
    tests_status: z.object({ FAIL_TO_PASS: listsSchema, PASS_TO_PASS: listsSchema }),
  }),
);

/** What is kept of an attempt, from the folder of logs that was written of it, and the trajectory where its agent left one. */
export async function readAttempt(
  instanceId: string,
  { logs, trajectory }: { logs: string; trajectory: string | null },
): Promise<EvaluationAttempt> {
  // What went wrong stands at the end of a log, what it was run with at the beginning; a patch is read from its beginning.
  const bothEnds = { shareOfBeginning: 0.25 };
  const [patch, report, log, steps] = await Promise.all([
    keptText(join(logs, 'patch.diff'), { shareOfBeginning: 1 }),
    textIn(join(logs, 'report.json')),
    keptText(join(logs, 'test_output.txt'), bothEnds),
    trajectory === null ? null : keptText(trajectory, bothEnds),
  ]);
  const unlessEmpty = (kept: KeptText | null) => (kept?.text === '' ? null : kept);
  return {
    instance_id: instanceId,
    patch: unlessEmpty(patch),
    tests: report === null ? null : testsIn(reportSchema.parse(JSON.parse(report))[instanceId]?.tests_status),
    log: unlessEmpty(log),
    trajectory: unlessEmpty(steps),
  };
}

function testsIn(status: z.infer<typeof reportSchema>[string]['tests_status'] | undefined): AttemptTests | null {
  if (status === undefined) return null;
  const sorted = ({ success, failure }: z.infer<typeof listsSchema>) => ({
    passed: namesOf(success),
    failed: namesOf(failure),
  });
  return { fail_to_pass: sorted(status.FAIL_TO_PASS), pass_to_pass: sorted(status.PASS_TO_PASS) };
}

/** Null where there is none. */
async function textIn(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

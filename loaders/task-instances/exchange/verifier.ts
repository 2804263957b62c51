import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProvenTask } from '../../../src/model/task-instance.ts';
import { evalScript } from './eval-script.ts';

const script = `#!/bin/bash
# Puts the tests of the fix into /testbed, runs them on what an agent left there, and says whether it solved the task.
here=$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)
logs=\${VERIFIER_LOGS:-/logs/verifier}
mkdir -p "$logs"
bash "$here/eval.sh" >"$logs/eval.log" 2>&1
python3 "$here/grade.py" "$here/tests.json" "$logs"
`;
const grader = readFileSync(join(import.meta.dirname, 'converters', 'grade.py'), 'utf8');

/**
 * The files of a task's \`tests\` folder: \`test.sh\` runs them as SWE-bench's harness would, writes 1 or 0 to \`reward.txt\` in
 * \`/logs/verifier\`, or where \`VERIFIER_LOGS\` says, and prints what Terminal-Bench reads.
 */
export function verifierFiles(instance: ProvenTask): Record<string, string> {
  const { fail_to_pass: FAIL_TO_PASS, pass_to_pass: PASS_TO_PASS } = instance.verifying_tests;
  return {
    'test.sh': script,
    'eval.sh': evalScript(instance),
    'grade.py': grader,
    'tests.json': `${JSON.stringify({ FAIL_TO_PASS, PASS_TO_PASS }, null, 2)}\n`,
  };
}

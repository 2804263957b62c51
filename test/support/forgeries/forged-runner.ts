import type { SandboxNetwork } from '../../../loaders/task-instances/sandbox/sandbox.ts';
import type { TaskEnvironment } from '../../../src/model/task-instance.ts';

/** A small repository with a bug, its fix with tests, and patches that want the verdict and not the fix. */
export interface ForgedRunner {
  /** Programs without which it is skipped. */
  needs: readonly string[];
  environment: Pick<TaskEnvironment, 'setup_cmds' | 'test_cmd' | 'report'>;
  /** Where its setup reaches more than the registries that its tool tells. */
  setupNetwork?: SandboxNetwork;
  base: Record<string, string>;
  /** What the fix changes beside its tests. */
  fix: Record<string, string>;
  tests: Record<string, string>;
  fail_to_pass: readonly string[];
  pass_to_pass: readonly string[];
  /** Other fixes, that solve it in their own way. */
  honest: Record<string, Record<string, string>>;
  /** What each writes over the base; none of them solves anything. */
  forgeries: Record<string, Record<string, string>>;
}

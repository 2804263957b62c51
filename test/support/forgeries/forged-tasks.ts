import type { ProvenTask } from '../../../src/model/task-instance.ts';
import { gitRepository, writeFiles } from '../git-repository.ts';
import type { GitRepository } from '../git-repository.ts';
import { taskInstance } from '../task-instances.ts';
import type { ForgedRunner } from './forged-runner.ts';

/** A forged runner as a task with its repository, and what models answered to it. */
export interface ForgedTask {
  repository: GitRepository;
  instance: ProvenTask;
  /** By what they do. */
  patches: { honest: Record<string, string>; forgeries: Record<string, string> };
}

export function forgedTask(name: string, runner: ForgedRunner): ForgedTask {
  const repository = gitRepository({ name, files: runner.base });
  const base = repository.git('rev-parse', 'HEAD').trim();
  const patchOf = (files: Record<string, string>) => {
    writeFiles(repository.path, files);
    repository.git('add', '--all', '--force');
    const patch = repository.git('diff', '--cached', '--binary', '--full-index', '--no-renames', base);
    repository.git('reset', '--quiet', '--hard', base);
    return patch;
  };
  const patches = (all: Record<string, Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).map(([does, files]) => [does, patchOf(files)]));
  const blank = taskInstance();
  const instance = taskInstance({
    instance_id: `forged__${name}-1`,
    repo: `forged/${name}`,
    base_commit: base,
    patch: patchOf(runner.fix),
    test_patch: patchOf(runner.tests),
    verifying_tests: {
      fail_to_pass: [...runner.fail_to_pass],
      pass_to_pass: [...runner.pass_to_pass],
      test_files: Object.keys(runner.tests),
      framework: name,
    },
    environment: {
      ...blank.environment,
      environment_setup_commit: base,
      env: {},
      env_key: name,
      timeout_s: 120,
      ...runner.environment,
    },
  });
  return { repository, instance, patches: { honest: patches(runner.honest), forgeries: patches(runner.forgeries) } };
}

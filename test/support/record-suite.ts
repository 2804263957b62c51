import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TaskEnvironment } from '../../src/model/task-instance.ts';
import { detectRunner } from '../../loaders/task-instances/detect-runner.ts';
import { openEnvironments } from '../../loaders/task-instances/environment.ts';
import { openSandbox } from '../../loaders/task-instances/sandbox/open-sandbox.ts';
import { scopedCommand } from '../../loaders/task-instances/scoped-command.ts';
import { suiteEnvironment } from '../../loaders/task-instances/suite-environment.ts';
import { temporaryFolder } from './git-repository.ts';

/** Runs a project's tests by the real runner, installed from its registry, and writes its reports to a folder. */
export async function recordSuite(tree: string, to: string): Promise<void> {
  const folder = temporaryFolder();
  try {
    const sandbox = await openSandbox({});
    const detected = await detectRunner(tree);
    if (!detected) throw new Error(`No runner was detected in ${tree}.`);
    const environment: TaskEnvironment = {
      ...detected,
      environment_setup_commit: '0'.repeat(40),
      env: {},
      runtime: {},
      env_key: '',
      image: null,
      timeout_s: 300,
      network: false,
      isolation: sandbox.isolation,
    };
    const containment = { setup_network: 'proxy', allowed_hosts: [], limits: sandbox.limits } as const;
    const options = { folder, maxBytes: Infinity, timeoutMs: 600_000, containment };
    const environments = openEnvironments(sandbox, options);
    const { problem, log } = await environments.prepare({ tree, environment });
    if (problem !== null) throw new Error(`${problem}: ${log}`);
    const layer = await environments.layerOf(environment);
    const { path } = environment.report;
    const { reports } = await sandbox.run({
      command: scopedCommand(environment.test_cmd, null),
      tree,
      env: await suiteEnvironment(environment, false),
      timeoutMs: 300_000,
      ...(layer === null ? {} : { layer }),
      ...(path.startsWith('$OUT') ? {} : { reports: path }),
    });
    rmSync(to, { recursive: true, force: true });
    for (const [name, content] of reports) {
      const file = join(to, name.replace(/^(out|testbed)\//, ''));
      mkdirSync(dirname(file), { recursive: true });
      // What Surefire tells of the machine is of no use here.
      writeFileSync(file, content.toString('utf8').replace(/<properties>[^]*?<\/properties>/, '<properties/>'));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

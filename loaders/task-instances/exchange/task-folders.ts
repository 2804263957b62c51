import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify as toml } from 'smol-toml';
import { stringify as yaml } from 'yaml';
import type { ProvenTask } from '../../../src/model/task-instance.ts';
import { writeBase, type Checkout } from './base-archive.ts';
import { dockerfile } from './dockerfile.ts';
import { verifierFiles } from './verifier.ts';

/** What an agent is given where a harness asks; a setup and the build of an image take as long. */
const agentSeconds = 1_800;
const buildSeconds = 1_800;

const difficulties = { '<15 min fix': 'easy', '15 min - 1 hour': 'medium', '1-4 hours': 'hard', '>4 hours': 'hard' };

const solve = `#!/bin/bash
cd /testbed && git apply "$(dirname "$(realpath "\${BASH_SOURCE[0]}")")/gold.patch"
`;

/** A harness that has tasks as folders: where it looks for what. */
interface Layout {
  /** The folder with the Dockerfile and what that copies. */
  environment: string;
  files(instance: ProvenTask): Record<string, string>;
}

const under = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [join(folder, name), text]));

const keywordsOf = ({ language, verifying_tests: { framework } }: ProvenTask) => ['swe', language, framework];

const layouts = {
  /** Harbor, which also Terminal-Bench is from version 2 on. */
  harbor: {
    environment: 'environment',
    files: (instance) => ({
      'task.toml': toml({
        version: '1.0',
        metadata: {
          instance_id: instance.instance_id,
          repo: instance.repo,
          base_commit: instance.base_commit,
          difficulty: difficulties[instance.difficulty],
          category: 'software_engineering',
          tags: keywordsOf(instance),
          canary: instance.provenance.canary,
        },
        verifier: { timeout_sec: instance.environment.timeout_s + 60 },
        agent: { timeout_sec: agentSeconds },
        environment: { build_timeout_sec: buildSeconds, cpus: 2, memory_mb: 4_096, storage_mb: 10_240 },
      }),
      'instruction.md': instructionOf(instance),
      'environment/Dockerfile': dockerfile(instance, { isBesideBase: true }),
      ...under('tests', verifierFiles(instance)),
      'solution/solve.sh': solve,
      'solution/gold.patch': instance.patch,
    }),
  },
  /** The folders of Terminal-Bench 1. */
  'terminal-bench': {
    environment: '.',
    files: (instance) => ({
      'task.yaml': yaml({
        instruction: instructionOf(instance),
        author_name: 'unknown',
        author_email: 'unknown',
        difficulty: difficulties[instance.difficulty],
        category: 'software-engineering',
        tags: keywordsOf(instance),
        parser_name: 'swebench',
        max_agent_timeout_sec: agentSeconds,
        max_test_timeout_sec: instance.environment.timeout_s + 60,
        run_tests_in_same_shell: false,
      }),
      Dockerfile: dockerfile(instance, { isBesideBase: true, packages: ['tmux', 'asciinema'] }),
      'docker-compose.yaml': compose,
      'run-tests.sh': '#!/bin/bash\nbash "$TEST_DIR/test.sh"\n',
      ...under('tests', verifierFiles(instance)),
      // It is one file, which is copied alone.
      'solution.sh': `#!/bin/bash\ncd /testbed && base64 -d <<'END' | git apply -\n${encoded(instance.patch)}\nEND\n`,
    }),
  },
} satisfies Record<string, Layout>;
type LayoutName = keyof typeof layouts;

const encoded = (text: string) =>
  Buffer.from(text)
    .toString('base64')
    .replaceAll(/.{76}(?=.)/g, '$&\n');

const instructionOf = ({ problem_statement: statement }: ProvenTask) =>
  `The repository in /testbed has this issue. Change its code so that it is solved; tests that you can't see will tell.\n\n${statement.trimEnd()}\n`;

const compose = yaml({
  services: {
    client: {
      build: { dockerfile: 'Dockerfile' },
      image: '${T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME}',
      container_name: '${T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME}',
      command: ['sh', '-c', 'sleep infinity'],
      environment: ['TEST_DIR=${T_BENCH_TEST_DIR}'],
      volumes: [
        '${T_BENCH_TASK_LOGS_PATH}:${T_BENCH_CONTAINER_LOGS_PATH}',
        '${T_BENCH_TASK_AGENT_LOGS_PATH}:${T_BENCH_CONTAINER_AGENT_LOGS_PATH}',
      ],
    },
  },
});

/**
 * Writes a folder a task, as a harness has them. The tree of the base is in it, so that images are built without the repository; the
 * fix and its tests are only where the harness lets no agent see them.
 */
export async function writeTaskFolders(
  folder: string,
  layout: LayoutName,
  instances: readonly ProvenTask[],
  checkout: Checkout,
): Promise<void> {
  const { environment, files }: Layout = layouts[layout];
  for (const instance of instances) {
    const task = join(folder, instance.instance_id);
    for (const [name, text] of Object.entries(files(instance))) {
      await mkdir(dirname(join(task, name)), { recursive: true });
      await writeFile(join(task, name), text);
      if (name.endsWith('.sh')) await chmod(join(task, name), 0o755);
    }
    await writeBase(instance, checkout, join(task, environment));
  }
}

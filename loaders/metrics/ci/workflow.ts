import { isMap, isScalar, isSeq } from 'yaml';
import type { Node as YamlNode, YAMLMap } from 'yaml';
import { oncePerPath } from '../../snapshot/once-per-path.ts';
import { readCiYaml } from './read-ci-yaml.ts';

/** A CI configuration file, as far as metrics ask. */
export interface Workflow {
  path: string;
  system: 'github' | 'gitlab' | 'other';
  /** Runs on pushes or on requests to merge. */
  onChanges: boolean;
  /** Shell commands and the actions used, each where it stands. */
  steps: WorkflowStep[];
  /** Of GitHub: `read` also where nothing is granted; null where the file says nothing. */
  permissions: { top: 'read' | 'write' | null; everyJob: boolean };
  /** The parsed file; null where it could not be read. */
  root: unknown;
}

export interface WorkflowStep {
  kind: 'run' | 'uses' | 'image';
  text: string;
  line: number;
  /** Of a command: what runs it, as far as the file says. */
  shell: string;
}

const systems: readonly [RegExp, Workflow['system']][] = [
  [/^\.github\/workflows\/[^/]+\.ya?ml$/, 'github'],
  [/^\.gitlab-ci\.ya?ml$/, 'gitlab'],
  [
    /^(Jenkinsfile|azure-pipelines[^/]*\.ya?ml|\.azure-pipelines\/[^/]+\.ya?ml|\.circleci\/config\.ya?ml|bitbucket-pipelines\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml|\.buildkite\/[^/]+\.ya?ml|\.woodpecker(\.ya?ml|\/[^/]+\.ya?ml)|\.cirrus\.ya?ml|appveyor\.ya?ml|\.appveyor\.ya?ml|\.semaphore\/[^/]+\.ya?ml|\.forgejo\/workflows\/[^/]+\.ya?ml|\.gitea\/workflows\/[^/]+\.ya?ml|\.teamcity\/[^/]+\.kts|wercker\.yml|\.build\.yml|\.builds\/[^/]+\.yml)$/,
    'other',
  ],
];

/** Which CI system a file configures; null for none. */
export const ciSystem = oncePerPath(
  (path): Workflow['system'] | null => systems.find(([pattern]) => pattern.test(path))?.[1] ?? null,
);

/** Deeper than any workflow is written; what is below is not looked at. */
const deepest = 40;

/** GitHub runs no larger workflow. */
const maxCharacters = 512 * 1024;
/** What is longer is no command that somebody wrote. */
const maxLineLength = 2_000;

/** Reads a CI file; what can't be parsed still counts by its lines. */
export function readWorkflow(path: string, text: string): Workflow {
  const system = ciSystem(path) ?? 'other';
  const unread: Workflow = {
    path,
    system,
    onChanges: true,
    steps: /\.ya?ml$/.test(path) ? [] : linesOf(text),
    permissions: { top: null, everyJob: false },
    root: null,
  };
  if (!/\.ya?ml$/.test(path) || text.length > maxCharacters) return unread;
  let read: ReturnType<typeof readCiYaml>;
  try {
    read = readCiYaml(text);
  } catch {
    return unread;
  }
  const { document, value: root, lines } = read;
  if (typeof root !== 'object' || root === null) return unread;
  const steps: WorkflowStep[] = [];
  collect(document.contents, { steps, lineAt: (offset) => lines.linePos(offset).line }, 'bash', 0);
  const workflow = root as Record<string, unknown>;
  return {
    path,
    system,
    onChanges: runsOnChanges(system, workflow),
    steps,
    permissions: permissionsOf(workflow),
    root,
  };
}

function linesOf(text: string): WorkflowStep[] {
  return text.split('\n').flatMap((line, index) => {
    const command = line.slice(0, maxLineLength).trim();
    return command === '' || command.startsWith('//') || command.startsWith('#')
      ? []
      : [{ kind: 'run' as const, text: command, line: index + 1, shell: 'sh' }];
  });
}

/** Keys under which systems keep commands. */
export const commandKeys: ReadonlySet<string> = new Set([
  'run',
  'script',
  'before_script',
  'after_script',
  'command',
  'commands',
  'install',
  'before_install',
  'bash',
  'powershell',
  'pwsh',
  'test_script',
  'build_script',
]);

interface Collected {
  steps: WorkflowStep[];
  lineAt(offset: number): number;
}

function collect(node: unknown, into: Collected, shellAround: string, depth: number): void {
  if (depth > deepest) return;
  if (isSeq(node)) for (const item of node.items) collect(item, into, shellAround, depth + 1);
  if (!isMap(node)) return;
  const shell = shellOf(node) ?? shellAround;
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const kind = name === 'uses' || name === 'image' ? name : commandKeys.has(name) ? 'run' : null;
    const texts = (isSeq(value) ? value.items : [value]) as YamlNode[];
    for (const scalar of kind === null ? [] : texts) {
      if (!isScalar(scalar) || typeof scalar.value !== 'string' || kind === null) continue;
      const text = scalar.value.replaceAll(tooLong, '');
      into.steps.push({ kind, text, line: into.lineAt(scalar.range?.[0] ?? 0), shell });
    }
    collect(value, into, shell, depth + 1);
  }
}

const tooLong = new RegExp(`^.{${maxLineLength},}$`, 'gm');
const windowsStep =
  /runner\.os\s{0,9}==\s{0,9}['"]windows['"]|startsWith\(runner\.os,\s{0,9}['"]windows['"]\)|matrix\.os\s{0,9}==\s{0,9}['"]windows-/i;

/** What a step, or a job for its steps, says of the shell; null where it says nothing. */
function shellOf(node: YAMLMap): string | null {
  const text = (...way: string[]) => {
    const found = node.getIn(way);
    return typeof found === 'string' ? found : null;
  };
  const isWindows = /^windows/i.test(text('runs-on') ?? '') || windowsStep.test(text('if') ?? '');
  return text('shell') ?? text('defaults', 'run', 'shell') ?? (isWindows ? 'pwsh' : null);
}

const changes = new Set(['push', 'pull_request', 'pull_request_target', 'merge_group', 'workflow_call']);

/** GitHub says when; the other systems run on changes unless told otherwise. */
function runsOnChanges(system: Workflow['system'], workflow: Record<string, unknown>): boolean {
  if (system !== 'github') return true;
  // YAML 1.1 readers take `on` for true.
  const on = workflow['on'] ?? workflow['true'];
  const events = typeof on === 'string' ? [on] : Array.isArray(on) ? on : Object.keys(on ?? {});
  return events.some((event) => changes.has(String(event)));
}

function permissionsOf(workflow: Record<string, unknown>): Workflow['permissions'] {
  const jobs = Object.values((workflow['jobs'] ?? {}) as Record<string, unknown>).filter(
    (job): job is Record<string, unknown> => typeof job === 'object' && job !== null,
  );
  return {
    top: granted(workflow['permissions']),
    everyJob: jobs.length > 0 && jobs.every((job) => job['permissions'] !== undefined),
  };
}

/**
 * What a stolen token could change in the repository or what it ships (Scorecard: Token-Permissions). Not among them: `id-token`, which
 * only says who runs, and what marks issues.
 */
const changing = new Set([
  'contents',
  'packages',
  'actions',
  'deployments',
  'security-events',
  'statuses',
  'checks',
  'pages',
]);

function granted(permissions: unknown): 'read' | 'write' | null {
  if (permissions === undefined) return null;
  if (typeof permissions === 'string') return permissions === 'write-all' ? 'write' : 'read';
  if (typeof permissions !== 'object' || permissions === null) return 'read';
  const granting = Object.entries(permissions).filter(([, access]) => access === 'write');
  return granting.some(([scope]) => changing.has(scope)) ? 'write' : 'read';
}

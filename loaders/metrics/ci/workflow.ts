import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Node as YamlNode } from 'yaml';

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
export function ciSystem(path: string): Workflow['system'] | null {
  return systems.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** Deeper than any workflow is written; what is below is not looked at. */
const deepest = 40;
const mostAliases = 100;

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
  if (!/\.ya?ml$/.test(path)) return unread;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false });
  let root: unknown;
  try {
    root = document.toJS({ maxAliasCount: mostAliases });
  } catch {
    return unread;
  }
  if (document.errors.length > 0 || typeof root !== 'object' || root === null) return unread;
  const steps: WorkflowStep[] = [];
  collect(document.contents, steps, (offset) => lines.linePos(offset).line, 0);
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
    const command = line.trim();
    return command === '' || command.startsWith('//') || command.startsWith('#')
      ? []
      : [{ kind: 'run' as const, text: command, line: index + 1 }];
  });
}

/** Keys under which systems keep commands. */
const commandKeys = new Set([
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

function collect(node: unknown, into: WorkflowStep[], lineAt: (offset: number) => number, depth: number): void {
  if (depth > deepest) return;
  if (isSeq(node)) for (const item of node.items) collect(item, into, lineAt, depth + 1);
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const texts = (isSeq(value) ? value.items : [value]) as YamlNode[];
    for (const scalar of texts) {
      if (!isScalar(scalar) || typeof scalar.value !== 'string') continue;
      const line = lineAt(scalar.range?.[0] ?? 0);
      if (name === 'uses') into.push({ kind: 'uses', text: scalar.value, line });
      else if (name === 'image') into.push({ kind: 'image', text: scalar.value, line });
      else if (commandKeys.has(name)) into.push({ kind: 'run', text: scalar.value, line });
    }
    collect(value, into, lineAt, depth + 1);
  }
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

function granted(permissions: unknown): 'read' | 'write' | null {
  if (permissions === undefined) return null;
  if (typeof permissions === 'string') return permissions === 'write-all' ? 'write' : 'read';
  if (typeof permissions !== 'object' || permissions === null) return 'read';
  return Object.values(permissions).includes('write') ? 'write' : 'read';
}

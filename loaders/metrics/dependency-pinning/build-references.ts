import type { Workflow } from '../ci/workflow.ts';
import { shellReferences } from './shell-references.ts';

/** Something that a build fetches, and whether its content is fixed by a hash. */
export interface BuildReference {
  ecosystem:
    | 'github_owned'
    | 'third_party_action'
    | 'container'
    | 'download_then_run'
    | 'pip'
    | 'npm'
    | 'go'
    | 'choco'
    | 'nuget';
  path: string;
  line: number;
  what: string;
  pinned: boolean;
}

/** A container's recipe. */
export const dockerfile = /(^|\/)(Dockerfile|Containerfile)(\.[\w.-]+)?$|(^|\/)[\w.-]+\.(dockerfile|Dockerfile)$/;
const script = /\.(sh|bash|mksh)$/;

/** Whether a file beside the workflows may hold references: a container's recipe or a shell script. */
export const mayHoldReferences = (path: string): boolean => dockerfile.test(path) || script.test(path);

/** What a recipe or a script fetches (OpenSSF Scorecard: Pinned-Dependencies). */
export function referencesIn(path: string, text: string): BuildReference[] {
  return dockerfile.test(path) ? fromDockerfile(path, text) : fromScript(path, text);
}

/** What a GitHub workflow fetches: actions, and by commands of the shells that can be read. */
export function referencesOfWorkflow({ path, steps }: Workflow): BuildReference[] {
  const downloaded = new Set<string>();
  return steps.flatMap(({ kind, text, line, shell }): BuildReference[] => {
    if (kind === 'run') {
      if (!/^(.*\/)?(sh|bash|mksh)$/i.test(shell)) return [];
      // An expression of GitHub's is one word, whatever it says.
      const commands = text.replaceAll(/\$?\{\{[^{}]{0,500}\}\}/g, 'EXPRESSION');
      return shellReferences(commands, { path, firstLine: text.includes('\n') ? line + 1 : line }, downloaded);
    }
    if (kind === 'image' || text.startsWith('./') || text.startsWith('../')) return [];
    const isOwned = /^(actions|github)\//.test(text);
    const pinned = /@[a-f0-9]{40,}$/.test(text) || /^docker:\/\/.+@sha256:[a-f0-9]{64}$/.test(text);
    return [{ ecosystem: isOwned ? 'github_owned' : 'third_party_action', path, line, what: text, pinned }];
  });
}

/** A first line that names another interpreter makes it no shell script. */
const fromScript = (path: string, text: string) =>
  /^#!(?!\S*\b(env\s+)?(ba|mk)?sh\b)/.test(text) ? [] : shellReferences(text, { path, firstLine: 1 });

function fromDockerfile(path: string, text: string): BuildReference[] {
  const found: BuildReference[] = [];
  /** Whether each stage is fixed, by its name; one that begins from another is as fixed as that. */
  const stages = new Map<string, boolean>();
  const defaults = new Map<string, string>();
  const downloaded = new Set<string>();
  for (const { command, line } of logicalLines(text)) {
    const [, name, value] = /^ARG\s+(\w+)=(\S+)/i.exec(command) ?? [];
    if (name !== undefined && value !== undefined) defaults.set(name, value);
    const [, written, stage] = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(command) ?? [];
    if (written !== undefined) {
      const image = written.replaceAll(/\$\{(\w+)\}/g, (variable, key: string) => defaults.get(key) ?? variable);
      const pinned = image === 'scratch' || (stages.get(image) ?? /@sha256:([a-f0-9]{64}|\$\{.{0,500}\})/.test(image));
      if (image !== 'scratch') found.push({ ecosystem: 'container', path, line, what: image, pinned });
      if (stage !== undefined) stages.set(stage, pinned);
    }
    const run = /^RUN\s+(?:--\S+\s+)*([^]*)/i.exec(command)?.[1];
    if (run !== undefined) found.push(...shellReferences(shellForm(run), { path, firstLine: line }, downloaded));
  }
  return found;
}

/** `["npm", "ci"]` as `npm ci`. */
function shellForm(command: string): string {
  if (!command.startsWith('[')) return command;
  try {
    const words: unknown = JSON.parse(command);
    return Array.isArray(words) ? words.join(' ') : command;
  } catch {
    return command;
  }
}

/** Commands with their continuations, each with its first line. */
export function logicalLines(text: string): { command: string; line: number }[] {
  const commands: { command: string; line: number }[] = [];
  let open = false;
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*#/.test(raw)) continue;
    const part = raw.replace(/\\\s*$/, ' ');
    const last = commands.at(-1);
    if (open && last) last.command += part;
    else commands.push({ command: part.trim(), line: index + 1 });
    open = /\\\s*$/.test(raw);
  }
  return commands;
}

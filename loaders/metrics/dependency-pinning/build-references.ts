import { readWorkflow } from '../ci/workflow.ts';

/** Something that a build fetches, and whether its content is fixed by a hash. */
export interface BuildReference {
  ecosystem: 'github_owned' | 'third_party_action' | 'container' | 'download_then_run' | 'pip' | 'npm' | 'go';
  path: string;
  line: number;
  what: string;
  pinned: boolean;
}

/** A container's recipe. */
export const dockerfile = /(^|\/)(Dockerfile|Containerfile)(\.[\w.-]+)?$|(^|\/)[\w.-]+\.(dockerfile|Dockerfile)$/;
const workflow = /^\.github\/workflows\/[^/]+\.ya?ml$/;
const script = /\.(sh|bash)$/;

/** Whether a file may hold references: a workflow, a Dockerfile or a shell script. */
export const mayHoldReferences = (path: string): boolean =>
  workflow.test(path) || dockerfile.test(path) || script.test(path);

/** Whether it is a workflow or a container's recipe: where there is neither, nothing is built here. */
export const isBuildRecipe = (path: string): boolean => workflow.test(path) || dockerfile.test(path);

/** What one file fetches (OpenSSF Scorecard: Pinned-Dependencies). */
export function referencesIn(path: string, text: string): BuildReference[] {
  if (workflow.test(path)) return fromWorkflow(path, text);
  return dockerfile.test(path) ? fromDockerfile(path, text) : fromShell(path, text, 1);
}

function fromWorkflow(path: string, text: string): BuildReference[] {
  return readWorkflow(path, text).steps.flatMap(({ kind, text: step, line }) => {
    if (kind === 'run') return fromShell(path, step, step.includes('\n') ? line + 1 : line);
    if (kind === 'image' || step.startsWith('./') || step.startsWith('../')) return [];
    const isOwned = /^(actions|github)\//.test(step);
    const pinned = /@[a-f0-9]{40,}$/.test(step) || /^docker:\/\/.+@sha256:[a-f0-9]{64}$/.test(step);
    return [{ ecosystem: isOwned ? 'github_owned' : 'third_party_action', path, line, what: step, pinned } as const];
  });
}

function fromDockerfile(path: string, text: string): BuildReference[] {
  const found: BuildReference[] = [];
  const stages = new Set<string>();
  for (const { command, line } of logicalLines(text)) {
    const [, image, stage] = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(command) ?? [];
    if (image !== undefined) {
      // A variable may be anything; an earlier stage is fixed by its own FROM.
      if (image !== 'scratch' && !stages.has(image.toLowerCase()) && !image.includes('$')) {
        const pinned = /@sha256:[a-f0-9]{64}$/.test(image);
        found.push({ ecosystem: 'container', path, line, what: image, pinned });
      }
      if (stage !== undefined) stages.add(stage.toLowerCase());
    }
    const run = /^RUN\s+(.*)$/is.exec(command)?.[1];
    if (run !== undefined) found.push(...fromShell(path, run, line));
  }
  return found;
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

const longestCommand = 4_000;

function fromShell(path: string, text: string, firstLine: number): BuildReference[] {
  const found: BuildReference[] = [];
  for (const { command, line } of logicalLines(text)) {
    if (command.length > longestCommand) continue;
    const at = { path, line: firstLine + line - 1 };
    if (/\b(curl|wget)\b[^|;&]*https?:[^|;&]*\|\s*(sudo\s+(-\S+\s+)*)?(ba|z|da|k)?sh\b/.test(command))
      found.push({ ...at, ecosystem: 'download_then_run', what: short(command), pinned: false });
    for (const part of command.split(/&&|\|\||[;|]/)) found.push(...fromCommand(part.trim(), at));
  }
  return found;
}

function fromCommand(command: string, at: { path: string; line: number }): BuildReference[] {
  const words = command.replace(/^(sudo|exec|time)\s+(-\S+\s+)*/, '').split(/\s+/);
  const [tool = '', ...rest] = /^python[\d.]*$/.test(words[0] ?? '') && words[1] === '-m' ? words.slice(2) : words;
  const reference = (ecosystem: BuildReference['ecosystem'], pinned: boolean): BuildReference[] => [
    { ...at, ecosystem, what: short(command), pinned },
  ];
  if (/^pip[\d.]*$/.test(tool) && rest[0] === 'install')
    return isLocalPip(rest) ? [] : reference('pip', isHashedPip(rest));
  if (tool === 'npm' && /^(i|install|add|update|install-test|it)$/.test(rest[0] ?? '')) return reference('npm', false);
  if (tool === 'npm' && /^(ci|install-ci-test|cit|clean-install)$/.test(rest[0] ?? '')) return reference('npm', true);
  if (tool === 'go' && /^(install|get)$/.test(rest[0] ?? '')) {
    const packages = rest.slice(1).filter((word) => /^[\w-]+(\.[\w-]+)+\//.test(word));
    return packages.flatMap((name) => reference('go', /@(v\d+\.\d+\.\d+\S*|[a-f0-9]{12,})$/.test(name)));
  }
  return [];
}

const isHashedPip = (words: readonly string[]) => words.includes('--require-hashes');

/** Only what lies in the repository: `pip install -e .`. */
function isLocalPip(words: readonly string[]): boolean {
  const named = words.slice(1).filter((word) => !word.startsWith('-'));
  const fromFile = words.some((word) => /^(-r|--requirement|-c|--constraint)/.test(word));
  return (
    !fromFile &&
    named.length > 0 &&
    named.every((word) => /^["']?\.{0,2}(\/|$|\[|["'])/.test(word) || /\.whl["']?$/.test(word))
  );
}

const short = (text: string) => (text.length > 120 ? `${text.slice(0, 117)}…` : text);

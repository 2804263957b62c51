import { analyzerVersion } from './analyzer-version.ts';
import { extractAll } from './extraction/extract-all.ts';
import type { Progress } from './progress.ts';
import { readManifests } from './manifests/read-manifests.ts';
import type { CallOutcome } from './resolution/resolution.ts';
import { resolve } from './resolution/resolve.ts';
import { exprText, type Step } from './resolution/trace.ts';
import { compiledBy, type ScipFile } from './scip/compiled.ts';
import { openSnapshot } from './snapshot/open-snapshot.ts';
import type { OpenSnapshot } from './snapshot/snapshot.ts';
import { openTemporaryFile } from './temporary-file.ts';

/** One call, and how the engine found where it leads. */
export interface ExplainedCall {
  /** As it is written, shortened: `store.save`. */
  callee: string;
  /** resolved: to a definition of the repository; external: out of it; unresolved: nobody knows where. */
  outcome: CallOutcome;
  /** In the order in which they were made; `source` is the line that says so, null where none does. */
  steps: readonly (Step & { source: string | null })[];
}

export interface Explanation {
  repository: string;
  /** The commit that was read; null for a folder without git. */
  commit: string | null;
  path: string;
  line: number;
  calls: readonly ExplainedCall[];
  /** Where no call stands on the line: the nearest lines that have one. */
  nearest: readonly number[];
}

/**
 * Reads a repository or folder as `analyze` does, resolves it, and says of each call on one line of one file how it was resolved.
 * Throws SnapshotError, and Error for a file that was not read.
 */
export async function explain(
  source: string,
  { path, line }: { path: string; line: number },
  options: { ref?: string; scip?: readonly ScipFile[] | undefined; onProgress?(progress: Progress): void } = {},
): Promise<Explanation> {
  const opened = await openSnapshot(source, options.ref === undefined ? {} : { ref: options.ref });
  const file = openTemporaryFile();
  try {
    const report = (phase: Progress['phase'], done: number, total: number) =>
      options.onProgress?.({ repository: opened.name, phase, done, total });
    const [manifests, { documents }] = await Promise.all([
      readManifests(opened),
      extractAll(opened, file, {
        analyzerVersion,
        wanted: 'graph',
        onProgress: (done, total) => report('parsing', done, total),
      }),
    ]);
    const own = documents.find((document) => document.path === path);
    if (!own) throw new Error(whyNotRead(opened, path));
    const lines = own.facts.calls.map((call) => call.line);
    const calls: Omit<ExplainedCall, 'steps'>[] = [];
    const steps: (readonly Step[])[] = [];
    report('resolving', 0, 1);
    const said = options.scip ? compiledBy(options.scip, documents, manifests.publishes) : null;
    resolve(documents, { paths: manifests.paths, read: manifests.text }, said?.compiled, file, {
      wants: (at, call) => at === path && call.line === line,
      resolved(_, call, outcome, made) {
        calls.push({ callee: exprText(call.callee), outcome });
        steps.push(made);
      },
    });
    const sourceOf = await linesOf(opened, steps.flat());
    return {
      repository: opened.name,
      commit: opened.commit,
      path,
      line,
      calls: calls.map((call, index) => ({
        ...call,
        steps: (steps[index] ?? []).map((step) => ({ ...step, source: step.at && sourceOf(step.at) })),
      })),
      nearest: calls.length > 0 ? [] : nearestLines(lines, line),
    };
  } finally {
    file.close();
    await opened.close();
  }
}

function whyNotRead({ skipped, files, name }: OpenSnapshot, path: string): string {
  const reason = skipped.find((each) => each.path === path)?.reason;
  if (reason) return `${path} was left out (${reason}), so nothing is known of its calls.`;
  if (files.some((file) => file.path === path)) return `${path} is of no language whose calls are read.`;
  return `${name} has no file ${path}: name one by its path, and its repository with --repo where it is not around the file.`;
}

/** The few lines with calls that are nearest to this one, in order. */
function nearestLines(lines: readonly number[], line: number): number[] {
  const byDistance = [...new Set(lines)].sort((a, b) => Math.abs(a - line) - Math.abs(b - line));
  return byDistance.slice(0, 3).sort((a, b) => a - b);
}

/** Looks lines up in the files that the steps name. */
async function linesOf(opened: OpenSnapshot, steps: readonly Step[]) {
  const known = new Set(opened.files.map(({ path }) => path));
  const paths = [...new Set(steps.flatMap(({ at }) => (at && known.has(at.path) ? [at.path] : [])))];
  const lines = new Map<string, string[]>();
  for await (const { path, content } of opened.read(paths))
    if (content) lines.set(path, new TextDecoder().decode(content).split('\n'));
  return ({ path, line }: { path: string; line: number }) => lines.get(path)?.[line - 1]?.trim() ?? null;
}

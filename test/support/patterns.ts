import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';

/** A regular expression that stands in a source, or that a module makes when it is loaded. */
export interface Pattern {
  source: string;
  flags: string;
  /** `FILE:LINE`; of one that is made, the module. */
  at: string;
  /** Why it need not be linear in what it is given; null where nobody says. */
  excuse: string | null;
}

const root = join(import.meta.dirname, '../..');
/** `// Bounded: …` speaks of all patterns in what begins behind it. */
const excuseForm = /^\s*Bounded: (.+)$/;

/** Those of one file; `made` are the places at which a function makes one of what it is given, which nobody can check. */
export function patternsIn(file: string, text: string): { patterns: Pattern[]; made: Pattern[]; unused: string[] } {
  const { program, comments } = parseSync(file, text);
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const begins = new Map<number, number>();
  const found: { start: number; pattern: Pattern }[] = [];
  const made: { start: number; pattern: Pattern }[] = [];
  const note = (list: typeof found, start: number, source: string, flags: string) =>
    list.push({ start, pattern: { source, flags, at: `${file}:${lineOf(start)}`, excuse: null } });
  let functions = 0;
  const enter = () => void functions++;
  const leave = () => void functions--;
  const each = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(each);
    if (typeof node !== 'object' || node === null || !('type' in node)) return;
    const { start, end } = node as unknown as { start: number; end: number };
    begins.set(start, Math.max(begins.get(start) ?? 0, node.type === 'Program' ? 0 : end));
    Object.values(node).forEach(each);
  };
  each(program);
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    Literal(node) {
      if ('regex' in node) note(found, node.start, node.regex.pattern, node.regex.flags);
    },
    NewExpression(node) {
      if (functions > 0 && node.callee.type === 'Identifier' && node.callee.name === 'RegExp')
        note(made, node.start, text.slice(node.start, node.end), '');
    },
  }).visit(program);
  const unused: string[] = [];
  for (const comment of comments) {
    const [, excuse] = excuseForm.exec(comment.value) ?? [];
    if (excuse === undefined) continue;
    const start = comment.end + text.slice(comment.end).search(/\S/);
    const end = begins.get(start) ?? start;
    const spokenOf = [...found, ...made].filter((one) => one.start >= start && one.start < end);
    for (const { pattern } of spokenOf) pattern.excuse = excuse;
    if (spokenOf.length === 0) unused.push(`${file}:${lineOf(comment.start)}`);
  }
  return { patterns: found.map(({ pattern }) => pattern), made: made.map(({ pattern }) => pattern), unused };
}

/** Of all files that match. */
export function patternsOf(globs: string[]) {
  const each = globSync(globs, { cwd: root })
    .sort()
    .map((file) => patternsIn(file, readFileSync(join(root, file), 'utf8')));
  return {
    patterns: each.flatMap(({ patterns }) => patterns),
    made: each.flatMap(({ made }) => made),
    unused: each.flatMap(({ unused }) => unused),
  };
}

/** Whether a text can be found in which it takes more than proportional time: by backtracking, or by beginning anew at each place. */
export function isSuperLinear({ source, flags }: Pick<Pattern, 'source' | 'flags'>): boolean {
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.length > 0;
}

/** Those that modules make of parts when they are loaded, in a process of its own: in this one they may have been loaded before. */
export async function patternsMade(modules: string[]): Promise<Pattern[]> {
  const recorder = `
    const made = [];
    Error.stackTraceLimit = 50;
    globalThis.RegExp = new Proxy(RegExp, {
      construct(target, given, as) {
        const pattern = Reflect.construct(target, given, as);
        const frames = new Error().stack.split('\\n').slice(2);
        // Where a package makes one for us, it is the package's.
        const [frame] = frames[0].includes('node_modules') ? [] : frames.filter((each) => !each.includes('detectors/patterns.ts'));
        const [, at] = /\\/((?:loaders|src)\\/[^:]+:\\d+):\\d+/.exec(frame ?? '') ?? [];
        if (at) made.push({ source: pattern.source, flags: pattern.flags, at, excuse: null });
        return pattern;
      },
    });
    for (const module of ${JSON.stringify(modules.map((file) => pathToFileURL(join(root, file)).href))}) await import(module);
    process.stdout.write(JSON.stringify(made));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', recorder], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout) as Pattern[];
}

import { spawnSync } from 'node:child_process';
import { randomOf } from '../../bench/stores/generate.ts';

/** What is looked for, as users of grep type it and as the search box takes it. */
export interface DrawnPattern {
  /** Text as it stands, or an expression of RE2's syntax. */
  source: string;
  isRegex: boolean;
  matchCase: boolean;
}

/** Whoever writes `\w`, `\d` or `\b` means ASCII, in JavaScript as in RE2; Rust's mean Unicode, unless told otherwise. */
const asciiOfRust: Readonly<Record<string, string>> = {
  w: '(?-u:\\w)',
  W: '[^0-9A-Za-z_]',
  d: '[0-9]',
  D: '[^0-9]',
  b: '(?-u:\\b)',
  B: '(?-u:\\B)',
};
/** The same in brackets. */
const asciiInClass: Readonly<Record<string, string>> = {
  w: '0-9A-Za-z_',
  W: '[^0-9A-Za-z_]',
  d: '0-9',
  D: '[^0-9]',
};

/** As it is typed into the search box. */
export function typed({ source, isRegex, matchCase }: DrawnPattern): string {
  const text = isRegex
    ? `/${source.replaceAll(/\\[\s\S]|\//g, (each) => (each === '/' ? String.raw`\/` : each))}/`
    : `"${source.replaceAll('"', String.raw`\"`)}"`;
  return matchCase ? `${text} case:yes` : text;
}

/**
 * The files of the folder that ripgrep finds it in, all that are there, sorted; null where it is no expression of its syntax. `$` is
 * before what ends a line in Windows too; a return alone, which ripgrep then finds by no `\s`, is not compared.
 */
export function ripgrep(folder: string, { source, isRegex, matchCase }: DrawnPattern): string[] | null {
  const pattern = isRegex ? forRust(source) : source;
  const { status, stdout, stderr, error } = spawnSync(
    'rg',
    [
      '--no-config',
      '--files-with-matches',
      '--null',
      '--no-ignore',
      '--hidden',
      '--text',
      '--crlf',
      '--glob=!.git',
      matchCase ? '--case-sensitive' : '--ignore-case',
      ...(isRegex ? [] : ['--fixed-strings']),
      '-e',
      pattern,
      './',
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  if (error) throw error;
  if (status === 2 && /regex parse error|error parsing|not allowed/.test(stderr)) return null;
  if (status !== 0 && status !== 1) throw new Error(stderr);
  return stdout
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => path.replace(/^\.\//, ''))
    .toSorted();
}

function forRust(source: string): string {
  let inClass = false;
  return source.replaceAll(/\\([\s\S])|[[\]]/g, (each, sign?: string) => {
    if (sign === undefined) inClass = each === '[' || (each === ']' ? false : inClass);
    return sign === undefined ? each : ((inClass ? asciiInClass : asciiOfRust)[sign] ?? each);
  });
}

/** Draws so many literals and so many expressions of each of two kinds from these texts; the same seed draws the same. */
export function drawPatterns(
  texts: readonly string[],
  { seed, literals, expressions }: { seed: string; literals: number; expressions: number },
): DrawnPattern[] {
  const random = randomOf(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const one = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  const lines = texts
    .flatMap((text) => text.replace(/^\uFEFF/, '').split(/\r?\n/))
    .filter((line) => /\S{3}/.test(line) && line.length <= 400);
  const written = [...new Set(texts.flatMap(expressionsIn))];

  /** A part of a line, 3 to 40 characters, in which there is a letter, digit or sign. */
  const literal = (): string => {
    const characters = Array.from(one(lines));
    const length = Math.min(characters.length, 3 + below(38));
    const from = below(characters.length - length + 1);
    const text = characters.slice(from, from + length).join('');
    return /\S/.test(text) ? text : literal();
  };
  /** Some words of a line that follow one another, of which some become what stands for others too. */
  const made = (): string => {
    const pieces = one(lines).match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
    const from = below(pieces.length);
    const upTo = Math.min(pieces.length, from + 2 + below(5));
    const other = one(lines).match(/[A-Za-z_]{3,}/)?.[0] ?? 'todo';
    const parts = pieces.slice(from, upTo).map((piece) => loosened(piece, other, one));
    if (!parts.some((part) => /^\w{3,}$/.test(part))) return made();
    const [begins, ends] = [from === 0 && below(2) === 0, upTo === pieces.length && below(2) === 0];
    return `${begins ? '^' : ''}${parts.join('')}${ends ? '$' : ''}`;
  };
  const expression = (): string => (written.length > 20 && below(2) === 0 ? one(written) : made());

  const drawn = new Map<string, DrawnPattern>();
  const draw = (count: number, isRegex: boolean, next: () => string) => {
    const upTo = drawn.size + count;
    for (let tries = 0; drawn.size < upTo && tries < 50 * count; tries++) {
      const source = next();
      // A search is for 1,000 characters, and what ends a line is in none.
      if (source.length > 200 || /[\0\r\n\uFFFD]/.test(source)) continue;
      drawn.set(`${isRegex} ${source}`, { source, isRegex, matchCase: below(2) === 0 });
    }
  };
  draw(literals, false, literal);
  draw(expressions, true, expression);
  return [...drawn.values()];
}

/** Expressions that somebody wrote for Go, Rust, Python, PHP, Kotlin or JavaScript. */
function expressionsIn(text: string): string[] {
  const calls = text.matchAll(
    /(?:MustCompile|re\.(?:compile|match|search|sub)|Regex::new|preg_match|preg_replace|new RegExp|\bRegex)\(\s*r?#?(?:"((?:[^"\\\n]|\\.)+)"|'((?:[^'\\\n]|\\.)+)'|`([^`\n]+)`)/g,
  );
  return [...calls].flatMap(([, a, b, c]) => {
    const source = (a ?? b ?? c ?? '').replace(/^([/#~])(.*)\1[a-z]*$/, '$2');
    return source.length >= 3 ? [source] : [];
  });
}

function loosened(piece: string, other: string, one: <T>(of: readonly T[]) => T): string {
  const asItStands = piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  if (/^\s+$/.test(piece)) return one([asItStands, String.raw`\s+`, String.raw`\s*`]);
  if (/^\d+$/.test(piece)) return one([asItStands, String.raw`\d+`, `[0-9]{${piece.length}}`]);
  if (/^\w+$/.test(piece)) {
    const [first = ''] = piece;
    return one([
      asItStands,
      asItStands,
      asItStands,
      String.raw`\w+`,
      String.raw`\b${piece}\b`,
      String.raw`${piece.slice(0, 3)}\w*`,
      `[${first.toUpperCase()}${first.toLowerCase()}]${piece.slice(1)}`,
      `(?:${piece}|${other})`,
      `.{${piece.length}}`,
      '.*',
    ]);
  }
  return one([asItStands, asItStands, '.', String.raw`\S`, `${asItStands}?`, String.raw`[^\w]`]);
}

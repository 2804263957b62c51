/** What a patch says of one file. */
export interface PatchSection {
  /** As it stands in the patch. */
  text: string;
  /** Names and hunks alone: what every program that applies patches understands in the same way. */
  hunks: string;
  /** Every path that is named, on either side and by whatever line; without the prefixes `a/` and `b/`. */
  paths: string[];
  /** Its modes, where it tells: `100644`, `120000` for a symbolic link. */
  modes: string[];
}

interface Draft extends Omit<PatchSection, 'text' | 'hunks' | 'paths'> {
  lines: string[];
  hunks: string[];
  paths: Set<string>;
}

/** Of the hunk that we are in, the lines of either side that are still to come. */
interface LinesLeft {
  old: number;
  new: number;
}

/** Splits a patch, made by git or not, into its files; what stands before the first of them is left out. */
export function patchSections(patch: string): PatchSection[] {
  const lines = patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const sections: Draft[] = [];
  let section: Draft | undefined;
  let left: LinesLeft = { old: 0, new: 0 };
  let hasNames = false;
  for (const [index, line] of lines.entries()) {
    // Within a hunk nothing else has a meaning.
    if (section && (left.old > 0 || left.new > 0)) {
      section.lines.push(line);
      section.hunks.push(line);
      left = afterHunkLine(left, line);
      continue;
    }
    const isName = nameLine.test(line);
    const beginsNames = isName && line.startsWith('-') && (lines[index + 1]?.startsWith('+++ ') ?? false);
    if (line.startsWith('diff --git ') || (beginsNames && (section === undefined || hasNames))) {
      section = { lines: [], hunks: [], paths: new Set(), modes: [] };
      sections.push(section);
      hasNames = false;
    }
    if (section === undefined) continue;
    readHeaderLine(section, line);
    hasNames ||= isName;
    left = hunkLength(line) ?? left;
  }
  return sections.map(finished);
}

const nameLine = /^(?:---|\+\+\+) (.*)$/;

/** `\ No newline at end of file` belongs to neither side. */
function afterHunkLine(left: LinesLeft, line: string): LinesLeft {
  if (line.startsWith('\\')) return left;
  return { old: left.old - (line.startsWith('+') ? 0 : 1), new: left.new - (line.startsWith('-') ? 0 : 1) };
}

/** `@@ -1,2 +3,4 @@`; null for another line. */
function hunkLength(line: string): LinesLeft | null {
  const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
  return hunk && { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) };
}

/** Any line that is not within a hunk. */
function readHeaderLine(section: Draft, line: string): void {
  section.lines.push(line);
  if (nameLine.test(line) || hunkLength(line) || line.startsWith('\\')) section.hunks.push(line);
  for (const path of namedIn(line)) if (path !== null) section.paths.add(path);
  const mode = /^(?:new|old|deleted) (?:file )?mode (\d{6})$/.exec(line) ?? /^index \S+ (\d{6})$/.exec(line);
  if (mode?.[1]) section.modes.push(mode[1]);
}

function namedIn(line: string): (string | null)[] {
  if (line.startsWith('diff --git ')) return pathsOfGitHeader(line);
  const name = nameLine.exec(line);
  return name ? [withoutPrefix(name[1] ?? '')] : renamed(line);
}

const finished = ({ lines, hunks, paths, modes }: Draft): PatchSection => ({
  text: lines.map((line) => `${line}\n`).join(''),
  hunks: hunks.map((line) => `${line}\n`).join(''),
  paths: [...paths],
  modes,
});

/** Every path that a patch names. */
export const patchPaths = (patch: string): string[] => [...new Set(patchSections(patch).flatMap(({ paths }) => paths))];

function renamed(line: string): (string | null)[] {
  const found = /^(?:rename|copy) (?:from|to) (.*)$/.exec(line);
  return found ? [unquoted(found[1] ?? '')] : [];
}

/** `diff --git a/x b/x`: two quoted names, or one name twice; of two different ones other lines tell. */
function pathsOfGitHeader(line: string): (string | null)[] {
  const rest = line.slice('diff --git '.length);
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*")$|^("(?:[^"\\]|\\.)*") (\S+)$/.exec(rest);
  if (quoted) return quoted.slice(1).flatMap((name) => (name === undefined ? [] : withoutPrefix(name)));
  const half = (rest.length - 1) / 2;
  const [from, to] = [withoutPrefix(rest.slice(0, half)), withoutPrefix(rest.slice(half + 1))];
  if (from === to) return [from];
  const words = rest.split(' ');
  return words.length === 2 ? words.map(withoutPrefix) : [];
}

/** A name as it stands after `---`: maybe quoted, maybe with a tab and a time, and one folder deeper than it is. Null for no file. */
function withoutPrefix(name: string): string | null {
  const path = unquoted(name.split('\t', 1)[0] ?? '');
  if (path === '/dev/null') return null;
  return path.startsWith('/') ? path : path.slice(path.indexOf('/') + 1);
}

const escapes: Record<string, string> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** Git quotes names as C does, byte by byte. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const parts = [...name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gu)];
  const bytes = parts.map(([, octal, letter, text]) =>
    octal === undefined
      ? Buffer.from(text ?? escapes[letter ?? ''] ?? letter ?? '')
      : Buffer.from([Number.parseInt(octal, 8)]),
  );
  return Buffer.concat(bytes).toString('utf8');
}

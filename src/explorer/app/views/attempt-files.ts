import { parsePatch } from 'diff';
import type { StructuredPatch } from 'diff';

/** A line of one side. */
export interface Cell {
  kind: 'same' | 'added' | 'removed' | 'blank';
  /** Of the base; null where it has none there. */
  line: number | null;
  text: string;
  /** Whether the patch itself says it: what only the other one says of the base stands here for comparison. */
  isOwn: boolean;
}

/** Lines that stand beside each other; null: lines of the base are left out here. */
export type Row = { attempt: Cell; fix: Cell } | null;

/** What two patches do to one file. */
export interface ComparedFile {
  path: string;
  touchedBy: 'both' | 'attempt' | 'fix';
  /** Both do the same to it. */
  isEqual: boolean;
  /** What each says beside lines: that the file is new, binary, renamed. */
  notes: { attempt: string[]; fix: string[] };
  rows: Row[];
}

/** Both patches file by file, what both touch first; null where one of them can't be read. */
export function compareFiles(attempt: string, fix: string): ComparedFile[] | null {
  const [ours, theirs] = [filesIn(attempt), filesIn(fix)];
  if (ours === null || theirs === null) return null;
  const both = [...ours.keys()].filter((path) => theirs.has(path));
  const order = [...both, ...[...ours.keys(), ...theirs.keys()].filter((path) => !both.includes(path))];
  return order.map((path) => compared(path, ours.get(path), theirs.get(path)));
}

function filesIn(patch: string): Map<string, StructuredPatch> | null {
  try {
    return new Map(parsePatch(patch).flatMap((file) => (pathOf(file) === null ? [] : [[pathOf(file) ?? '', file]])));
  } catch {
    return null;
  }
}

function pathOf({ oldFileName: from, newFileName: to }: StructuredPatch): string | null {
  const name = to === undefined || to === '/dev/null' ? from : to;
  return name?.replace(/^[ab]\//, '') ?? null;
}

function compared(path: string, ours?: StructuredPatch, theirs?: StructuredPatch): ComparedFile {
  const [attempt, fix] = [sideOf(ours), sideOf(theirs)];
  const touchedBy = ours === undefined ? 'fix' : theirs === undefined ? 'attempt' : 'both';
  const rows = isOneBase(attempt, fix) ? rowsOf(attempt, fix) : besides(rowsOf(attempt, none), rowsOf(none, fix));
  const notes = { attempt: notesOf(ours), fix: notesOf(theirs) };
  const isEqual =
    touchedBy === 'both' &&
    notes.attempt.join() === notes.fix.join() &&
    rows.every((row) => row === null || (row.attempt.kind === row.fix.kind && row.attempt.text === row.fix.text));
  return { path, touchedBy, isEqual, notes, rows };
}

function notesOf(file: StructuredPatch | undefined): string[] {
  if (file === undefined) return [];
  return [
    ...(file.isCreate ? ['a new file'] : []),
    ...(file.isDelete ? ['removes the file'] : []),
    ...(file.isRename ? [`renamed from ${file.oldFileName?.replace(/^a\//, '') ?? ''}`] : []),
    ...(file.isBinary ? ['binary'] : []),
    ...(file.newMode && file.oldMode ? [`mode ${file.oldMode} to ${file.newMode}`] : []),
  ];
}

/** What a patch says of a file, by lines of the base. */
interface Side {
  lines: ReadonlyMap<number, { kind: 'same' | 'removed'; text: string }>;
  /** By the line before which they stand. */
  added: ReadonlyMap<number, readonly string[]>;
}

const none: Side = { lines: new Map(), added: new Map() };

function sideOf(file: StructuredPatch | undefined): Side {
  const lines = new Map<number, { kind: 'same' | 'removed'; text: string }>();
  const added = new Map<number, string[]>();
  for (const hunk of file?.hunks ?? []) {
    let at = hunk.oldStart;
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith('+')) added.set(at, [...(added.get(at) ?? []), text]);
      // What says that the last line has no end is no line.
      else if (!line.startsWith('\\')) lines.set(at++, { kind: line.startsWith('-') ? 'removed' : 'same', text });
    }
  }
  return { lines, added };
}

/** A patch may be applied elsewhere than it says: then its lines can't be told by their numbers. */
const isOneBase = (a: Side, b: Side) =>
  [...a.lines].every(([line, { text }]) => (b.lines.get(line)?.text ?? text) === text);

function rowsOf(attempt: Side, fix: Side): Row[] {
  const places = [...attempt.lines.keys(), ...fix.lines.keys(), ...attempt.added.keys(), ...fix.added.keys()];
  const rows: Row[] = [];
  let last: number | null = null;
  for (const line of [...new Set(places)].sort((a, b) => a - b)) {
    if (last !== null && line > last + 1) rows.push(null);
    const [ours, theirs] = [attempt.added.get(line) ?? [], fix.added.get(line) ?? []];
    for (let index = 0; index < Math.max(ours.length, theirs.length); index++)
      rows.push({ attempt: addedCell(ours[index]), fix: addedCell(theirs[index]) });
    const base = attempt.lines.get(line) ?? fix.lines.get(line);
    if (base) rows.push({ attempt: baseCell(attempt, line, base.text), fix: baseCell(fix, line, base.text) });
    last = base ? line : line - 1;
  }
  return rows;
}

const blank: Cell = { kind: 'blank', line: null, text: '', isOwn: false };

const addedCell = (text: string | undefined): Cell =>
  text === undefined ? blank : { kind: 'added', line: null, text, isOwn: true };

function baseCell({ lines }: Side, line: number, text: string): Cell {
  const own = lines.get(line);
  return { kind: own?.kind ?? 'same', line, text, isOwn: own !== undefined };
}

function besides(ours: readonly Row[], theirs: readonly Row[]): Row[] {
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) => {
    const [left, right] = [ours[index], theirs[index]];
    return left || right ? { attempt: left?.attempt ?? blank, fix: right?.fix ?? blank } : null;
  });
}

import type { PackageName, Requirement } from '../../src/model/snapshot.ts';

/** What a project says of itself. */
export type Description = {
  description?: string;
  license?: string;
  homepage?: string;
  topics?: string[];
};

/** What one manifest says; lists are empty where it says nothing. */
export interface Manifest {
  publishes: PackageName[];
  requires: Requirement[];
  description: Description;
}

/**
 * One kind of manifest. Adding one is one file of this shape beside this one, and its line in index.ts. `read` is pure and
 * may throw on what it can't parse: the caller makes that a warning about the file.
 */
export interface ManifestFormat {
  /** Whether a path is a manifest of this kind. */
  matches(path: string): boolean;
  read(text: string, path: string): Manifest;
}

/** Where each name stands, in one pass: `pattern` (global) finds them, `key` makes the name that is asked for; first ones win. */
export function lineIndex(
  text: string,
  pattern: RegExp,
  key: (match: RegExpExecArray) => string | undefined = (match) => match[1],
): (name: string) => number | null {
  const lines = new Map<string, number>();
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(pattern)) {
    const start = match.index + (match[0].length - match[0].trimStart().length);
    for (let at = text.indexOf('\n', counted); at !== -1 && at < start; at = text.indexOf('\n', counted)) {
      line += 1;
      counted = at + 1;
    }
    const name = key(match);
    if (name !== undefined && !lines.has(name)) lines.set(name, line);
  }
  return (name) => lines.get(name) ?? null;
}

/** The value when it is an object with keys; an empty one otherwise. */
export function table(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** The strings of a list; a lone string counts as a list of one. */
export function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** A text that says something, or undefined. */
export function words(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Drops what nobody wrote down. */
export function described(description: { [K in keyof Description]: Description[K] | undefined }): Description {
  return Object.fromEntries(Object.entries(description).filter(([, value]) => value !== undefined && value.length > 0));
}

import type { GraphNode } from '../model/graph.ts';

/** By code point: the same everywhere. */
export const byCode = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Four digits are enough for a share; null where there is no whole. */
export const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 1e4) / 1e4);

/** A node's property that is text; null when it is none. */
export const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** A node's property that is a number; null when it is none. */
export const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);

/** The languages of a repository's node, the one with the most bytes first. */
export function languagesOf({ properties }: GraphNode): { language: string; files: number; bytes: number }[] {
  return Object.entries(recordOf(properties['languages']))
    .map(([language, counts]) => {
      const { files, bytes } = recordOf(counts);
      return { language, files: numberOf(files) ?? 0, bytes: numberOf(bytes) ?? 0 };
    })
    .sort((a, b) => b.bytes - a.bytes || byCode(a.language, b.language));
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

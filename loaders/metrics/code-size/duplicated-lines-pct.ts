import { readLineHashes } from '../line-hashes.ts';
import type { MeasuredFile, MetricSource } from '../metric.ts';
import { productionOf } from './production.ts';

/** Fewer lines in a row are no clone. */
const windowLines = 6;

/** The lines with code of one file: their hashes and numbers. */
interface Lines {
  hashes: Uint32Array;
  numbers: Uint32Array;
}

/**
 * Lines of production code inside any run of six or more consecutive lines, white space and comments aside, that occurs at least twice
 * in one language (SIG; Sonar duplicated_lines). `blocks`: maximal runs; `files`: those that have one.
 */
export const duplicatedLines: MetricSource = {
  id: 'duplicated_lines_pct',
  version: 5,
  measure(input) {
    const { files, code: total } = productionOf(input.files);
    if (total === 0) return { value: null, reason: 'no_source_code' };
    const repeated = repeatedKeys(files);
    const blocks: { path: string; line: number; lines: number; first: string }[] = [];
    const firstAt = new Map<number, string>();
    let duplicated = 0;
    let filesWith = 0;
    for (const file of files) {
      const { hashes, numbers } = linesOf(file);
      let end = -1;
      let open: { line: number; lines: number; first: string } | null = null;
      let found = 0;
      const close = () => {
        if (open) blocks.push({ path: file.path, ...open });
        open = null;
      };
      eachKey(hashes, file.language, (key, start) => {
        if (!repeated.has(key)) return;
        const place = `${file.path}:${numbers[start]}`;
        const first = firstAt.get(key) ?? place;
        firstAt.set(key, first);
        if (start > end) {
          close();
          open = { line: numbers[start] ?? 0, lines: 0, first };
        }
        const fresh = start + windowLines - 1 - Math.max(end, start - 1);
        if (open) open.lines += fresh;
        found += fresh;
        end = start + windowLines - 1;
      });
      close();
      duplicated += found;
      if (found > 0) filesWith += 1;
    }
    return {
      // What is one thing written many times may be more than the rest.
      value: Math.min(100, (100 * duplicated) / total),
      numerator: Math.min(duplicated, total),
      denominator: total,
      evidence: blocks
        .toSorted((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1) || a.line - b.line)
        .map(({ path, line, lines, first }) => ({
          path,
          line,
          note: first === `${path}:${line}` ? `${lines} lines, repeated elsewhere` : `${lines} lines, as at ${first}`,
        })),
      quantities: { blocks: blocks.length, files: filesWith },
    };
  },
};

function linesOf({ measures }: MeasuredFile): Lines {
  const hashes = readLineHashes(measures.lineHashes);
  const numbers = new Uint32Array(hashes.length);
  let count = 0;
  for (let index = 0; index < hashes.length; index += 1) {
    const hash = hashes[index] ?? 0;
    if (hash === 0) continue;
    hashes[count] = hash;
    numbers[count++] = index + 1;
  }
  return { hashes: hashes.subarray(0, count), numbers: numbers.subarray(0, count) };
}

/** Keys of windows that occur more than once: sorted, so that memory is eight bytes a line. */
function repeatedKeys(files: readonly MeasuredFile[]): Set<number> {
  const most = files.reduce((sum, { measures }) => sum + measures.code, 0);
  let keys = new Float64Array(most);
  let at = 0;
  for (const file of files) eachKey(linesOf(file).hashes, file.language, (key) => (keys[at++] = key));
  keys = keys.subarray(0, at).sort();
  const repeated = new Set<number>();
  for (let index = 1; index < keys.length; index += 1)
    if (keys[index] === keys[index - 1]) repeated.add(keys[index] ?? 0);
  return repeated;
}

/** A key of 52 bits for each window: two hashes of its lines' hashes, and of the language. */
function eachKey(hashes: Uint32Array, language: string, use: (key: number, start: number) => void): void {
  let seed = 0;
  for (const char of language) seed = Math.imul(seed ^ (char.codePointAt(0) ?? 0), 0x01000193);
  for (let start = 0; start + windowLines <= hashes.length; start += 1) {
    let low = seed ^ 0x811c9dc5;
    let high = seed ^ 0x2545f491;
    for (let offset = 0; offset < windowLines; offset += 1) {
      const hash = hashes[start + offset] ?? 0;
      low = Math.imul(low ^ hash, 0x01000193);
      high = Math.imul(high ^ (hash >>> 7) ^ (hash << 11), 0x85ebca6b);
    }
    use((high >>> 12) * 2 ** 32 + (low >>> 0), start);
  }
}

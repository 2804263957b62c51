import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path/posix';
import type { Skipped } from '../../src/model/snapshot.ts';
import { generatedContent } from './linguist/generated.ts';

const headBytes = 8_192;
const minifiable = new Set(['.js', '.mjs', '.cjs', '.css']);
/** Linguist's bound for the average line, and a size below which one long line is no sign of a tool. */
const minified = { averageLine: 110, fromBytes: 1_000 };

/** Why a file that was read is not worth parsing, by its content; null when it is. */
export function inspect(path: string, content: Uint8Array): Skipped['reason'] | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (hasUtf16Mark(bytes)) return 'not_utf8';
  if (bytes.subarray(0, headBytes).includes(0)) return 'binary';
  if (!isUtf8(bytes)) return 'not_utf8';
  const extension = extname(path);
  if (minifiable.has(extension.toLowerCase())) {
    const lines = countLines(bytes);
    if (bytes.length >= minified.fromBytes && bytes.length / lines > minified.averageLine) return 'minified';
    if (/^(\/[*/][#@] source(Mapping)?URL=|.*\bsourceURL=)/m.test(lastLines(bytes))) return 'generated';
  }
  return isGenerated(extension, bytes) ? 'generated' : null;
}

function isGenerated(extension: string, bytes: Buffer): boolean {
  const rules = generatedContent.filter((rule) => rule.extensions.includes(extension));
  if (rules.length === 0) return false;
  const lines = bytes.toString('utf8', 0, headBytes).split('\n');
  return rules.some(({ lines: [from, to], pattern }) => lines.slice(from, to).some((line) => pattern.test(line)));
}

function countLines(bytes: Buffer): number {
  let lines = 1;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}

function lastLines(bytes: Buffer): string {
  return bytes
    .toString('utf8', Math.max(0, bytes.length - 1_024))
    .split('\n')
    .slice(-2)
    .join('\n');
}

function hasUtf16Mark(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyze } from '../../loaders/analyze.ts';
import type { Language } from '../../loaders/languages/language.ts';
import { withCpuTime } from './cpu-time.ts';
import { temporaryFolder } from './git-repository.ts';
import { superLinearCosts } from './hostile-fillings.ts';

/** What stands again and again in a source, and what closes it as often; each is an old way to make a parser go back or in. */
export const hostileUnits: readonly (readonly [open: string, close: string])[] = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['(', ''],
  ['[', ''],
  ['{', ''],
  ['f(', ')'],
  ['a.', 'a'],
  ['a + ', 'a'],
  ['a ? ', ': a'],
  ['a, ', ''],
  ['() => ', 'a'],
  ['A<', '>'],
  ['A<', ''],
  ['if (a) {\n', '}\n'],
  ['if a:\n', ''],
  ['"', ''],
  ["'", ''],
  ['`', ''],
  ['"\n', ''],
  ["'\n", ''],
  ['"${', '}"'],
  ['`${', '}`'],
  ['\\', ''],
  ['/*', ''],
  ['/* */', ''],
  ['# a\n', ''],
  ['<<A\n', ''],
  ['@a ', ''],
  ['!', 'a'],
  ['\n', ''],
  ['a\n', ''],
  ['class A { ', '}'],
  ['x', ''],
];

/**
 * How often a unit stands is a multiple of it. Scanners of grammars count marks in a byte: C#'s takes other ways for 64, 128 and 0 quotes
 * left over, of which one costs three times the other, and each in proportion to the size.
 */
const countedInByte = 256;

/** May be spent on a file that is left out: the thread's time, once with others and once alone. */
const maxSecondsOfSkipped = 180;

/**
 * Whether a source of this language that is nothing but this unit costs too much when it is twice as long; null where it does not, or
 * where the file is left out by name within its time.
 */
export async function superLinearSource(
  language: Language,
  [open, close]: readonly [string, string],
): Promise<string | null> {
  const path = `a${language.extensions[0]}`;
  let problem: string | null = null;
  const costs = await superLinearCosts(async (bytes) => {
    const times = Math.floor(bytes / (open.length + close.length) / countedInByte) * countedInByte;
    const folder = temporaryFolder();
    try {
      writeFileSync(
        join(folder, path),
        `${language.id === 'php' ? '<?php\n' : ''}${open.repeat(times)}${close.repeat(times)}\n`,
      );
      writeFileSync(join(folder, 'other.c'), 'int x;\n');
      const { value: isRead, ms } = await withCpuTime(async () => {
        const { snapshot, close: done } = await analyze(folder);
        const isSkipped = snapshot.repository.skipped.some((skipped) => skipped.path === path);
        done();
        return !isSkipped;
      });
      if (!isRead && ms > maxSecondsOfSkipped * 1_000) problem = `left out after ${ms / 1_000} s`;
      return isRead ? ms : null;
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  const found = problem ?? costs;
  return found && `${language.id}: ${JSON.stringify(open)}, ${JSON.stringify(close)}: ${found}`;
}

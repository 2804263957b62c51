import { resolve } from 'node:path';
// Only the two settings that a question needs, and all others where they matter: in the process that answers.
import { argv, cwd, env, stderr, stdout } from 'node:process';
import { plainLines } from '../model/plain.ts';
import { holderOf } from '../stores/data-folder-holder.ts';
import { callControl } from './call-control.ts';
import type { Io } from './io.ts';
import { isQuestion } from './questions.ts';

/**
 * Answers a question where a process has the data folder open already, and loads little for it: agents ask often. False where there is
 * none, or the question is no good: then `main.ts` does it, or says what is wrong.
 */
export async function quick(): Promise<boolean> {
  if (!isQuestion(argv[2])) return false;
  const { control } = (await holderOf(resolve(env['DATA_DIR'] || './data'))) ?? {};
  if (!control) return false;
  const io: Io = {
    out: (text) => void stdout.write(text),
    say: (text) => void stderr.write(`${plainLines(text)}\n`),
    progress: () => {},
    done: () => {},
  };
  const organization = env['RIS_ORGANIZATION'] || undefined;
  try {
    // Read where the answer is made: who asks often shall not load each time what reads a command line.
    const words = { words: argv.slice(2), folder: cwd(), organization };
    const exitCode = (await callControl(control, 'words', words, io)) as number | null;
    if (exitCode !== null) process.exitCode = exitCode;
    return exitCode !== null;
  } catch (error) {
    if (isGone(error)) return false;
    io.say(`repo-intel: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    return true;
  }
}

const isGone = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

import { resolve } from 'node:path';
// Only the settings that a question needs, and all others where they matter: in the process that answers.
import { argv, cwd, env, stderr, stdout } from 'node:process';
import { plainLines } from '../model/plain.ts';
import { holderOf } from '../stores/data-folder-holder.ts';
import { callControl } from './call-control.ts';
import type { Io } from './io.ts';
import { isQuestion } from './questions.ts';

/**
 * Has a question answered by the process that has the data folder open, and loads little for it: agents ask often. Where there is none
 * it is started, and becomes that process here (`stay`). False where the question is no good, or another command is meant: then
 * `main.ts` does it, or says what is wrong.
 */
export async function quick(): Promise<boolean> {
  try {
    if (argv[2] === 'stay' && argv.length === 3) {
      const { stayHere } = await import('./stay.ts');
      await stayHere();
      return true;
    }
    if (!isQuestion(argv[2])) return false;
    const folder = resolve(env['DATA_DIR'] || './data');
    // Read where the answer is made: who asks often shall not load each time what reads a command line.
    const words = { words: argv.slice(2), folder: cwd(), organization: env['RIS_ORGANIZATION'] || undefined };
    const asked = (await asksHolder(folder, words)) ?? (await asksStarted(folder, words));
    if (typeof asked === 'number') process.exitCode = asked;
    return asked !== null;
  } catch (error) {
    stderr.write(`${plainLines(`repo-intel: ${error instanceof Error ? error.message : String(error)}`)}\n`);
    process.exitCode = 1;
    return true;
  }
}

/** The exit code; null where nobody has the folder, or the question is no good. */
async function asksHolder(folder: string, words: object): Promise<unknown> {
  const { control } = (await holderOf(folder)) ?? {};
  if (!control) return null;
  const io: Io = {
    out: (text) => void stdout.write(text),
    say: (text) => void stderr.write(`${plainLines(text)}\n`),
    progress: () => {},
    done: () => {},
  };
  try {
    return await callControl(control, 'words', words, io);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** Likewise, of a process that is started for it; not for what is no question, nor where the database is on a server. */
async function asksStarted(folder: string, words: object): Promise<unknown> {
  const [first = '-'] = argv.slice(3);
  if (first.startsWith('-') || env['DATABASE_URL']) return null;
  const [{ askFolder }, { terminalIo }] = await Promise.all([import('./ask-holder.ts'), import('./io.ts')]);
  const io = terminalIo();
  try {
    return await askFolder(folder, 'words', words, io);
  } finally {
    io.done();
  }
}

const isGone = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

import { resolve } from 'node:path';
// Only the two settings that a question needs, and all others where they matter: in the process that answers.
import { argv, env, stderr, stdout } from 'node:process';
import { Command, CommanderError } from 'commander';
import { plainLines } from '../model/plain.ts';
import { holderOf } from '../stores/data-folder-holder.ts';
import { askCommands, isQuestion } from './ask.ts';
import { callControl } from './call-control.ts';
import type { Io } from './io.ts';

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
  const silent = { writeOut: () => {}, writeErr: () => {} };
  const program = new Command().exitOverride().configureOutput(silent);
  const ask = async (question: unknown) => (await callControl(control, 'ask', question, io)) as number;
  for (const command of askCommands({ organization: env['RIS_ORGANIZATION'] || undefined }, ask))
    program.addCommand(command.exitOverride().configureOutput(silent));
  try {
    await program.parseAsync();
    return true;
  } catch (error) {
    if (error instanceof CommanderError || isGone(error)) return false;
    io.say(`repo-intel: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    return true;
  }
}

const isGone = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { answerQuestion, questionSchema } from './answer-question.ts';
import type { Question } from './answer-question.ts';
import { askCommands } from './ask.ts';
import type { Io } from './io.ts';
import type { OpenService } from './store-command.ts';

/** A question as it was typed in a folder. */
export const wordsSchema = z.object({
  words: z.array(z.string()),
  folder: z.string(),
  organization: z.string().optional(),
});

/** Reads it here, where what reads it is loaded already, and answers; null where it is no good, which who asked can say better. */
export async function answerWords(
  service: OpenService,
  { words, ...from }: z.output<typeof wordsSchema>,
  io: Io,
): Promise<number | null> {
  let question: Question | null = null;
  const silent = { writeOut: () => {}, writeErr: () => {} };
  const program = new Command().exitOverride().configureOutput(silent);
  for (const command of askCommands(from, async (read) => void (question = read)))
    program.addCommand(command.exitOverride().configureOutput(silent));
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return null;
    throw error;
  }
  return question && answerQuestion(service, questionSchema.parse(question), io);
}

import { z } from 'zod';

const count = z.int().min(0);

/** A text of an attempt, maybe without its middle or its end. */
export const keptTextSchema = z
  .object({
    text: z.string().meta({ description: 'What is kept of it, from its beginning, its end or both.' }),
    cut: z
      .object({
        bytes: count.meta({ description: 'So many are left out.' }),
        after_line: count.meta({ description: 'After this line of the text; 0 where even its first line is cut.' }),
      })
      .nullable()
      .meta({ description: 'What is left out of it; null where it is whole.' }),
  })
  .meta({ id: 'KeptText' });
export type KeptText = z.infer<typeof keptTextSchema>;

const namesSchema = z
  .object({
    total: count.meta({ description: 'All of them.' }),
    names: z.array(z.string()).meta({ description: 'The first thousand.' }),
  })
  .meta({ id: 'TestNames' });
export type TestNames = z.infer<typeof namesSchema>;

const sortedSchema = z.object({ passed: namesSchema, failed: namesSchema });

/** What became of the tests that count, by what they must do. */
export const attemptTestsSchema = z
  .object({
    fail_to_pass: sortedSchema.meta({ description: 'Those that only a solution lets pass.' }),
    pass_to_pass: sortedSchema.meta({ description: 'Those that passed before and must go on to.' }),
  })
  .meta({ id: 'AttemptTests' });
export type AttemptTests = z.infer<typeof attemptTestsSchema>;

/** What an attempt answered, and what was seen of it. */
export const evaluationAttemptSchema = z.object({
  instance_id: z.string().min(1),
  /** As it was answered; null where nothing was. */
  patch: keptTextSchema.nullable(),
  /** Null where no test was run. */
  tests: attemptTestsSchema.nullable(),
  /** What the tests printed; null where none was run. */
  log: keptTextSchema.nullable(),
  /** What the agent wrote of what it did; null where it wrote nothing. */
  trajectory: keptTextSchema.nullable(),
});
export type EvaluationAttempt = z.infer<typeof evaluationAttemptSchema>;

const maxNames = 1_000;

export const namesOf = (names: readonly string[]): TestNames => ({
  total: names.length,
  names: names.slice(0, maxNames),
});

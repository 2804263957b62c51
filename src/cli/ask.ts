import { Command, InvalidArgumentError } from 'commander';
import type { Question } from './answer-question.ts';

/** Asks whoever holds the data. */
type AskHolder = (question: Question) => Promise<void>;

interface Declared {
  description: string;
  words: string;
  example: string;
  options?: (command: Command) => unknown;
}

const name = 'a function or class by its name (`run`, `App.run`), or FILE#NAME where several are called so';

const questions: Record<Question['question'], Declared> = {
  search: {
    description: 'find functions, classes, constants, endpoints, files and people, best first',
    words: '<words...>',
    example: 'search parse url',
  },
  callers: { description: `who calls ${name}`, words: '<name>', example: 'callers App.run' },
  callees: { description: `what is called by ${name}`, words: '<name>', example: 'callees src/app.py#App.run' },
  impact: {
    description: `everything that a change of this would reach: ${name}`,
    words: '<name>',
    example: 'impact --depth 2 App.run',
    options: (command) => command.option('--depth <edges>', 'at most so far away (default: 3)', number(10)),
  },
  path: {
    description: 'the shortest way from one function or class to another',
    words: '<from> <to>',
    example: 'path main App.run',
  },
  source: {
    description: 'the source of a function or class, or of a file or lines of it',
    words: '<name>',
    example: 'source src/app.py:10-40',
  },
  query: {
    description: 'any question to the graph of all that is loaded, in read-only openCypher (docs/graph-queries.md)',
    words: '<query>',
    example: 'query "MATCH (f:Function) WHERE NOT ()-[:CALLS]->(f) RETURN f.id LIMIT 20"',
  },
  dd: {
    description: 'due diligence: grades, key risks and what to do first',
    words: '[repository]',
    example: 'dd',
  },
};

/** The questions about what is loaded, a command each, asked in a folder. */
export function askCommands(
  { folder, organization }: { folder: string; organization?: string | undefined },
  ask: AskHolder,
): Command[] {
  return Object.entries(questions).map(([question, { description, words, example, options }]) => {
    const command = new Command(question)
      .description(description)
      .arguments(words)
      .option('--repo <name>', 'of this repository (default: the one you stand in, loaded and refreshed first)')
      .option('--all', 'over all repositories that are loaded')
      .option('--working-tree', 'as it lies here, with what is not committed yet (the default)', true)
      .option('--no-working-tree', 'as it was last committed')
      .option('--limit <count>', 'at most so many', number(50))
      .option(
        '--organization <slug>',
        'whose repositories (default: RIS_ORGANIZATION, else `default`, or the only one)',
      )
      .option('--json', "the API's own answer on stdout; { ambiguous } where several are called so")
      .addHelpText(
        'after',
        `\nExample:\n  $ repo-intel ${example}\n\nNo login and no service are needed: a process in the background has the data folder open, and ends when nothing was\nasked for ten minutes (at once: repo-intel stop). What is not\ncommitted yet counts for whoever stands here alone, files that git ignores excepted. It exits with 1 where there is no answer, or more than one is meant.`,
      );
    options?.(command);
    return command.action(async (...given: unknown[]) => {
      const { repo: repository, ...flags } = command.opts<Record<string, never>>();
      await ask({
        question: question as Question['question'],
        words: given.slice(0, -2).flatMap((word) => (word === undefined ? [] : (word as string | string[]))),
        folder,
        ...(organization === undefined ? {} : { organization }),
        ...(repository === undefined ? {} : { repository }),
        ...flags,
      });
    });
  });
}

const number = (most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d{1,3}$/.test(text) || value < 1 || value > most)
    throw new InvalidArgumentError(`must be a whole number from 1 to ${most}`);
  return value;
};

import { Command } from 'commander';
import { uuidv7 } from 'uuidv7';
import type { Prediction } from '../../loaders/task-instances/read-predictions.ts';
import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import type { TaskInstance } from '../model/task-instance.ts';
import {
  datasetOf,
  evaluateAs,
  keepAndPrint,
  runFlags,
  runnableOf,
  sourcesOf,
  wholeNumber,
} from './benchmark-tasks.ts';
import type { ResultFlags } from './benchmark-tasks.ts';
import { interrupted } from './interrupted.ts';
import type { Io } from './io.ts';
import { openSuiteRunner, sandboxFlags } from './suite-runner.ts';
import type { SandboxFlags } from './suite-runner.ts';

interface Options extends SandboxFlags, ResultFlags {
  predictions: string;
  timeout?: number;
  retryP2p?: boolean;
}

export function benchmarkEvaluateCommand(config: Config, io: Io): Command {
  const command = new Command('evaluate')
    .description('run the tests of tasks on what models answered, and say how many are solved')
    .requiredOption(
      '--predictions <file>',
      'JSON or JSON lines of SWE-bench and its relatives; gold: the fixes themselves; empty: no patch at all',
    )
    .option('--timeout <seconds>', 'for one run of the tests (default: the task’s own)', wholeNumber)
    .option('--resume', 'take what earlier evaluations of the same patches said')
    .option('--retry-p2p', 'run the tests once more where all that fails passed before')
    .option('-o, --output <folder>', 'for logs and reports (default: benchmark in the data folder)')
    .option('--json', 'the summary of each model as a JSON line')
    .addHelpText('after', examples)
    .action(async (options: Options) => {
      const instances = await datasetOf(config, io, options);
      const result = await run(config, io, instances, options);
      await keepAndPrint(config, io, options, instances, [result]);
      for (const report of result.reports) io.say(`Written: ${report}`);
    });
  return sandboxFlags(runFlags(command, config));
}

async function run(config: Config, io: Io, instances: readonly TaskInstance[], options: Options) {
  const chosen = runnableOf(io, instances, options);
  const predictions = await predictionsOf(options.predictions, instances, chosen);
  return evaluateAs(config, io, options, {
    runId: options.runId ?? uuidv7(),
    instances: chosen,
    predictions,
    runner: await openSuiteRunner(config, options, (sentence) => io.say(sentence)),
    checkout: await sourcesOf(config, io, instances, new Set(predictions.map(({ instance_id: id }) => id)), options),
    timeoutSeconds: options.timeout,
    retryPassToPass: options.retryP2p,
    runEmpty: options.predictions === 'empty',
    signal: interrupted(io, 'Interrupted. With --resume it goes on where it was.'),
  });
}

/** For the tasks chosen; the others may have some, what is in no dataset may not. */
async function predictionsOf(
  source: string,
  instances: readonly TaskInstance[],
  chosen: readonly TaskInstance[],
): Promise<Prediction[]> {
  if (source === 'gold' || source === 'empty')
    return chosen.map(({ instance_id, patch }) => ({
      instance_id,
      model: source,
      patch: source === 'gold' ? patch : null,
    }));
  const { PredictionsError, readPredictions } = await import('../../loaders/task-instances/read-predictions.ts');
  const idsOf = (some: readonly TaskInstance[]) => new Set(some.map(({ instance_id: id }) => id));
  try {
    const ids = idsOf(chosen);
    return (await readPredictions(source, idsOf(instances))).filter(({ instance_id: id }) => ids.has(id));
  } catch (error) {
    if (error instanceof PredictionsError) throw new ConfigError(error.message);
    throw error;
  }
}

const examples = `
Predictions are in the form of SWE-bench, {"instance_id", "model_name_or_path", "model_patch"}, as JSON lines, a list, or an
object by id; those of SWE-agent, SWE-bench-Live, Multi-SWE-bench and SWE-bench Pro are read too. A patch loses what it has no
right to change: tests, and what controls how they are run. A task is solved when all of its tests pass.

Examples:
  $ repo-intel benchmark evaluate --predictions preds.jsonl --run-id coder-1
  $ repo-intel benchmark evaluate --predictions gold          # are the tasks sound? all must be solved
  $ repo-intel benchmark evaluate --predictions preds.json --dataset tasks.jsonl --repository acme/payments=~/src/payments`;

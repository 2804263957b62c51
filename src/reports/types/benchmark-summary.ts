import { z } from 'zod';
import type { EvaluationRun } from '../../model/evaluation-run.ts';
import { difficultySchema } from '../../model/task-instance.ts';
import { reportType } from '../report-type.ts';

/** Asked for at once. */
const pageSize = 500;
/** The most runs in a report; there is room for the last ones. */
const maxRuns = 10_000;

/** How models did on the task instances, and how many there are. */
export const benchmarkSummary = reportType({
  id: 'benchmark_summary',
  name: 'Benchmark summary',
  summary: 'How models did on the task instances of your repositories.',
  parameters: z.strictObject({}),
  sources: ['task_instances', 'evaluation_runs'],
  async build({ sources: { task_instances: instances, evaluation_runs: evaluations }, onProgress }) {
    const held: { difficulty: string; instances: number }[] = [];
    for (const difficulty of difficultySchema.options) {
      const { total } = await instances.list({ difficulty, offset: 0, limit: 1 });
      held.push({ difficulty, instances: total });
    }
    const runs: EvaluationRun[] = [];
    for (let offset = 0, total = 1; offset < Math.min(total, maxRuns); offset += pageSize) {
      const page = await evaluations.list({ offset, limit: pageSize });
      ({ total } = page);
      runs.push(...page.items);
      onProgress(Math.min(1, (offset + pageSize) / total));
    }
    return {
      title: 'Benchmark summary',
      sections: {
        tasks: {
          title: 'Task instances',
          notes: ['The difficulty is estimated from the size of the fix.'],
          columns: { difficulty: 'Difficulty', instances: 'Instances' },
          rows: held,
        },
        runs: {
          title: 'Evaluation runs',
          notes: ['The newest first. No prediction leaves the denominator: failed ones count as unsolved.'],
          columns: {
            timestamp: 'Ended at',
            model: 'Model',
            dataset: 'Dataset',
            run_id: 'Run',
            evaluated: 'Evaluated',
            solved: 'Solved',
            solve_rate: 'Solve rate',
            total: 'Instances in the dataset',
            solve_rate_total: 'Solve rate of the dataset',
            uncontrolled: 'Solved by the word of tests alone',
            infra_suspected: 'Maybe failed by the machine',
          },
          rows: runs.map((run) => ({
            timestamp: run.timestamp,
            model: run.model,
            dataset: run.dataset,
            run_id: run.run_id,
            evaluated: run.evaluated,
            solved: run.solved,
            solve_rate: run.solve_rate,
            total: run.total,
            solve_rate_total: run.solve_rate_total,
            uncontrolled: run.uncontrolled,
            infra_suspected: run.infra_suspected,
          })),
        },
      },
    };
  },
});

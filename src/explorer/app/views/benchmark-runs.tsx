import type { EvaluationResults } from '../../../benchmark/evaluation-results.ts';
import { DotsOverTime } from '../charts/dots-over-time.tsx';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import { statusWords } from './benchmark-outcomes.tsx';
import type { ViewProps } from './index.ts';

type Run = EvaluationResults['items'][number];

/** What models reached, over time: a line each, all on one scale, so that they can be compared. */
export function BenchmarkRuns({ api }: ViewProps) {
  const asked = useAnswer<EvaluationResults>(api, '/api/benchmark/eval-results', { page_size: 100 });
  return (
    <Answered asked={asked} lines={20}>
      {({ items, total }) =>
        total === 0 ? (
          <Empty title="No model was evaluated yet">
            <p>
              <code>repo-intel benchmark evaluate --predictions FILE</code> does it.
            </p>
          </Empty>
        ) : (
          <>
            <p class="quiet">
              The share of predictions that solve their task; nothing leaves the denominator, whatever became of it.
              {items.length < total && ` The last ${items.length} of ${format.whole(total)} runs.`}
            </p>
            <Models runs={items} />
            <h2>Runs</h2>
            <Table
              caption="Evaluation runs, the newest first"
              columns={columns}
              rows={items}
              keyOf={({ run_id: id, model }) => `${id} ${model}`}
            />
          </>
        )
      }
    </Answered>
  );
}

function Models({ runs }: { runs: readonly Run[] }) {
  const times = runs.map(({ timestamp }) => Date.parse(timestamp));
  const span = { from: Math.min(...times), to: Math.max(...times) };
  const [first, last] = [runs.at(-1)?.timestamp, runs[0]?.timestamp];
  const models = Array.from(
    Map.groupBy(runs, ({ model }) => model),
    ([model, own]) => ({
      model,
      // The oldest first.
      own: own.toReversed(),
      reached: own[0]?.solve_rate ?? 0,
    }),
  ).toSorted((a, b) => b.reached - a.reached || (a.model < b.model ? -1 : 1));
  return (
    <>
      <ul class="small-multiples">
        {models.map(({ model, own, reached }) => (
          <li key={model}>
            <span>{model}</span>
            <DotsOverTime
              span={span}
              points={own.map(({ timestamp, solve_rate: rate, solved, evaluated, run_id: id }) => ({
                at: Date.parse(timestamp),
                share: rate,
                says: `${format.day(timestamp)}, ${id}: ${solved} of ${evaluated}, ${format.share(rate)}`,
              }))}
              label={`${model}: ${own.map(({ solve_rate: rate, timestamp }) => `${format.share(rate)} on ${format.day(timestamp)}`).join(', ')}`}
            />
            <span class="end">{format.share(reached)}</span>
          </li>
        ))}
      </ul>
      <p class="quiet">
        From {format.day(first)} to {format.day(last)}; the lines are at 0, 50 and 100 %.
      </p>
    </>
  );
}

const columns: Column<Run>[] = [
  {
    id: 'when',
    title: 'When',
    value: ({ timestamp }) => timestamp,
    cell: ({ timestamp }) => <span class="nowrap">{format.day(timestamp)}</span>,
  },
  { id: 'model', title: 'Model', isHead: true, cell: ({ model }) => model },
  {
    id: 'run',
    title: 'Run',
    value: ({ run_id: id }) => id,
    cell: ({ run_id: id, model }) => (
      <a href={hrefOf('benchmark', { part: 'outcomes', run: id, model })}>
        <code>{id}</code>
      </a>
    ),
  },
  { id: 'dataset', title: 'Dataset', cell: ({ dataset }) => dataset },
  {
    id: 'solved',
    title: 'Solved',
    align: 'end',
    cell: ({ solved, evaluated, solve_rate: rate }) => (
      <span class="nowrap">
        {format.whole(solved)} of {format.whole(evaluated)}, {format.share(rate)}
      </span>
    ),
  },
  { id: 'total', title: 'Of all tasks', align: 'end', cell: ({ solve_rate_total: rate }) => format.share(rate) },
  {
    id: 'others',
    title: 'The others',
    cell: ({ counts }) =>
      (Object.entries(statusWords) as [keyof Run['counts'], string][])
        .filter(([status]) => status !== 'resolved' && counts[status] > 0)
        .map(([status, words]) => `${counts[status]} ${words}`)
        .join(', '),
  },
];

import type { EvaluationOutcomes } from '../../../benchmark/evaluation-results.ts';
import type { Api } from '../api.ts';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { Pages } from '../components/pages.tsx';
import { Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import type { Query } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import type { ViewProps } from './index.ts';

type Outcome = EvaluationOutcomes['items'][number];

const pageSize = 50;

export const statusWords: Record<Outcome['status'], string> = {
  resolved: 'solved',
  unresolved: 'not solved',
  suspicious: 'suspicious',
  empty_patch: 'no patch',
  patch_failed: 'patch does not apply',
  timeout: 'timed out',
  error: 'machine failed',
};

/** What became of each task in one run of a model, why, and where its logs are. */
export function BenchmarkOutcomes({ api, query, navigate }: ViewProps) {
  const run = query.get('run') ?? '';
  const filter = { model: query.get('model'), status: query.get('status') };
  const page = Number(query.get('page') ?? 1);
  const path = `/api/benchmark/eval-results/${encodeURIComponent(run)}/outcomes` as const;
  const asked = useAnswer<EvaluationOutcomes>(api, path, { ...filter, page, page_size: pageSize });
  const here = { part: 'outcomes', run, ...filter };
  return (
    <>
      <p>
        <a href={hrefOf('benchmark', { part: 'runs' })}>All runs</a>
      </p>
      <h2>
        Run <code>{run}</code>
        {filter.model !== null && <bdi>, {filter.model}</bdi>}
      </h2>
      <label class="row">
        Outcome
        <select
          value={filter.status ?? ''}
          onChange={({ currentTarget }) => navigate({ query: { ...here, status: currentTarget.value } })}
        >
          <option value="">All</option>
          {Object.entries(statusWords).map(([status, words]) => (
            <option key={status} value={status}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <Answered asked={asked} lines={16}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title="No outcome is like that">
              <p>Runs that were kept before outcomes were told by task have none.</p>
            </Empty>
          ) : (
            <>
              <p class="quiet" role="status">
                {format.count(total, 'attempt')}
              </p>
              <Table
                caption={`Outcomes of run ${run}`}
                columns={columnsOf(run)}
                rows={items}
                all={() => allOutcomes(api, path, filter)}
                keyOf={({ model, instance_id: id }) => `${model} ${id}`}
              />
              <Pages
                page={page}
                pages={Math.ceil(total / pageSize)}
                hrefOf={(to) => hrefOf('benchmark', { ...here, page: to })}
                label="Pages of outcomes"
              />
            </>
          )
        }
      </Answered>
    </>
  );
}

async function allOutcomes(api: Api, path: `/${string}`, filter: Query): Promise<Outcome[]> {
  const all: Outcome[] = [];
  for (let page = 1; ; page++) {
    const { items, total } = await api.get<EvaluationOutcomes>(path, { ...filter, page, page_size: 100 });
    all.push(...items);
    if (items.length === 0 || all.length >= total) return all;
  }
}

const columnsOf = (run: string): Column<Outcome>[] => [
  {
    id: 'task',
    title: 'Task',
    isHead: true,
    cell: ({ instance_id: task, model }) => <a href={hrefOf('attempt', { run, model, task })}>{task}</a>,
  },
  { id: 'model', title: 'Model', cell: ({ model }) => <bdi>{model}</bdi> },
  { id: 'difficulty', title: 'Difficulty', cell: ({ difficulty }) => <span class="nowrap">{difficulty}</span> },
  {
    id: 'status',
    title: 'Outcome',
    cell: ({ status }) => (status === 'resolved' ? <strong>{statusWords[status]}</strong> : statusWords[status]),
  },
  {
    id: 'why',
    title: 'Why',
    cell: ({ problem, infra, dropped_paths: dropped }) => (
      <>
        {problem ?? infra}
        {dropped.length > 0 && <span class="quiet"> Left out of its patch: {dropped.join(', ')}</span>}
      </>
    ),
  },
  { id: 'logs', title: 'Logs', cell: ({ logs }) => <code>{logs}</code> },
];

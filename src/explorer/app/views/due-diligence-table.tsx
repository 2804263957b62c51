import { useMemo, useState } from 'preact/hooks';
import type { PortfolioSummary } from '../../../due-diligence/executive.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { Empty } from '../components/empty.tsx';
import { Grade } from '../components/grade.tsx';
import { More } from '../components/more.tsx';
import { Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';
import { format, unknown } from '../format.ts';
import { hrefOf } from '../router.ts';
import type { Navigate } from '../router.ts';
import { hours, titleOf } from '../words.ts';

type Repository = PortfolioSummary['repositories'][number];

/** A column by which the table can be sorted. */
type Figure = Column<Repository> & { by: (row: Repository) => string | number | null };

/** So many are drawn before one comes to them: all of a large portfolio would take too long with each letter typed. */
const rowsAtOnce = 60;

const grades = ['A', 'B', 'C', 'D', 'E', null] as const;

/** Every repository in a row: sorted by any column, narrowed by name and grade, two of them picked to be compared. */
export function DueDiligenceTable({
  repositories,
  query,
  navigate,
}: {
  repositories: readonly Repository[];
  query: URLSearchParams;
  navigate: Navigate;
}) {
  const state = {
    q: query.get('q'),
    grade: query.get('grade'),
    sort: query.get('sort'),
    order: query.get('order'),
    a: query.get('a'),
    b: query.get('b'),
  };
  const go = (change: Partial<typeof state>) => navigate({ query: { ...state, ...change }, replace: true });
  const [most, setMost] = useState(rowsAtOnce);
  const columns = useMemo(figuresOf, []);
  const sorted = columns.find(({ id }) => id === state.sort) ?? columns[1];
  const order = state.order === 'asc' ? 'asc' : 'desc';
  const rows = useMemo(() => {
    const name = (state.q ?? '').toLowerCase();
    const shown = repositories.filter(
      ({ repo, grade }) =>
        repo.toLowerCase().includes(name) && (state.grade === null || (grade ?? 'none') === state.grade),
    );
    return sorted === undefined ? shown : shown.toSorted(comparing(sorted.by, order === 'asc' ? 1 : -1));
  }, [repositories, state.q, state.grade, sorted, order]);
  const pick = (repo: string, isPicked: boolean) => {
    if (!isPicked) go(state.a === repo ? { a: state.b, b: null } : { b: null });
    else if (state.a === null) go({ a: repo });
    else go({ b: repo });
  };
  const picking: Column<Repository> = {
    id: 'pick',
    title: 'Compare',
    value: null,
    cell: ({ repo }) => (
      <input
        type="checkbox"
        aria-label={`Compare ${repo}`}
        checked={repo === state.a || repo === state.b}
        onChange={({ currentTarget }) => pick(repo, currentTarget.checked)}
      />
    ),
  };
  return (
    <section class="portfolio" aria-label="Repositories">
      <div class="row controls">
        <label>
          Filter by name{' '}
          <input type="search" value={state.q ?? ''} onInput={({ currentTarget }) => go({ q: currentTarget.value })} />
        </label>
        <div class="row" role="group" aria-label="Only of this grade">
          {grades.map((grade) => {
            const value = grade ?? 'none';
            const count = repositories.filter((each) => each.grade === grade).length;
            return (
              <button
                key={value}
                type="button"
                aria-pressed={state.grade === value}
                disabled={count === 0}
                onClick={() => go({ grade: state.grade === value ? null : value })}
              >
                <Grade grade={grade} /> {count}
              </button>
            );
          })}
        </div>
        <span class="pick">
          {state.a !== null && state.b !== null ? (
            <a href={hrefOf('compare', { a: state.a, b: state.b })}>
              Compare {state.a} with {state.b}
            </a>
          ) : (
            <span class="quiet">
              {state.a === null ? 'Tick two repositories to compare them.' : `Compare ${state.a} with …`}
            </span>
          )}
        </span>
      </div>
      <p class="quiet" role="status">
        {rows.length === repositories.length
          ? format.count(rows.length, 'repository', 'repositories')
          : `${format.whole(rows.length)} of ${format.count(repositories.length, 'repository', 'repositories')}`}
      </p>
      {rows.length === 0 ? (
        <Empty title="No repository is like that">
          <button type="button" onClick={() => go({ q: null, grade: null })}>
            Show all
          </button>
        </Empty>
      ) : (
        <>
          <Table
            caption="Repositories with their grades"
            columns={[picking, ...columns]}
            rows={rows.slice(0, most)}
            all={() => rows}
            keyOf={({ repo }) => repo}
            sort={sorted === undefined ? undefined : { column: sorted.id, order }}
            onSort={({ column, order }) => go({ sort: column, order })}
          />
          <More left={rows.length - most} show={() => setMost((most) => most + rowsAtOnce)} />
        </>
      )}
    </section>
  );
}

function figuresOf(): Figure[] {
  const metric = (
    id: keyof Repository['metrics'],
    title: string,
    write: (value: number) => string = format.whole,
  ): Figure => ({
    id,
    title,
    align: 'end',
    sortable: true,
    by: ({ metrics }) => metrics[id],
    value: ({ metrics }) => metrics[id],
    cell: ({ metrics }) => (metrics[id] === null ? format.whole(null) : write(metrics[id])),
  });
  return [
    {
      id: 'repo',
      title: 'Repository',
      isHead: true,
      sortable: true,
      by: ({ repo }) => repo.toLowerCase(),
      value: ({ repo }) => repo,
      cell: ({ repo }) => (
        <a class="nowrap" href={hrefOf('repository', { repo })}>
          {repo}
        </a>
      ),
    },
    {
      id: 'score',
      title: 'Score',
      align: 'end',
      sortable: true,
      by: ({ score }) => score,
      value: ({ score }) => score,
      cell: ({ score, grade }) => (
        <span class="nowrap">
          {format.score(score)} <Grade grade={grade} />
        </span>
      ),
    },
    {
      id: 'trend',
      title: 'Trend',
      align: 'end',
      sortable: true,
      by: changeOf,
      value: changeOf,
      cell: (row) => <Trend row={row} />,
    },
    ...dimensionIds.map((id): Figure => ({
      id,
      title: shortTitles[id] ?? titleOf(id),
      sortable: true,
      by: (row) => dimensionOf(row, id)?.score ?? null,
      value: (row) => dimensionOf(row, id)?.grade ?? null,
      cell: (row) => <Grade grade={dimensionOf(row, id)?.grade ?? null} />,
    })),
    metric('loc_code', 'Lines', format.short),
    metric('active_contributors_12m', 'Contributors'),
    metric('line_coverage_pct', 'Coverage', (value) => `${format.whole(value)} %`),
    metric('remediation_hours_likely', 'Effort', (value) => `${hours(value)} h`),
  ];
}

const dimensionIds = [
  'maintainability',
  'testing',
  'delivery',
  'supply_chain',
  'security',
  'people',
  'operability',
] as const;
const shortTitles: Partial<Record<string, string>> = {
  maintainability: 'Maintain.',
  supply_chain: 'Supply',
  operability: 'Operate',
};

const dimensionOf = ({ dimensions }: Repository, id: string) => dimensions.find((each) => each.id === id);

/** Scores in the order of time: of the points of its history, where some were measured, else of the last runs. */
function scoresOf({ points, trend }: Repository): { scores: (number | null)[]; of: 'points' | 'runs' } {
  return points.length > 1
    ? { scores: points.map(({ score }) => score), of: 'points' }
    : { scores: trend.map(({ score }) => score).toReversed(), of: 'runs' };
}

/** From the point or run before to the last one; null where there is but one. */
function changeOf(row: Repository): number | null {
  const [before = null, last = null] = scoresOf(row).scores.slice(-2);
  return last === null || before === null ? null : last - before;
}

function Trend({ row }: { row: Repository }) {
  const { scores, of } = scoresOf(row);
  const known = scores.filter((score) => score !== null);
  const change = changeOf(row);
  return (
    <span class="trend">
      {change !== null && change !== 0 && (
        <small>
          {change > 0 ? '▲' : '▼'} {format.tenth(Math.abs(change))}
        </small>
      )}
      {/* Of one there is no trend. */}
      {known.length > 1 ? <Sparkline scores={known} of={of} /> : unknown}
    </span>
  );
}

/** What is not known comes last, whichever way. */
const comparing =
  (by: Figure['by'], direction: 1 | -1) =>
  (one: Repository, other: Repository): number => {
    const [a, b] = [by(one), by(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a === b ? (one.repo < other.repo ? -1 : 1) : direction * (a < b ? -1 : 1);
  };

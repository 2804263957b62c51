import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import type { FactorCatalog } from '../../../due-diligence/factor-routes.ts';
import { AsTable } from '../charts/as-table.tsx';
import { DotsOverTime } from '../charts/dots-over-time.tsx';
import { TimeAxis } from '../charts/time-axis.tsx';
import { hrefOfPlace } from '../code/address.ts';
import { Grade } from '../components/grade.tsx';
import { Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import type { Navigate } from '../router.ts';
import { titleOf, valueWords } from '../words.ts';

type Point = RepositoryPackage['trend'][number];
type Change = Point['changes'][number];
type Metric = FactorCatalog['metrics'][number];

/** What it came to at points of its history, what moved it, and the figures of the point that is looked at. */
export function RepositoryTrend({
  repo,
  trend,
  metrics,
  commit,
  navigate,
}: {
  repo: string;
  trend: readonly Point[];
  metrics: readonly Metric[];
  /** Of the point that is looked at; the last where it is none of them. */
  commit: string | null;
  navigate: Navigate;
}) {
  const [first, last] = [trend[0], trend.at(-1)];
  if (first === undefined || last === undefined)
    return (
      <p class="quiet">
        Not measured. <code>repo-intel load PATH --trend</code> measures the first commit of each of the last quarters
        as well, and later loads do so again.
      </p>
    );
  const found = trend.findIndex((point) => point.commit === commit);
  const index = found === -1 ? trend.length - 1 : found;
  const point = trend[index] ?? last;
  const before = trend[index - 1];
  const span = { from: Date.parse(first.as_of), to: Date.parse(last.as_of) };
  const pick = (to: Point | undefined) => to && navigate({ query: { repo, point: to.commit }, replace: true });
  // A point that has no score has no dot, and the dots are counted without it.
  const scored = trend.filter(({ score }) => score !== null);
  return (
    <>
      <p class="quiet">
        The first commit of each quarter, measured as the last is, and graded as of its own day. {overall(first, last)}
      </p>
      <div class="tall">
        <DotsOverTime
          label={`Score at ${format.count(trend.length, 'point')}. ${overall(first, last)}`}
          points={scored.map((each) => ({
            at: Date.parse(each.as_of),
            share: (each.score ?? 0) / 100,
            grade: each.grade,
            says: `${format.day(each.as_of)}: ${scoreWords(each.score)}`,
          }))}
          span={span}
          chosen={scored.indexOf(point)}
          onPick={(index) => pick(scored[index])}
        />
        <TimeAxis from={format.day(first.as_of)} to={format.day(last.as_of)} most="0 to 100" />
      </div>
      <ul class="trend-dimensions">
        {last.dimensions.map(({ id, score, grade }) => (
          <li key={id}>
            <span>{titleOf(id)}</span>
            <span class="value">
              <Grade grade={grade} /> {format.tenth(score)}
            </span>
            <DotsOverTime
              label={`${titleOf(id)}: ${scoreWords(dimensionOf(first, id)?.score)} on ${format.day(first.as_of)}, ${scoreWords(score)} on ${format.day(last.as_of)}`}
              points={trend.flatMap((each) => {
                const own = dimensionOf(each, id);
                return own?.score == null
                  ? []
                  : [
                      {
                        at: Date.parse(each.as_of),
                        share: own.score / 100,
                        grade: own.grade,
                        says: `${format.day(each.as_of)}: ${scoreWords(own.score)}`,
                      },
                    ];
              })}
              span={span}
            />
          </li>
        ))}
      </ul>
      <AsTable
        caption="The trend"
        columns={pointColumns(repo, last)}
        rows={trend.toReversed()}
        keyOf={({ commit }) => commit}
      />
      <div class="row trend-point">
        <label>
          Measured on{' '}
          <select
            value={point.commit}
            onChange={({ currentTarget }) => pick(trend.find((each) => each.commit === currentTarget.value))}
          >
            {trend.toReversed().map((each) => (
              <option key={each.commit} value={each.commit}>
                {format.day(each.as_of)}
                {each.grade === null ? '' : `, ${each.grade}`}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={before === undefined} onClick={() => pick(before)}>
          Previous
        </button>
        <button type="button" disabled={index === trend.length - 1} onClick={() => pick(trend[index + 1])}>
          Next
        </button>
      </div>
      <div role="status">
        <p>
          <Grade grade={point.grade} /> <strong>{scoreWords(point.score)}</strong> on {format.day(point.as_of)}, commit{' '}
          <code>{point.commit.slice(0, 12)}</code>, {format.share(point.confidence)} of the weight measured.
        </p>
        <Changes repo={repo} point={point} before={before} isLast={point === last} />
      </div>
      <details>
        <summary>All metrics on {format.day(point.as_of)}</summary>
        <Table
          caption={`Metrics on ${format.day(point.as_of)}`}
          columns={metricColumns(point, before)}
          rows={metrics}
          keyOf={({ id }) => id}
        />
      </details>
    </>
  );
}

const scoreWords = (score: number | null | undefined) =>
  score == null ? 'not measured' : `${format.tenth(score)} of 100`;

const overall = (first: Point, last: Point) =>
  `${scoreWords(first.score)} on ${format.day(first.as_of)}, ${scoreWords(last.score)} on ${format.day(last.as_of)}.`;

const dimensionOf = ({ dimensions }: Point, id: string) => dimensions.find((each) => each.id === id);

/** Which factors moved, and which files, people and packages came and went. */
function Changes({
  repo,
  point: { changes },
  before,
  isLast,
}: {
  repo: string;
  point: Point;
  before: Point | undefined;
  isLast: boolean;
}) {
  if (before === undefined) return <p class="quiet">The oldest point: there is none to compare it with.</p>;
  const since = `Since ${format.day(before.as_of)}`;
  if (changes.length === 0) return <p class="quiet">{since} no factor has moved much.</p>;
  return (
    <>
      <h3>{since}</h3>
      <ul class="changes">
        {changes.map((change) => (
          <li key={change.factor_id}>
            <strong>{change.title}</strong> {change.after > change.before ? 'rose' : 'fell'} from{' '}
            {format.tenth(change.before)} to {format.tenth(change.after)}.
            {/* Only what the last point has is there to be looked at. */}
            <Causes what="New" causes={change.came} repo={isLast ? repo : null} />
            <Causes what="Gone" causes={change.went} repo={null} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Causes({ what, causes, repo }: { what: string; causes: Change['came']; repo: string | null }) {
  if (causes.length === 0) return null;
  return (
    <div>
      {what}:
      <ul>
        {causes.map(({ path, note }, index) => (
          <li key={index}>
            {path !== null && <PlaceOf repo={repo} path={path} />}
            {path !== null && note !== null && ': '}
            <bdi>{note}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

function PlaceOf({ repo, path }: { repo: string | null; path: string }) {
  const name = (
    <code>
      <bdi>{path}</bdi>
    </code>
  );
  return repo === null ? name : <a href={hrefOfPlace(repo, path, null)}>{name}</a>;
}

const pointColumns = (repo: string, { dimensions }: Point): Column<Point>[] => [
  {
    id: 'day',
    title: 'Day',
    isHead: true,
    value: ({ as_of }) => as_of.slice(0, 10),
    cell: ({ as_of, commit }) => (
      <a class="nowrap" href={hrefOf('repository', { repo, part: 'trend', point: commit })}>
        {format.day(as_of)}
      </a>
    ),
  },
  {
    id: 'score',
    title: 'Score',
    align: 'end',
    value: ({ score }) => score,
    cell: ({ score, grade }) => (
      <span class="nowrap">
        {format.tenth(score)} <Grade grade={grade} />
      </span>
    ),
  },
  ...dimensions.map(({ id }): Column<Point> => ({
    id,
    title: titleOf(id),
    align: 'end',
    cell: (point) => format.tenth(dimensionOf(point, id)?.score),
  })),
  {
    id: 'changes',
    title: 'What moved',
    cell: ({ changes }) =>
      changes.map(({ title, before, after }) => `${title} ${format.whole(before)} → ${format.whole(after)}`).join(', '),
  },
];

function metricColumns(point: Point, before: Point | undefined): Column<Metric>[] {
  const value = (of: Point, { id, unit }: Metric) =>
    valueWords({ value: of.values[id] ?? null, unit }) ?? format.whole(null);
  return [
    { id: 'metric', title: 'Metric', isHead: true, cell: ({ name }) => name },
    ...(before === undefined
      ? []
      : [
          {
            id: 'before',
            title: format.day(before.as_of),
            align: 'end',
            cell: (metric: Metric) => value(before, metric),
          } as const,
        ]),
    { id: 'value', title: format.day(point.as_of), align: 'end', cell: (metric) => value(point, metric) },
  ];
}

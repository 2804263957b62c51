import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import type { PortfolioSummary } from '../../../due-diligence/executive.ts';
import type { FactorCatalog } from '../../../due-diligence/factor-routes.ts';
import { ScoreBar } from '../charts/dimension-bars.tsx';
import { rangeWords } from '../charts/range-bars.tsx';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { Grade } from '../components/grade.tsx';
import { Table } from '../components/table.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import { titleOf, valueWords } from '../words.ts';
import type { ViewProps } from './index.ts';
import './due-diligence.css';
import './compare.css';

const sides = ['a', 'b'] as const;

/** Two repositories side by side: scores, costs, and every metric, with what differs and which of them is better. */
export function CompareView({ api, query, navigate }: ViewProps) {
  const named = { a: query.get('a'), b: query.get('b') };
  const isOnlyDifferent = query.get('only') === 'different';
  const pathOf = (repo: string | null) =>
    repo === null ? null : (`/api/dd/deep/${encodeURIComponent(repo)}` as const);
  const portfolio = useAnswer<PortfolioSummary>(api, '/api/dd/executive', { page_size: 1_000 });
  const catalog = useAnswer<FactorCatalog>(api, '/api/dd/factors');
  const a = useAnswer<RepositoryPackage>(api, pathOf(named.a));
  const b = useAnswer<RepositoryPackage>(api, pathOf(named.b));
  const only = isOnlyDifferent ? 'different' : null;
  return (
    <>
      <h1>Compare</h1>
      <div class="compare-choice">
        {sides.map((side) => (
          <label key={side}>
            <span>{side === 'a' ? 'Repository A' : 'Repository B'}</span>
            <select
              value={named[side] ?? ''}
              onChange={({ currentTarget }) => navigate({ query: { ...named, only, [side]: currentTarget.value } })}
            >
              <option value="">Choose a repository</option>
              {namesOf(portfolio.answer, named[side]).map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ))}
        <label class="row">
          <input
            type="checkbox"
            checked={isOnlyDifferent}
            onChange={({ currentTarget }) =>
              navigate({ query: { ...named, only: currentTarget.checked ? 'different' : null }, replace: true })
            }
          />
          Only differences
        </label>
      </div>
      {named.a === null || named.b === null ? (
        <Empty title="Choose two repositories">
          <p>
            Or tick them in <a href={hrefOf('portfolio', { a: named.a ?? named.b })}>the list of all</a>.
          </p>
        </Empty>
      ) : (
        <Answered asked={a} lines={24}>
          {(a) => (
            <Answered asked={b} lines={24}>
              {(b) => (
                <Answered asked={catalog} lines={24}>
                  {(catalog) => <Comparison a={a} b={b} catalog={catalog} isOnlyDifferent={isOnlyDifferent} />}
                </Answered>
              )}
            </Answered>
          )}
        </Answered>
      )}
    </>
  );
}

/** What the address names is offered before the others are known, and where they are not. */
const namesOf = (portfolio: PortfolioSummary | null, named: string | null) =>
  [
    ...new Set([...(named === null ? [] : [named]), ...(portfolio?.repositories ?? []).map(({ repo }) => repo)]),
  ].toSorted();

interface Row {
  id: string;
  group: string;
  name: string;
  a: string;
  b: string;
  difference: Difference;
}

/** Which is better, and by how much; `none` where there is nothing to be said. */
interface Difference {
  better: 'a' | 'b' | 'same' | 'none';
  words: string;
}

function Comparison({
  a,
  b,
  catalog,
  isOnlyDifferent,
}: {
  a: RepositoryPackage;
  b: RepositoryPackage;
  catalog: FactorCatalog;
  isOnlyDifferent: boolean;
}) {
  const rows = catalog.metrics
    .map((definition) => rowOf(definition, a, b))
    .filter((row) => !isOnlyDifferent || row.a !== row.b);
  return (
    <>
      <div class="compare-heads">
        {[a, b].map((each) => (
          <section key={each.repo} aria-label={each.repo}>
            <h2>
              <a href={hrefOf('repository', { repo: each.repo })}>
                <bdi>{each.repo}</bdi>
              </a>
            </h2>
            <p>
              <Grade grade={each.grade} /> <strong>{format.tenth(each.score)}</strong> of 100,{' '}
              {format.share(each.confidence)} of the weight measured
            </p>
            <p class="quiet">To put right: {rangeWords(each.remediation.hours)}.</p>
          </section>
        ))}
      </div>
      <h2>Dimensions</h2>
      <Table
        caption={`Dimensions of ${a.repo} and ${b.repo}`}
        columns={[
          { id: 'name', title: 'Dimension', isHead: true, cell: ({ id }) => titleOf(id) },
          { id: 'a', title: a.repo, value: ({ a }) => a.score, cell: ({ a }) => <Score {...a} /> },
          { id: 'b', title: b.repo, value: ({ b }) => b.score, cell: ({ b }) => <Score {...b} /> },
          {
            id: 'difference',
            title: 'Difference',
            value: ({ difference: { better, words } }) =>
              better === 'a' ? `${words}, better: ${a.repo}` : better === 'b' ? `${words}, better: ${b.repo}` : words,
            cell: ({ difference }) => <Said difference={difference} a={a.repo} b={b.repo} />,
          },
        ]}
        rows={a.dimensions.flatMap((one) => {
          const other = b.dimensions.find(({ id }) => id === one.id);
          if (other === undefined || (isOnlyDifferent && one.score === other.score)) return [];
          return [{ id: one.id, a: one, b: other, difference: differenceOf(one.score, other.score, 1, 'points') }];
        })}
        keyOf={({ id }) => id}
      />
      <h2>Metrics</h2>
      {rows.length === 0 ? (
        <p class="quiet">Nothing differs.</p>
      ) : (
        <Table
          caption={`Metrics of ${a.repo} and ${b.repo}`}
          columns={[
            {
              id: 'name',
              title: 'Metric',
              isHead: true,
              value: ({ name }) => name,
              cell: ({ name, group }) => (
                <>
                  {name} <small class="quiet">{group}</small>
                </>
              ),
            },
            { id: 'a', title: a.repo, cell: ({ a }) => a },
            { id: 'b', title: b.repo, cell: ({ b }) => b },
            {
              id: 'difference',
              title: 'Difference',
              cell: ({ difference }) => <Said difference={difference} a={a.repo} b={b.repo} />,
            },
          ]}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
    </>
  );
}

function rowOf(
  { id, name, group, unit, direction }: FactorCatalog['metrics'][number],
  a: RepositoryPackage,
  b: RepositoryPackage,
): Row {
  const [one, other] = [a, b].map(({ matrix }) => matrix.find((metric) => metric.id === id));
  const words = (metric: typeof one) =>
    metric === undefined ? format.whole(null) : (valueWords(metric) ?? whyNot(metric.status));
  const sign = { higher_better: 1, lower_better: -1, informational: 0 }[direction];
  return {
    id,
    name,
    group,
    a: words(one),
    b: words(other),
    difference: differenceOf(one?.value ?? null, other?.value ?? null, sign, unit === '%' ? 'points' : unit),
  };
}

const whyNot = (status: string) => (status === 'not_applicable' ? 'does not apply' : 'not known');

/** `sign` 1: higher is better; -1: lower; 0: neither. */
function differenceOf(a: number | null, b: number | null, sign: number, unit: string): Difference {
  if (a === null || b === null) return { better: 'none', words: a === b ? '' : 'known of one only' };
  if (a === b) return { better: 'same', words: 'the same' };
  const words = unit === '0/1' ? '' : (valueWords({ value: Math.abs(a - b), unit }) ?? '');
  if (sign === 0) return { better: 'none', words };
  return { better: sign * (a - b) > 0 ? 'a' : 'b', words };
}

function Score({ score, grade }: { score: number | null; grade: string | null }) {
  return (
    <span class="compare-score">
      <Grade grade={grade} />
      <span class="end">{format.tenth(score)}</span>
      <ScoreBar score={score} grade={grade} />
    </span>
  );
}

/** Points to the side that is better, and says so. */
function Said({ difference: { better, words }, a, b }: { difference: Difference; a: string; b: string }) {
  if (better === 'none' || better === 'same') return <span class="quiet">{words}</span>;
  return (
    <span class="better" data-better={better}>
      <span aria-hidden="true">{better === 'a' ? '◀' : '▶'}</span> {words}{' '}
      <span class="quiet">better: {better === 'a' ? a : b}</span>
    </span>
  );
}

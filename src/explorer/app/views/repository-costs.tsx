import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import type { RepositorySummary } from '../../../due-diligence/executive.ts';
import { moneyWords, RangeBars, rangeWords } from '../charts/range-bars.tsx';
import { Grade } from '../components/grade.tsx';
import { Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';
import { format } from '../format.ts';
import { horizons, titleOf } from '../words.ts';

type Remediation = RepositoryPackage['remediation'];
type Range = Remediation['hours'];

/** What it takes to put right what was found: by when it should be, by dimension, and up to each grade. */
export function RepositoryCosts({
  remediation,
  factors,
  recommendations,
}: {
  remediation: Remediation;
  factors: RepositoryPackage['factors'];
  recommendations: RepositorySummary['recommendations'];
}) {
  const { hours, cost, currency, hourly_rate, by_factor, by_dimension, to_grade, not_costed, scenarios } = remediation;
  const titleOfFactor = (id: string) => factors.find(({ factor_id }) => factor_id === id)?.title ?? titleOf(id);
  const ranges = new Map(
    horizons.map(({ id }) => [id, sum(by_factor.filter((each) => each.class === id).map((each) => each.hours))]),
  );
  const begin: Column<Remediation['scenarios'][number]> = {
    id: 'first',
    title: 'Begin with',
    cell: ({ first }) => first.map(({ factor_id: id }) => titleOfFactor(id)).join(', '),
  };
  return (
    <>
      <p>
        <strong>{rangeWords(hours)}</strong>: {moneyWords(cost, currency)}, at {format.money(hourly_rate, currency)} an
        hour. An estimate by rules, not an offer.
      </p>
      <h3>By when</h3>
      <RangeBars rows={horizons.map(({ id, title }) => ({ id, title, hours: ranges.get(id) ?? sum([]) }))} />
      <h3>By dimension</h3>
      <RangeBars rows={by_dimension.map(({ id, hours }) => ({ id, title: titleOf(id), hours }))} />
      <h3>What it takes</h3>
      <Table
        caption="What it takes to get on"
        columns={[
          { id: 'what', title: 'What for', isHead: true, cell: (scenario) => scenario.title },
          {
            id: 'hours',
            title: 'Hours',
            cell: ({ hours }) => (hours.high === 0 ? 'none: it is there' : rangeWords(hours)),
          },
          { id: 'cost', title: 'Cost', cell: ({ cost }) => (cost.high === 0 ? '' : moneyWords(cost, currency)) },
          ...(scenarios.some(({ first }) => first.length > 0) ? [begin] : []),
          { id: 'reached', title: 'Gets there', cell: ({ reached }) => (reached ? 'yes' : 'no') },
        ]}
        rows={scenarios}
        keyOf={({ id }) => id}
      />
      <details>
        <summary>How these hours come about</summary>
        {scenarios.map((scenario) => (
          <div key={scenario.id}>
            <h4>{scenario.title}</h4>
            <p class="quiet">{scenario.rule}</p>
            <Table
              caption={`Hours: ${scenario.title}`}
              columns={[
                { id: 'part', title: 'What', isHead: true, cell: ({ id }) => titleOfFactor(id) },
                { id: 'hours', title: 'Hours', cell: ({ hours }) => rangeWords(hours) },
                { id: 'sources', title: 'Source of the hours', cell: ({ sources }) => sources.join('; ') },
              ]}
              rows={scenario.parts}
              keyOf={({ id }) => id}
            />
          </div>
        ))}
      </details>
      <h3>Up to a grade in each dimension</h3>
      <Table
        caption="What each grade takes"
        columns={[
          { id: 'grade', title: 'Grade', isHead: true, cell: ({ grade }) => <Grade grade={grade} /> },
          {
            id: 'hours',
            title: 'Hours',
            cell: ({ hours }) => (hours.high === 0 ? 'none' : rangeWords(hours)),
          },
          { id: 'cost', title: 'Cost', cell: ({ cost }) => (cost.high === 0 ? '' : moneyWords(cost, currency)) },
          {
            id: 'beyond',
            title: 'Does not suffice for',
            cell: ({ by_dimension }) =>
              by_dimension
                .filter(({ reached }) => !reached)
                .map(({ id }) => titleOf(id))
                .join(', '),
          },
        ]}
        rows={to_grade}
        keyOf={({ grade }) => grade}
      />
      {recommendations !== null &&
        horizons.map(({ id, title }) => <Recommendations key={id} title={title} items={recommendations[id]} />)}
      {not_costed.length > 0 && (
        <p class="quiet">
          Not in the sum, as it could not be measured:{' '}
          {not_costed.map((gap) => titleOfFactor(gap.slice(0, gap.indexOf(':')))).join(', ')}.
        </p>
      )}
    </>
  );
}

function Recommendations({
  title,
  items,
}: {
  title: string;
  items: RepositorySummary['recommendations']['post_deal'];
}) {
  return (
    <>
      <h3>{title}</h3>
      {items.length === 0 ? (
        <p class="quiet">Nothing of what was measured.</p>
      ) : (
        <ul>
          {items.map(({ factor_id, title, recommendation, hours }) => (
            <li key={factor_id}>
              <strong>{title}</strong>: {recommendation} {hours !== null && `${rangeWords(hours)}.`}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const sum = (ranges: readonly Range[]): Range => ({
  low: ranges.reduce((all, { low }) => all + low, 0),
  likely: ranges.reduce((all, { likely }) => all + likely, 0),
  high: ranges.reduce((all, { high }) => all + high, 0),
});

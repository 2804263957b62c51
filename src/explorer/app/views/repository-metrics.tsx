import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import type { FactorCatalog } from '../../../due-diligence/factor-routes.ts';
import { hrefOfPlace } from '../code/address.ts';
import { Table } from '../components/table.tsx';
import { format } from '../format.ts';
import { rankWords, valueWords } from '../words.ts';

type Metric = RepositoryPackage['matrix'][number];
type Evidence = Metric['evidence'][number];

/** The metrics by their groups: the value, or why there is none, and what it rests on. */
export function RepositoryMetrics({
  repo,
  matrix,
  coverage: { measured, not_applicable, not_measured },
  catalog,
}: {
  repo: string;
  matrix: readonly Metric[];
  coverage: RepositoryPackage['coverage'];
  catalog: FactorCatalog;
}) {
  const groups = Map.groupBy(catalog.metrics, ({ group }) => group);
  const byId = new Map(matrix.map((metric) => [metric.id, metric]));
  const reasons = new Map(catalog.reasons.map(({ reason, meaning }) => [reason, meaning]));
  return (
    <>
      <p class="quiet">
        {measured} of {matrix.length} were measured, {not_applicable} not applicable, {not_measured} could not be
        measured. None of these counts as 0.
      </p>
      {Array.from(groups, ([group, definitions]) => (
        <section key={group}>
          <h3>{group}</h3>
          {definitions.map(({ id, name }) => {
            const metric = byId.get(id);
            return (
              metric && (
                <MetricLine
                  key={id}
                  repo={repo}
                  metric={metric}
                  name={name}
                  why={metric.reason === null ? null : (reasons.get(metric.reason) ?? metric.reason)}
                />
              )
            );
          })}
        </section>
      ))}
    </>
  );
}

function MetricLine({ repo, metric, name, why }: { repo: string; metric: Metric; name: string; why: string | null }) {
  const { value, status, numerator, denominator, evidence, evidence_count, method_version, rank } = metric;
  const line = (
    <>
      <span>{name}</span>
      <span>
        {value === null ? (
          <span class="quiet">
            {status === 'not_applicable' ? 'Not applicable' : 'Not known'}: {why}
          </span>
        ) : (
          <strong>{valueWords(metric)}</strong>
        )}
      </span>
      <small class="quiet">
        {rank !== null && `${rankWords(rank)}, `}
        {numerator !== null && denominator !== null && `${format.tenth(numerator)} of ${format.tenth(denominator)}, `}
        {method_version}
      </small>
    </>
  );
  if (evidence.length === 0) return <p class="metric">{line}</p>;
  return (
    <details class="metric">
      <summary>{line}</summary>
      {evidence.length < evidence_count && (
        <p class="quiet">
          The first {evidence.length} of {format.whole(evidence_count)}.
        </p>
      )}
      <Table
        caption={`Evidence of: ${name}`}
        columns={[
          { id: 'place', title: 'Place', cell: ({ evidence }) => <Place repo={repo} evidence={evidence} /> },
          { id: 'what', title: 'What', cell: ({ evidence: { note } }) => note },
        ]}
        // Evidence has no name, and never changes its order.
        rows={evidence.map((evidence, index) => ({ evidence, index }))}
        keyOf={({ index }) => String(index)}
      />
    </details>
  );
}

function Place({ repo, evidence: { path, line, commit } }: { repo: string; evidence: Evidence }) {
  const place = path === null ? commit?.slice(0, 12) : `${path}${line === null ? '' : `:${line}`}`;
  if (place === undefined) return null;
  const written = (
    <code>
      <bdi>{place}</bdi>
    </code>
  );
  return path === null ? written : <a href={hrefOfPlace(repo, path, line)}>{written}</a>;
}

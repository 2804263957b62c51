import { z } from 'zod';
import type { Measurements, MetricId } from '../model/due-diligence.ts';
import type { Assessment } from './assess.ts';
import { factorCatalog } from './factors/index.ts';
import { personsOf } from './portfolio.ts';
import { titleOf } from './report-words.ts';
import { tenth } from './score.ts';
import { dimensions } from './scoring-model.ts';

const columnSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(['dimension', 'factor']).meta({ id: 'HeatColumnKind' }),
  })
  .meta({ id: 'HeatColumn' });
const cellSchema = z
  .object({
    score: z.number().nullable(),
    percentile: z.number().nullable().meta({ description: 'In the reference population; 100 is best.' }),
  })
  .meta({ id: 'HeatCell' });
const heatRowSchema = z
  .object({
    repo: z.string(),
    cells: z.array(cellSchema).meta({ description: 'In the order of the columns.' }),
  })
  .meta({ id: 'HeatRow' });
const outlierSchema = z
  .object({
    repo: z.string(),
    id: z.string().meta({ description: 'The dimension or the factor.' }),
    title: z.string(),
    score: z.number(),
    percentile: cellSchema.shape.percentile,
    rule: z.enum(['population', 'portfolio']).meta({
      id: 'OutlierRule',
      description:
        '`population`: among its worst twentieth. `portfolio`: of five repositories or more, 1.5 times the distance of the quartiles below the lower one, and ten points at least.',
    }),
  })
  .meta({ id: 'Outlier' });
const sharedRiskSchema = z
  .object({
    kind: z.enum(['person', 'package', 'secret']).meta({ id: 'SharedRiskKind' }),
    name: z.string().meta({ description: 'Of a secret the first 12 hex digits of its SHA-256, never the secret.' }),
    repositories: z.array(z.string()).meta({ description: 'Two at least, by name.' }),
    note: z.string().meta({ description: 'What they share, in words.' }),
  })
  .meta({ id: 'SharedRisk' });

export const insightFields = {
  heat_map: z
    .object({
      columns: z.array(columnSchema).meta({ description: 'The dimensions, then the factors.' }),
      rows: z.array(heatRowSchema).meta({ description: 'A repository each, by name.' }),
    })
    .meta({ description: 'Each repository of the page by dimension and factor, by name.' }),
  outliers: z.array(outlierSchema).max(50).meta({ description: 'The worst first.' }),
  shared_risks: z.array(sharedRiskSchema).max(100).meta({
    description:
      'What one event would do to several repositories: the same person leaves, who alone knows half of their files or more; the same package is vulnerable; the same secret is found. Those of most repositories first.',
  }),
};
export type Insights = { [Field in keyof typeof insightFields]: z.infer<(typeof insightFields)[Field]> };

interface Known {
  run: { repository: string; committed_at: string | null };
  measurements: Pick<Measurements, 'metrics' | 'people' | 'authorship'>;
  assessment: Assessment;
}

/** Of the population: who ranks no better is an outlier. */
const worstPercentile = 5;
/** So many repositories tell what is usual among them. */
const minPortfolio = 5;
/** Nobody else knows so great a part of the files. */
const aloneShare = 0.5;
const maxOutliers = 50;
const maxShared = 100;

/** What only several repositories beside each other show. Pure. */
export function insightsOf(repositories: readonly Known[]): Insights {
  const byName = repositories.toSorted((a, b) => byCode(a.run.repository, b.run.repository));
  const columns: Insights['heat_map']['columns'] = [
    ...dimensions.map(({ id }) => ({ id, title: titleOf(id), kind: 'dimension' as const })),
    ...factorCatalog.map(({ id, title }) => ({ id, title, kind: 'factor' as const })),
  ];
  const rows = byName.map(({ run, assessment }) => {
    const scores = new Map<string, number | null>([
      ...assessment.dimensions.map(({ id, score }) => [id, score] as const),
      ...assessment.factors.map(
        ({ definition, score }) => [definition.id, score === null ? null : tenth(score)] as const,
      ),
    ]);
    const rankOf = (id: string) => assessment.ranks?.dimensions.get(id) ?? assessment.ranks?.factors.get(id);
    return {
      repo: run.repository,
      cells: columns.map(({ id }) => ({ score: scores.get(id) ?? null, percentile: rankOf(id)?.percentile ?? null })),
    };
  });
  const shared = [...sharedPeople(byName), ...sharedPackages(byName), ...sharedSecrets(byName)];
  return {
    heat_map: { columns, rows },
    outliers: outliersOf({ columns, rows }),
    shared_risks: shared
      .toSorted((a, b) => b.repositories.length - a.repositories.length || byCode(a.name, b.name))
      .slice(0, maxShared),
  };
}

const byCode = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function outliersOf({ columns, rows }: Insights['heat_map']): Insights['outliers'] {
  const found = columns.flatMap(({ id, title }, index): Insights['outliers'] => {
    const known = rows.flatMap(({ repo, cells }) => {
      const { score = null, percentile = null } = cells[index] ?? {};
      return score === null ? [] : [{ repo, id, title, score, percentile }];
    });
    const least = usualLeast(known.map(({ score }) => score));
    return known.flatMap((each): Insights['outliers'] => {
      if (each.percentile !== null && each.percentile <= worstPercentile) return [{ ...each, rule: 'population' }];
      return least !== null && each.score < least ? [{ ...each, rule: 'portfolio' }] : [];
    });
  });
  return found
    .toSorted((a, b) => (a.percentile ?? 100) - (b.percentile ?? 100) || a.score - b.score || byCode(a.repo, b.repo))
    .slice(0, maxOutliers);
}

/** Tukey's fence; null where there are too few to say what is usual. */
function usualLeast(scores: readonly number[]): number | null {
  if (scores.length < minPortfolio) return null;
  const sorted = scores.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const [lower, upper] = [at(0.25), at(0.75)];
  return Math.min(lower - 1.5 * (upper - lower), lower - 10);
}

type SharedRisk = Insights['shared_risks'][number];

/** What is found in two repositories or more, by its name. */
function inSeveral(
  kind: SharedRisk['kind'],
  found: readonly { repo: string; key: string; name: string; note: string }[],
): SharedRisk[] {
  return [...Map.groupBy(found, ({ key }) => key).values()].flatMap((list) => {
    const repositories = [...new Set(list.map(({ repo }) => repo))];
    const [first] = list;
    if (!first || repositories.length < 2) return [];
    return [
      { kind, name: first.name, repositories, note: [...new Set(list.map(({ note }) => note))].slice(0, 5).join('; ') },
    ];
  });
}

/** Who alone knows half of the files or more, of each repository; people are told apart over all of them. */
function sharedPeople(repositories: readonly Known[]): SharedRisk[] {
  const personOf = personsOf(repositories);
  const names = new Map<string, string>();
  for (const { measurements } of repositories)
    for (const { id, name } of measurements.people) if (!names.has(personOf(id))) names.set(personOf(id), name);
  const found = repositories.flatMap(({ run, measurements: { authorship } }) => {
    const whole = authorship.reduce((sum, { files }) => sum + files, 0);
    const alone = new Map<string, number>();
    for (const { authors, files } of authorship) {
      const [only, ...others] = new Set(authors.map(personOf));
      if (only !== undefined && others.length === 0) alone.set(only, (alone.get(only) ?? 0) + files);
    }
    return [...alone].flatMap(([id, files]) =>
      files < aloneShare * whole
        ? []
        : [
            {
              repo: run.repository,
              key: id,
              name: names.get(id) ?? id,
              note: `${run.repository}: nobody else knows ${Math.round((100 * files) / whole)} % of the files`,
            },
          ],
    );
  });
  return inSeveral('person', found);
}

const notesOf = ({ measurements }: Known, metric: MetricId) =>
  measurements.metrics.find(({ id }) => id === metric)?.evidence.flatMap(({ note }) => note ?? []) ?? [];

/** `lodash 4.17.20 (npm): GHSA-… (high); fixed in 4.17.21`. */
function sharedPackages(repositories: readonly Known[]): SharedRisk[] {
  const found = repositories.flatMap((each) =>
    notesOf(each, 'known_vulnerable_dependency_count').flatMap((note) => {
      const [, name, ecosystem] = /^(\S{1,200}) [^()]{1,100} \(([^()]{1,30})\): /.exec(note) ?? [];
      return name === undefined || ecosystem === undefined
        ? []
        : [{ repo: each.run.repository, key: `${ecosystem} ${name}`, name: `${name} (${ecosystem})`, note }];
    }),
  );
  return inSeveral('package', found);
}

/** `aws_access_key (sha256 0123456789ab…)`. */
function sharedSecrets(repositories: readonly Known[]): SharedRisk[] {
  const found = repositories.flatMap((each) =>
    notesOf(each, 'secret_finding_count').flatMap((note) => {
      const [, rule, digest] = /^(\w{1,60}) \(sha256 ([0-9a-f]{12})…\)/.exec(note) ?? [];
      return rule === undefined || digest === undefined
        ? []
        : [{ repo: each.run.repository, key: digest, name: digest, note: rule }];
    }),
  );
  return inSeveral('secret', found);
}

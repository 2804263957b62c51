import type {
  EvaluationRuns,
  ReadEvaluationAttempts,
  ReadEvaluationOutcomes,
  ReadMintRuns,
  ReadTaskInstances,
} from '../stores/relational/port.ts';
import type { Names } from './names.ts';

/** What the benchmark has of the repositories that a caller sees, in the names by which he sees them. */
export interface BenchmarkReader {
  taskInstances: ReadTaskInstances;
  mintRuns: Pick<ReadMintRuns, 'list'>;
  evaluationRuns: EvaluationRuns;
  evaluationOutcomes: ReadEvaluationOutcomes;
  evaluationAttempts: ReadEvaluationAttempts;
}

const nothing = { items: [], total: 0 };

/** `isRestricted`: runs of models are over many repositories, so that who may see only some of them sees none. */
export function namedBenchmark(
  { taskInstances, mintRuns, evaluationRuns, evaluationOutcomes, evaluationAttempts }: BenchmarkReader,
  { keys, taskKeyOf, nameOf }: Names,
  isRestricted: boolean,
): BenchmarkReader {
  const inKeys = <Filter extends { repo?: string | undefined }>(filter: Filter) => ({
    ...filter,
    repos: keys,
    ...(filter.repo === undefined ? {} : { repo: taskKeyOf(filter.repo) }),
  });
  const named = <Item extends { repo: string }>(item: Item): Item => ({ ...item, repo: nameOf(item.repo) });
  return {
    taskInstances: {
      async list(query) {
        const { items, total } = await taskInstances.list(inKeys(query));
        return { items: items.map(named), total };
      },
      async counts(filter, by) {
        const counts = await taskInstances.counts(inKeys(filter), by);
        return by === 'repo' ? counts.map(({ value, count }) => ({ value: nameOf(value), count })) : counts;
      },
      async get(id) {
        const found = await taskInstances.get(id, keys);
        return found && named(found);
      },
    },
    mintRuns: {
      async list(page) {
        const { items, total } = await mintRuns.list({ ...page, repos: keys });
        return { items: items.map(named), total };
      },
    },
    evaluationRuns: {
      list: async (page) => (isRestricted ? nothing : evaluationRuns.list(page)),
    },
    evaluationOutcomes: {
      list: async (query) => (isRestricted ? nothing : evaluationOutcomes.list(query)),
      models: async (query) => (isRestricted ? nothing : evaluationOutcomes.models(query)),
      scores: async (query) => (isRestricted ? [] : evaluationOutcomes.scores(query)),
    },
    evaluationAttempts: {
      get: async (id) => (isRestricted ? null : evaluationAttempts.get(id)),
      text: async (id, of) => (isRestricted ? null : evaluationAttempts.text(id, of)),
    },
  };
}

import { sql } from 'kysely';
import type { EvaluationOutcome, OutcomeFilter, TaskScore } from '../../../model/evaluation-outcome.ts';
import type { EvaluationRun, PredictionStatus } from '../../../model/evaluation-run.ts';
import type { Database } from '../database.ts';

/** What became of each task in the runs of models. */
export interface ReadEvaluationOutcomes {
  /** Those of one run, by model and task. */
  list(query: {
    runId: string;
    model?: string | undefined;
    status?: PredictionStatus | undefined;
    offset: number;
    limit: number;
  }): Promise<{ items: (EvaluationOutcome & { model: string })[]; total: number }>;
  /** The models that have outcomes, by the share of attempts solved, averaged over tasks, the best first; then by name. */
  models(query: OutcomeFilter & { offset: number; limit: number }): Promise<{ items: string[]; total: number }>;
  /** How these models did on each task, by model and task. */
  scores(query: OutcomeFilter & { models: readonly string[] }): Promise<TaskScore[]>;
}

export interface EvaluationOutcomes extends ReadEvaluationOutcomes {
  /** All outcomes of a run that is kept, in place of those it had. */
  save(
    run: Pick<EvaluationRun, 'run_id' | 'model' | 'timestamp'>,
    outcomes: readonly EvaluationOutcome[],
  ): Promise<void>;
}

/** Written by one statement, which has 14 parameters for each. */
const batch = 500;

/** Those of one organization, over any engine. */
export function tenantEvaluationOutcomes(database: Database, organizationId: string): EvaluationOutcomes {
  const own = database.selectFrom('evaluation_outcome').where('organization_id', '=', organizationId);

  const matching = (filter: OutcomeFilter) => {
    const { models, run, language, difficulty, evaluatedFrom, evaluatedTo, committedFrom, committedTo } = filter;
    return own
      .$if(models !== undefined, (query) => query.where(sql<boolean>`model = ANY(${models}::text[])`))
      .$if(run !== undefined, (query) =>
        query.where(({ or, eb }) =>
          or([
            eb('run_id', '=', run ?? ''),
            sql<boolean>`starts_with(run_id, ${run}::text || '.') AND substr(run_id, length(${run}::text) + 2) ~ '^[0-9]+$'`,
          ]),
        ),
      )
      .$if(language !== undefined, (query) => query.where('language', '=', language ?? ''))
      .$if(difficulty !== undefined, (query) => query.where('difficulty', '=', difficulty ?? ''))
      .$if(evaluatedFrom !== undefined, (query) => query.where('evaluated_at', '>=', evaluatedFrom ?? ''))
      .$if(evaluatedTo !== undefined, (query) => query.where('evaluated_at', '<=', evaluatedTo ?? ''))
      .$if(committedFrom !== undefined, (query) => query.where('committed_at', '>=', committedFrom ?? ''))
      .$if(committedTo !== undefined, (query) => query.where('committed_at', '<=', committedTo ?? ''));
  };

  return {
    async list({ runId, model, status, offset, limit }) {
      const found = own
        .where('run_id', '=', runId)
        .$if(model !== undefined, (query) => query.where('model', '=', model ?? ''))
        .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''));
      const rows = await found
        .select(['model', 'body'])
        .orderBy('model')
        .orderBy('instance_id')
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await found
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(({ model: name, body }) => ({ model: name, ...body })), total };
    },

    async models({ offset, limit, ...filter }) {
      const tasks = matching(filter)
        .select(['model', 'instance_id', sql<number>`avg((status = 'resolved')::integer)`.as('rate')])
        .groupBy(['model', 'instance_id']);
      const rows = await database
        .selectFrom(tasks.as('task'))
        .select('model')
        .groupBy('model')
        .orderBy(sql`avg(rate)`, 'desc')
        .orderBy('model')
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await matching(filter)
        .select((select) => select.fn.count<number>('model').distinct().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(({ model }) => model), total };
    },

    scores: (filter) =>
      matching(filter)
        .select((select) => [
          'model',
          'instance_id',
          select.fn.max('committed_at').as('committed_at'),
          sql<string[]>`array_agg(DISTINCT run_id)`.as('runs'),
          select.fn.countAll<number>().as('attempts'),
          sql<number>`count(*) FILTER (WHERE status = 'resolved')`.as('resolved'),
          sql<number>`count(*) FILTER (WHERE status = 'suspicious')`.as('suspicious'),
          sql<number>`count(*) FILTER (WHERE uncontrolled)`.as('uncontrolled'),
          select.fn.sum<number | null>('input_tokens').as('input_tokens'),
          select.fn.sum<number | null>('output_tokens').as('output_tokens'),
          select.fn.sum<number | null>('cost_usd').as('cost_usd'),
        ])
        .groupBy(['model', 'instance_id'])
        .orderBy('model')
        .orderBy('instance_id')
        .execute(),

    async save({ run_id, model, timestamp }, outcomes) {
      await database
        .deleteFrom('evaluation_outcome')
        .where('organization_id', '=', organizationId)
        .where('run_id', '=', run_id)
        .where('model', '=', model)
        .execute();
      for (let at = 0; at < outcomes.length; at += batch)
        await database
          .insertInto('evaluation_outcome')
          .values(
            outcomes.slice(at, at + batch).map((outcome) => ({
              organization_id: organizationId,
              run_id,
              model,
              instance_id: outcome.instance_id,
              language: outcome.language,
              difficulty: outcome.difficulty,
              committed_at: outcome.committed_at,
              evaluated_at: timestamp,
              status: outcome.status,
              uncontrolled: outcome.status === 'resolved' && outcome.controlled === false,
              input_tokens: outcome.usage?.input_tokens ?? null,
              output_tokens: outcome.usage?.output_tokens ?? null,
              cost_usd: outcome.usage?.cost_usd ?? null,
              body: JSON.stringify(outcome),
            })),
          )
          .execute();
    },
  };
}

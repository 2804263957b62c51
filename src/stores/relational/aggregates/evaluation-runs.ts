import type { SelectQueryBuilder } from 'kysely';
import type { EvaluationRun } from '../../../model/evaluation-run.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

/** What models reached on the task instances. */
export interface EvaluationRuns {
  /** The newest first. */
  list(page: { offset: number; limit: number }): Promise<{ items: EvaluationRun[]; total: number }>;
}

/** Those of one organization, and those that are shared. */
export interface TenantEvaluationRuns extends EvaluationRuns {
  /** In place of its own of this run and model. */
  save(run: EvaluationRun): Promise<void>;
}

/** What models reached on task instances, over any engine. */
export const evaluationRuns: Aggregate<EvaluationRuns> = {
  calls: { list: 'read' },
  open: (database) => readEvaluationRuns(database.selectFrom('evaluation_run')),
};

/** What one organization may read of it, over any engine. */
export function tenantEvaluationRuns(database: Database, organizationId: string): TenantEvaluationRuns {
  return {
    ...readEvaluationRuns(
      database
        .selectFrom('evaluation_run')
        .where(({ or, eb }) => or([eb('organization_id', '=', organizationId), eb('shared', '=', true)])),
    ),
    async save(run) {
      const row = { ended_at: run.timestamp, body: JSON.stringify(run) };
      await database
        .insertInto('evaluation_run')
        .values({ organization_id: organizationId, run_id: run.run_id, model: run.model, ...row })
        .onConflict((conflict) => conflict.columns(['organization_id', 'run_id', 'model']).doUpdateSet(row))
        .execute();
    },
  };
}

function readEvaluationRuns(from: SelectQueryBuilder<Schema, 'evaluation_run', object>): EvaluationRuns {
  return {
    async list({ offset, limit }) {
      const rows = await from
        .select('body')
        .orderBy('ended_at', 'desc')
        .orderBy('run_id', 'desc')
        .orderBy('model', 'desc')
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await from
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(({ body }) => body), total };
    },
  };
}

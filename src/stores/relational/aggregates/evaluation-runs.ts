import type { EvaluationRun } from '../../../model/evaluation-run.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';

/** What models reached on the task instances. */
export interface EvaluationRuns {
  /** In place of the one of this run and model. */
  save(run: EvaluationRun): Promise<void>;
  /** The newest first. */
  list(page: { offset: number; limit: number }): Promise<{ items: EvaluationRun[]; total: number }>;
}

/** What models reached on task instances, over any engine. */
export const evaluationRuns: Aggregate<EvaluationRuns> = {
  calls: { save: 'unguarded', list: 'read' },
  open: openEvaluationRuns,
};

function openEvaluationRuns(database: Database): EvaluationRuns {
  return {
    async save(run) {
      const row = { ended_at: run.timestamp, body: JSON.stringify(run) };
      await database
        .insertInto('evaluation_run')
        .values({ run_id: run.run_id, model: run.model, ...row })
        .onConflict((conflict) => conflict.columns(['run_id', 'model']).doUpdateSet(row))
        .execute();
    },

    async list({ offset, limit }) {
      const rows = await database
        .selectFrom('evaluation_run')
        .select('body')
        .orderBy('ended_at', 'desc')
        .orderBy('run_id', 'desc')
        .orderBy('model', 'desc')
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await database
        .selectFrom('evaluation_run')
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(({ body }) => body), total };
    },
  };
}

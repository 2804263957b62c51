import type { Database } from './database.ts';
import type { EvaluationRuns } from './port.ts';

/** What models reached on task instances, over any engine. */
export function evaluationRuns(database: Database): EvaluationRuns {
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

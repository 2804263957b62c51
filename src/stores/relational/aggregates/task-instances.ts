import { sql } from 'kysely';
import type { Difficulty, TaskInstance } from '../../../model/task-instance.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';

/** What task instances are told apart by. */
export interface TaskFilter {
  repo?: string | undefined;
  language?: string | undefined;
  difficulty?: Difficulty | undefined;
}

/** The task instances, of no organization as the snapshots are. */
export interface TaskInstances {
  /** All or none; each in place of the one that had its id. The same again changes nothing. */
  save(instances: readonly TaskInstance[]): Promise<{ added: number; changed: number; unchanged: number }>;
  /** Those created last first. */
  list(query: TaskFilter & { offset: number; limit: number }): Promise<{ items: TaskInstance[]; total: number }>;
  /** How many of those that match have which value, the most frequent first, then by value. */
  counts(filter: TaskFilter, by: keyof TaskFilter): Promise<{ value: string; count: number }[]>;
  get(instanceId: string): Promise<TaskInstance | null>;
  /** All of them, by id. */
  each(): AsyncIterable<TaskInstance>;
}

/** Read at once by `each`. */
const pageSize = 50;

/** The task instances, over any engine. */
export const taskInstances: Aggregate<TaskInstances> = {
  calls: { save: 'unguarded', list: 'read', counts: 'read', get: 'read', each: 'unguarded' },
  open: openTaskInstances,
};

function openTaskInstances(database: Database): TaskInstances {
  const bodies = database.selectFrom('task_instance').select('body');
  const matchingOf = ({ repo, language, difficulty }: TaskFilter) =>
    database
      .selectFrom('task_instance')
      .$if(repo !== undefined, (query) => query.where('repo', '=', repo ?? ''))
      .$if(language !== undefined, (query) => query.where('language', '=', language ?? ''))
      .$if(difficulty !== undefined, (query) => query.where('difficulty', '=', difficulty ?? '>4 hours'));

  return {
    save: (instances) =>
      database.transaction().execute(async (transaction) => {
        const saved = { added: 0, changed: 0, unchanged: 0 };
        for (const instance of instances) {
          const { instance_id, repo, language, difficulty, created_at } = instance;
          const row = { repo, language, difficulty, created_at, body: JSON.stringify(instance) };
          const written = await transaction
            .insertInto('task_instance')
            .values({ instance_id, ...row })
            .onConflict((conflict) =>
              conflict
                .column('instance_id')
                .doUpdateSet(row)
                .where(sql<boolean>`task_instance.body::text <> excluded.body::text`),
            )
            // What no transaction has ever locked or replaced was inserted just now.
            .returning(sql<boolean>`xmax = 0`.as('added'))
            .executeTakeFirst();
          saved[written === undefined ? 'unchanged' : written.added ? 'added' : 'changed'] += 1;
        }
        return saved;
      }),

    async list({ offset, limit, ...filter }) {
      const matching = matchingOf(filter);
      const rows = await matching
        .select('body')
        .orderBy('created_at', 'desc')
        .orderBy('instance_id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await matching
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(({ body }) => body), total };
    },

    counts: (filter, by) =>
      matchingOf(filter)
        .select((select) => [select.ref(by).$castTo<string>().as('value'), select.fn.countAll<number>().as('count')])
        .groupBy(by)
        .orderBy('count', 'desc')
        .orderBy('value')
        .execute(),

    async get(instanceId) {
      const row = await bodies.where('instance_id', '=', instanceId).executeTakeFirst();
      return row?.body ?? null;
    },

    async *each() {
      for (let last = ''; ;) {
        const rows = await bodies.where('instance_id', '>', last).orderBy('instance_id').limit(pageSize).execute();
        for (const { body } of rows) yield body;
        const end = rows.at(-1);
        if (end === undefined || rows.length < pageSize) return;
        last = end.body.instance_id;
      }
    },
  };
}

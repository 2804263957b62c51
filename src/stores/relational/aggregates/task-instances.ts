import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { isUsable } from '../../../model/statement-flags.ts';
import type { Difficulty, TaskInstance } from '../../../model/task-instance.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';
import { visibleKeys } from './repositories.ts';

/** What task instances are told apart by. */
export interface TaskFilter {
  repo?: string | undefined;
  language?: string | undefined;
  difficulty?: Difficulty | undefined;
  /** Only those whose statements have no flag against them. */
  usable?: boolean | undefined;
  /** Only of these. */
  repos?: readonly string[] | undefined;
}

/** The task instances, each under its repository's key. */
export interface ReadTaskInstances {
  /** Those created last first. */
  list(query: TaskFilter & { offset: number; limit: number }): Promise<{ items: TaskInstance[]; total: number }>;
  /** How many of those that match have which value, the most frequent first, then by value. */
  counts(filter: TaskFilter, by: 'repo' | 'language' | 'difficulty'): Promise<{ value: string; count: number }[]>;
  /** Where several repositories have one of this id, an organization gets its own. */
  get(instanceId: string, repos?: readonly string[]): Promise<TaskInstance | null>;
}

export interface TaskInstances extends ReadTaskInstances {
  /** All or none; each in place of the one that had its id in its repository. The same again changes nothing. */
  save(instances: readonly TaskInstance[]): Promise<{ added: number; changed: number; unchanged: number }>;
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

/** Those that one organization may read, over any engine. */
export const tenantTaskInstances = (database: Database, organizationId: string): ReadTaskInstances =>
  readTaskInstances(
    database.selectFrom('task_instance').where('repo', 'in', visibleKeys(database, organizationId)),
    database.selectFrom('repository').select('key').where('organization_id', '=', organizationId),
  );

function readTaskInstances(
  from: SelectQueryBuilder<Schema, 'task_instance', object>,
  /** Whose are found first. */
  own: SelectQueryBuilder<Schema, 'repository', { key: string }>,
): ReadTaskInstances {
  const matchingOf = ({ repo, language, difficulty, usable, repos }: TaskFilter) =>
    from
      .$if(repos !== undefined, (query) => query.where(isOneOf('repo', repos)))
      .$if(usable === true, (query) => query.where('usable', '=', true))
      .$if(repo !== undefined, (query) => query.where('repo', '=', repo ?? ''))
      .$if(language !== undefined, (query) => query.where('language', '=', language ?? ''))
      .$if(difficulty !== undefined, (query) => query.where('difficulty', '=', difficulty ?? '>4 hours'));

  return {
    async list({ offset, limit, ...filter }) {
      const matching = matchingOf(filter);
      const rows = await matching
        .select('body')
        .orderBy('created_at', 'desc')
        .orderBy('instance_id', 'desc')
        .orderBy('repo')
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

    async get(instanceId, repos) {
      const row = await matchingOf({ repos })
        .select('body')
        .where('instance_id', '=', instanceId)
        .orderBy((order) => order('repo', 'in', own), 'desc')
        .orderBy('repo')
        .limit(1)
        .executeTakeFirst();
      return row?.body ?? null;
    },
  };
}

function openTaskInstances(database: Database): TaskInstances {
  const page = database
    .selectFrom('task_instance')
    .select(['instance_id', 'repo', 'body'])
    .orderBy('instance_id')
    .orderBy('repo')
    .limit(pageSize);

  return {
    ...readTaskInstances(database.selectFrom('task_instance'), database.selectFrom('repository').select('key')),

    save: (instances) =>
      database.transaction().execute(async (transaction) => {
        const saved = { added: 0, changed: 0, unchanged: 0 };
        for (const instance of instances) {
          const { instance_id, repo, language, difficulty, created_at } = instance;
          const row = { language, difficulty, created_at, usable: isUsable(instance), body: JSON.stringify(instance) };
          const written = await transaction
            .insertInto('task_instance')
            .values({ instance_id, repo, ...row })
            .onConflict((conflict) =>
              conflict
                .columns(['instance_id', 'repo'])
                .doUpdateSet(row)
                // What flags leave out may have changed where the flags have not.
                .where(
                  sql<boolean>`task_instance.body::text <> excluded.body::text OR task_instance.usable <> excluded.usable`,
                ),
            )
            // What no transaction has ever locked or replaced was inserted just now.
            .returning(sql<boolean>`xmax = 0`.as('added'))
            .executeTakeFirst();
          saved[written === undefined ? 'unchanged' : written.added ? 'added' : 'changed'] += 1;
        }
        return saved;
      }),

    async *each() {
      let last: { instance_id: string; repo: string } | undefined;
      do {
        const from = last;
        const rows = await page
          .$if(from !== undefined, (query) =>
            query.where(({ eb, refTuple, tuple }) =>
              eb(refTuple('instance_id', 'repo'), '>', tuple(from?.instance_id ?? '', from?.repo ?? '')),
            ),
          )
          .execute();
        for (const { body } of rows) yield body;
        last = rows.length < pageSize ? undefined : rows.at(-1);
      } while (last !== undefined);
    },
  };
}

/** One parameter, however many there are. */
const isOneOf = (column: 'repo', values: readonly string[] = []) =>
  sql<boolean>`${sql.ref(column)} = ANY(${values}::text[])`;

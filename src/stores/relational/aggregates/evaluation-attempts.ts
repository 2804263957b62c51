import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { EvaluationAttempt, KeptText } from '../../../model/evaluation-attempt.ts';
import type { EvaluationOutcome } from '../../../model/evaluation-outcome.ts';
import type { EvaluationRun } from '../../../model/evaluation-run.ts';
import type { Database } from '../database.ts';

/** One task in a run of a model. */
export interface AttemptId {
  runId: string;
  model: string;
  instanceId: string;
}

/** An attempt without its long texts: what became of it, and which of them are kept. Nothing is known of attempts before they were kept. */
export interface AttemptAnswer {
  outcome: EvaluationOutcome;
  answer: Pick<EvaluationAttempt, 'patch' | 'tests'> | null;
  hasLog: boolean;
  hasTrajectory: boolean;
}

/** What was answered in runs of models, and what was seen of it. */
export interface ReadEvaluationAttempts {
  /** Null where there is none. */
  get(id: AttemptId): Promise<AttemptAnswer | null>;
  /** Null where there is none. */
  text(id: AttemptId, of: 'log' | 'trajectory'): Promise<KeptText | null>;
}

export interface EvaluationAttempts extends ReadEvaluationAttempts {
  /** One whose outcome is kept, in place of what was. */
  save(run: Pick<EvaluationRun, 'run_id' | 'model'>, attempt: EvaluationAttempt): Promise<void>;
}

/** Those of one organization, over any engine. */
export function tenantEvaluationAttempts(database: Database, organizationId: string): EvaluationAttempts {
  return {
    async get({ runId, model, instanceId }) {
      const row = await database
        .selectFrom('evaluation_outcome as outcome')
        .leftJoin('evaluation_attempt as attempt', (join) =>
          join
            .onRef('attempt.organization_id', '=', 'outcome.organization_id')
            .onRef('attempt.run_id', '=', 'outcome.run_id')
            .onRef('attempt.model', '=', 'outcome.model')
            .onRef('attempt.instance_id', '=', 'outcome.instance_id'),
        )
        .where('outcome.organization_id', '=', organizationId)
        .where('outcome.run_id', '=', runId)
        .where('outcome.model', '=', model)
        .where('outcome.instance_id', '=', instanceId)
        .select(({ eb }) => [
          'outcome.body',
          'attempt.answer',
          eb('attempt.log', 'is not', null).as('has_log'),
          eb('attempt.trajectory', 'is not', null).as('has_trajectory'),
        ])
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        outcome: row.body,
        answer: row.answer && (await unpacked<AttemptAnswer['answer']>(row.answer)),
        hasLog: Boolean(row.has_log),
        hasTrajectory: Boolean(row.has_trajectory),
      };
    },

    async text({ runId, model, instanceId }, of) {
      const row = await database
        .selectFrom('evaluation_attempt')
        .where('organization_id', '=', organizationId)
        .where('run_id', '=', runId)
        .where('model', '=', model)
        .where('instance_id', '=', instanceId)
        .select(`${of} as packed`)
        .executeTakeFirst();
      return row?.packed ? unpacked<KeptText>(row.packed) : null;
    },

    async save({ run_id, model }, { instance_id, patch, tests, log, trajectory }) {
      const id = { organization_id: organizationId, run_id, model, instance_id };
      const packs = await Promise.all([packed({ patch, tests }), log && packed(log), trajectory && packed(trajectory)]);
      await database
        .deleteFrom('evaluation_attempt')
        .where('organization_id', '=', organizationId)
        .where('run_id', '=', run_id)
        .where('model', '=', model)
        .where('instance_id', '=', instance_id)
        .execute();
      await database
        .insertInto('evaluation_attempt')
        .values({ ...id, answer: packs[0], log: packs[1], trajectory: packs[2] })
        .execute();
    },
  };
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const packed = (value: object): Promise<Buffer> => compress(JSON.stringify(value));

const unpacked = async <Value>(bytes: Uint8Array): Promise<Value> =>
  JSON.parse((await decompress(bytes)).toString()) as Value;

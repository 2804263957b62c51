import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errors, type Client, type estypes } from '@elastic/elasticsearch';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { oneAtATime } from './batches.ts';
import { StoreUnavailable } from './errors.ts';

/** What writes has more time than a question. */
export const slow = { requestTimeout: 60_000 };

const patience = retry(handleWhen(isPassing), {
  maxAttempts: 4,
  backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: 4_000 }),
});

/**
 * A step of a load that may be done twice, again after some seconds where the server was too busy for it or broke off: nobody waits
 * for a load as for a question, and what it read is not to be read again.
 */
export function patiently<T>(step: () => Promise<T>): Promise<T> {
  return patience.execute(step);
}

/** Whether it will soon be over. A server that nobody listens at, or that has had a minute, is not asked again. */
function isPassing(failure: unknown): boolean {
  const error = failure instanceof StoreUnavailable ? failure.cause : failure;
  if (error instanceof errors.ResponseError) return [429, 502, 503, 504].includes(error.statusCode ?? 0);
  return (
    error instanceof errors.ConnectionError &&
    !(error instanceof errors.TimeoutError) &&
    !/ECONNREFUSED|ENOTFOUND/.test(error.message)
  );
}

/** The state as of one moment. */
export interface StateAt<State> {
  now: State;
  /** Another one after every change. */
  at: string;
}

/** The state of an index, which is one document: reads it, and changes it. */
export function createState<State>(client: Client, state: string) {
  const changing = oneAtATime();
  return {
    /** `options`: those of what writes, where it is not for a question. */
    async read(options: { requestTimeout?: number } = {}): Promise<State> {
      const { _source: now } = await client.get<State>({ index: state, id: 'state' }, options);
      return now as State;
    },

    /** The same with its moment. */
    async readAt(): Promise<StateAt<State>> {
      const { _source: now, ...found } = await client.get<State>({ index: state, id: 'state' });
      return { now: now as State, at: momentOf(found) };
    },

    /** Has it not changed since? */
    isAt: async ({ at }: StateAt<State>): Promise<boolean> =>
      momentOf(await client.get({ index: state, id: 'state', _source: false })) === at,

    /** Changes the state in one step; begins anew when somebody else changed it meanwhile. */
    change: (change: (now: State) => Promise<State> | State): Promise<void> =>
      changing(async () => {
        for (let attempt = 1; ; attempt++) {
          const { _source, _seq_no, _primary_term } = await patiently(() =>
            client.get<State>({ index: state, id: 'state' }, slow),
          );
          const document = await change(_source as State);
          try {
            const at = { if_seq_no: _seq_no ?? 0, if_primary_term: _primary_term ?? 0 };
            await patiently(() => client.index({ index: state, id: 'state', document, ...at }, slow));
            return;
          } catch (error) {
            if (attempt === 20 || !(error instanceof errors.ResponseError) || error.statusCode !== 409) throw error;
            await sleep(Math.random() * 50 * attempt);
          }
        }
      }),
  };
}

/** What `createState` makes. */
export type IndexState<State> = ReturnType<typeof createState<State>>;

function momentOf({ _primary_term, _seq_no }: { _primary_term?: number; _seq_no?: number }): string {
  return `${_primary_term} ${_seq_no}`;
}

/** Makes the index as it is written in index-mappings/, where it is not there yet. */
export async function createIndex(
  client: Client,
  index: string,
  mapping: string,
  options: { requestTimeout: number },
): Promise<void> {
  if (await client.indices.exists({ index }, options)) return;
  const body = JSON.parse(
    readFileSync(new URL(`../../index-mappings/${mapping}.json`, import.meta.url), 'utf8'),
  ) as Omit<estypes.IndicesCreateRequest, 'index'>;
  try {
    await client.indices.create({ index, ...body }, options);
  } catch (error) {
    // Another instance was first.
    if (!(error instanceof errors.ResponseError) || error.body?.error?.type !== 'resource_already_exists_exception')
      throw error;
  }
}

/** Whether this says that the server does not answer now. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return [401, 403, 429, 502, 503, 504].includes(error.statusCode ?? 0);
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import { errors, type Client } from '@elastic/elasticsearch';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { oneAtATime } from '../batches.ts';
import { StoreUnavailable } from '../errors.ts';

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

/** What readers see, in one document, so that it changes at one moment; searches look up `versions` and `hidden` in it. */
export interface State {
  versions: string[];
  /** Keys of contributors' documents that are not shown: another repository, first by name, has the same contributor. */
  hidden: string[];
  shown: { repository: string; generation: string; version: string; count: number }[];
  /** Versions that are being written, or wait to be deleted; since when. */
  writing: { version: string; at: number }[];
  retired: { version: string; at: number }[];
}

export const emptyState: State = { versions: [], hidden: [], shown: [], writing: [], retired: [] };

/** The state as of one moment. */
export interface StateAt {
  now: State;
  /** Another one after every change. */
  at: string;
}

/** Reads the state, and changes it. */
export function createState(client: Client, state: string) {
  const changing = oneAtATime();
  return {
    /** `options`: those of what writes, where it is not for a question. */
    async read(options: { requestTimeout?: number } = {}): Promise<State> {
      const { _source: now } = await client.get<State>({ index: state, id: 'state' }, options);
      return now as State;
    },

    /** The same with its moment. */
    async readAt(): Promise<StateAt> {
      const { _source: now, ...found } = await client.get<State>({ index: state, id: 'state' });
      return { now: now as State, at: momentOf(found) };
    },

    /** Has it not changed since? */
    isAt: async ({ at }: StateAt): Promise<boolean> =>
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

function momentOf({ _primary_term, _seq_no }: { _primary_term?: number; _seq_no?: number }): string {
  return `${_primary_term} ${_seq_no}`;
}

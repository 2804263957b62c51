import { setTimeout as sleep } from 'node:timers/promises';
import { errors, type Client, type estypes } from '@elastic/elasticsearch';
import { oneAtATime } from '../batches.ts';

/** What writes has more time than a question. */
export const slow = { requestTimeout: 60_000 };

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

/** Documents that are shown now, as a search asks for them. */
export function shownNow(state: string): estypes.QueryDslQueryContainer {
  return {
    bool: {
      filter: [{ terms: { version: { index: state, id: 'state', path: 'versions' } } }],
      must_not: [{ terms: { key: { index: state, id: 'state', path: 'hidden' } } }],
    },
  };
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

    /** Changes the state in one step; begins anew when somebody else changed it meanwhile. */
    change: (change: (now: State) => Promise<State> | State): Promise<void> =>
      changing(async () => {
        for (let attempt = 1; ; attempt++) {
          const { _source, _seq_no, _primary_term } = await client.get<State>({ index: state, id: 'state' }, slow);
          const document = await change(_source as State);
          try {
            const at = { if_seq_no: _seq_no ?? 0, if_primary_term: _primary_term ?? 0 };
            await client.index({ index: state, id: 'state', document, ...at }, slow);
            return;
          } catch (error) {
            if (attempt === 20 || !(error instanceof errors.ResponseError) || error.statusCode !== 409) throw error;
            await sleep(Math.random() * 50 * attempt);
          }
        }
      }),
  };
}

import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError } from './api.ts';
import type { Api } from './api.ts';
import type { Query } from './router.ts';

/** What became of a question: the answer before it is kept while the next one is on its way, so that nothing jumps. */
export interface Asked<T> {
  answer: T | null;
  error: ApiError | null;
  isLoading: boolean;
  again: () => void;
}

/** Asks whenever path or query change, and lets go of what is outdated; a path of null asks nothing. */
export function useAnswer<T>(api: Api, path: `/${string}` | null, query: Query = {}): Asked<T> {
  const ask = (signal: AbortSignal) => api.get<T>(path ?? '/', query, signal);
  return useAsked(api, path === null ? null : ask, `${path ?? ''} ${JSON.stringify(query)}`);
}

/** The same of a question that takes several requests; asked again whenever its text is another one. */
export function useAsked<T>(api: Api, ask: ((signal: AbortSignal) => Promise<T>) | null, question: string): Asked<T> {
  const [{ of, ...asked }, setAsked] = useState<Omit<Asked<T>, 'again'> & { of: string }>({
    answer: null,
    error: null,
    isLoading: ask !== null,
    of: question,
  });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (ask === null) {
      setAsked({ answer: null, error: null, isLoading: false, of: question });
      return;
    }
    const controller = new AbortController();
    setAsked(({ answer }) => ({ answer, error: null, isLoading: true, of: question }));
    ask(controller.signal).then(
      (answer) => {
        if (!controller.signal.aborted) setAsked({ answer, error: null, isLoading: false, of: question });
      },
      (error: unknown) => {
        if (!controller.signal.aborted)
          setAsked({ answer: null, error: asApiError(error), isLoading: false, of: question });
      },
    );
    return () => controller.abort();
  }, [api, question, attempt]);
  // Until the question is taken up, what stands here is of the one before.
  return {
    ...asked,
    isLoading: asked.isLoading || of !== question,
    again: useCallback(() => setAttempt((count) => count + 1), []),
  };
}

/** An error that people can be shown. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, { code: 'unexpected', detail: String(error) }, null);
}

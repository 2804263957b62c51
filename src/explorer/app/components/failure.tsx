import type { ApiError } from '../api.ts';

/** Says what went wrong, and offers to try again. */
export function Failure({ error, message, again }: { error?: ApiError; message?: string; again: () => void }) {
  return (
    <div class="state" role="alert">
      <h2>That did not work</h2>
      <p>{message ?? error?.message}</p>
      {error?.requestId && <p class="quiet">Request {error.requestId}</p>}
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}

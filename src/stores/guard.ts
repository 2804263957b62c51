import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleType,
  handleWhen,
  retry,
  SamplingBreaker,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import type { IBreaker, IPolicy } from 'cockatiel';
import { StoreUnavailable } from './errors.ts';

/** Calls to one server, so that a request neither waits long for it nor wears it down while it is away. */
export interface Guard {
  /** A question: asked once more when it failed fast. */
  read<T>(call: () => Promise<T>): Promise<T>;
  /** What must not be done twice. */
  write<T>(call: () => Promise<T>): Promise<T>;
}

/** How long an open circuit refuses everything; then one call tries whether the server is back. */
const restMs = 5_000;

/**
 * A circuit breaker, a timeout and a retry around one server; what they stop is a `StoreUnavailable`, and nothing but that counts
 * as a failure. The circuit opens at five failures in a row, or when half of ten or more calls within ten seconds failed.
 */
export function createGuard(store: StoreUnavailable['store'], { timeoutMs }: { timeoutMs: number }): Guard {
  const breaker = circuitBreaker(handleType(StoreUnavailable).orType(TaskCancelledError), {
    halfOpenAfter: restMs,
    breaker: eitherOf(
      new ConsecutiveBreaker(5),
      // It opens above its threshold, not at it.
      new SamplingBreaker({ threshold: 0.499, duration: 10_000, minimumRps: 1 }),
    ),
  });
  const limit = timeout(timeoutMs, TimeoutStrategy.Aggressive);

  // A tenth of all calls at most, so that a server in trouble is not given twice the work.
  let retriesLeft = 1;
  const again = retry(
    handleWhen((error) => error instanceof StoreUnavailable && retriesLeft >= 1),
    { maxAttempts: 1, backoff: new DelegateBackoff(() => 50 + Math.random() * 100) },
  );
  again.onRetry(() => (retriesLeft -= 1));

  const through = async <T>(policy: IPolicy, call: () => Promise<T>): Promise<T> => {
    try {
      // Else it would wait for the one call that tries.
      if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
      return await policy.execute(call);
    } catch (error) {
      const stopped = error instanceof BrokenCircuitError || error instanceof TaskCancelledError;
      throw stopped ? new StoreUnavailable(store, { cause: error }) : error;
    }
  };
  const reading = wrap(breaker, limit, again);
  const writing = wrap(breaker, limit);
  return {
    read: (call) => {
      retriesLeft = Math.min(10, retriesLeft + 0.1);
      return through(reading, call);
    },
    write: (call) => through(writing, call),
  };
}

/** Opens when one of the two would. */
function eitherOf(one: IBreaker, other: IBreaker): IBreaker {
  return {
    state: null,
    success(state) {
      one.success(state);
      other.success(state);
    },
    failure(state) {
      const opens = [one.failure(state), other.failure(state)];
      return opens.includes(true);
    },
  };
}

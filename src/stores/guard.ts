import { tracingChannel } from 'node:diagnostics_channel';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  noop,
  retry,
  SamplingBreaker,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import type { IBreaker, IPolicy } from 'cockatiel';
import { StoreBusy, StoreUnavailable } from './errors.ts';

/** How the calls to one server went so far. */
export interface Circuit {
  /** `open`: it is away, and nothing asks it; `half_open`: one call tries whether it is back. */
  readonly state: 'closed' | 'open' | 'half_open';
  readonly calls: number;
  /** Also those that an open circuit refused. */
  readonly failures: number;
  /** That all calls took together. */
  readonly seconds: number;
  readonly lastFailure: { at: Date; error: unknown } | null;
  /** Tells from now on when the server is found away or back. */
  onChange(listener: (state: Circuit['state']) => void): void;
}

/** Calls to one server, so that a request neither waits long for it nor wears it down while it is away. */
export interface Guard {
  readonly store: StoreUnavailable['store'];
  readonly circuit: Circuit;
  /** A question: asked once more when it failed fast. */
  read<T>(call: () => Promise<T>): Promise<T>;
  /** What must not be done twice. */
  write<T>(call: () => Promise<T>): Promise<T>;
}

/**
 * How each method of a port goes to its server. `unguarded`: what takes its time and says itself when it fails, such as a load or an
 * export. Of a member that is a port itself, the same.
 */
export type Calls<Port extends object> = {
  readonly [Name in keyof Port as Port[Name] extends object ? Name : never]: Port[Name] extends (
    ...args: never[]
  ) => unknown
    ? 'read' | 'write' | 'unguarded'
    : Port[Name] extends object
      ? Calls<Port[Name]>
      : never;
};

/** One guarded call of a port, for whoever traces. */
export interface TracedCall {
  readonly store: Guard['store'];
  /** The method, such as `neighbors` or `accounts.apiKeys`. */
  readonly name: string;
}
export const storeChannel = tracingChannel<unknown, TracedCall>('repo-intel:store');

/** The port, with each call going through the guard as `calls` says; `within`: what stands before the names of its methods. */
export function guarded<Port extends object>(port: Port, guard: Guard, calls: Calls<Port>, within = ''): Port {
  const members = Object.entries(calls as Record<string, 'read' | 'write' | 'unguarded' | Calls<object>>).map(
    ([member, how]) => {
      const name = within + member;
      const of = port[member as keyof Port];
      if (typeof how === 'object') return [member, guarded(of as object, guard, how, `${name}.`)];
      const call = (of as (...args: unknown[]) => Promise<unknown>).bind(port);
      if (how === 'unguarded') return [member, call];
      const { store } = guard;
      return [
        member,
        (...args: unknown[]) => storeChannel.tracePromise(() => guard[how](() => call(...args)), { store, name }),
      ];
    },
  );
  return { ...port, ...(Object.fromEntries(members) as Partial<Port>) };
}

const stateNames = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
} as const;

/** Whether the server is away; one that all our connections are busy with is not. */
const isOutage = (error: unknown) => error instanceof StoreUnavailable && !(error instanceof StoreBusy);

/** How long an open circuit refuses everything; then one call tries whether the server is back. */
const restMs = 5_000;

/**
 * A circuit breaker, a timeout and a retry around one server; what they stop is a `StoreUnavailable`, and nothing but that counts
 * as a failure. The circuit opens at five failures in a row, or when half of ten or more calls within ten seconds failed. Calls that
 * end in time by themselves need no timeout.
 */
export function createGuard(store: StoreUnavailable['store'], { timeoutMs }: { timeoutMs?: number } = {}): Guard {
  const breaker = circuitBreaker(handleWhen(isOutage).orType(TaskCancelledError), {
    halfOpenAfter: restMs,
    breaker: eitherOf(
      new ConsecutiveBreaker(5),
      // It opens above its threshold, not at it.
      new SamplingBreaker({ threshold: 0.499, duration: 10_000, minimumRps: 1 }),
    ),
  });
  const limit = timeoutMs === undefined ? noop : timeout(timeoutMs, TimeoutStrategy.Aggressive);

  // A tenth of all calls at most, so that a server in trouble is not given twice the work.
  let retriesLeft = 1;
  const again = retry(
    handleWhen((error) => isOutage(error) && retriesLeft >= 1),
    { maxAttempts: 1, backoff: new DelegateBackoff(() => 50 + Math.random() * 100) },
  );
  again.onRetry(() => (retriesLeft -= 1));

  const circuit = {
    get state() {
      return stateNames[breaker.state];
    },
    calls: 0,
    failures: 0,
    seconds: 0,
    lastFailure: null as Circuit['lastFailure'],
    onChange: (listener: (state: Circuit['state']) => void) =>
      void breaker.onStateChange((state) => listener(stateNames[state])),
  };

  const through = async <T>(policy: IPolicy, call: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    try {
      // Else it would wait for the one call that tries.
      if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
      return await policy.execute(call);
    } catch (error) {
      const refused = error instanceof BrokenCircuitError;
      const stopped = refused || error instanceof TaskCancelledError;
      if (stopped || error instanceof StoreUnavailable) circuit.failures++;
      if (!refused && (stopped || error instanceof StoreUnavailable)) circuit.lastFailure = { at: new Date(), error };
      throw stopped ? new StoreUnavailable(store, { cause: error }) : error;
    } finally {
      circuit.calls++;
      circuit.seconds += (performance.now() - began) / 1_000;
    }
  };
  const reading = wrap(breaker, limit, again);
  const writing = wrap(breaker, limit);
  return {
    store,
    circuit,
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

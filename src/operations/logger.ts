import { pino } from 'pino';
import type { DestinationStream, Level, Logger } from 'pino';
import { createRedactor } from './redact.ts';

/** A log of JSON lines, on standard error unless told; no line holds what looks like a secret or is one of `secrets`. */
export function createLogger({
  name,
  level,
  secrets,
  destination = standardError(),
}: {
  name: string;
  level: Level | 'silent';
  secrets: readonly string[];
  destination?: DestinationStream;
}): Logger {
  // On the finished line, so that no field and no depth is forgotten; pino's own `redact` takes 20 times as long with wildcards.
  const hooks = { streamWrite: createRedactor(secrets) };
  return pino({ name, level, hooks, serializers: { err: (error: unknown) => described(error) } }, destination);
}

/** A write for each line would cost as much as answering the request that it tells of. */
function standardError(): DestinationStream {
  const destination = pino.destination({ fd: 2, sync: false, minLength: 8_192 });
  setInterval(() => destination.flush(), 100).unref();
  return destination;
}

/** Of an error nothing else: drivers keep statements, arguments and headers in its properties. */
function described(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > 5) return { type: typeof error };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    stack,
    ...(cause === undefined ? {} : { cause: described(cause, depth + 1) }),
    ...(error instanceof AggregateError ? { errors: error.errors.map((one) => described(one, depth + 1)) } : {}),
  };
}

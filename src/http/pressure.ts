import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type Koa from 'koa';
import { HttpError } from './errors.ts';
import { problems } from './problems.ts';
import type { State } from './state.ts';

/** When new work is turned away, so that what was taken is answered in time. */
export interface Pressure {
  maxInFlight: number;
  /** 99th percentile, in two windows running: one long pause does not count, constant lag does. */
  maxEventLoopDelayMs: number;
  windowMs: number;
  /** Of the heap that V8 allows. */
  maxHeapShare: number;
}

/** How much is under way. */
export interface Load {
  /** Whether the process can answer one more in time. */
  hasRoom(): boolean;
  begin(): void;
  end(): void;
}

/**
 * As many in flight as the process can answer in time. While the event loop lags that is half as many each window, down to a
 * twentieth: to turn all away would help nobody.
 */
export function watchLoad(limits: Pressure): Load {
  const mostInFlight = watchProcess(limits);
  let inFlight = 0;
  return {
    hasRoom: () => inFlight < mostInFlight(),
    begin: () => void inFlight++,
    end: () => void inFlight--,
  };
}

/** Load shedding: 503 with Retry-After for what comes while there is no room; probes are let through. */
export function shedLoad(load: Load): Koa.Middleware<State> {
  return async (ctx, next) => {
    const probe = ctx.state.found.route?.probe ?? false;
    if (!probe && !load.hasRoom()) throw new HttpError(problems.overloaded, { headers: { 'Retry-After': '1' } });
    load.begin();
    try {
      await next();
    } finally {
      load.end();
    }
  };
}

function watchProcess({ maxInFlight, maxEventLoopDelayMs, windowMs, maxHeapShare }: Pressure): () => number {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const least = Math.ceil(maxInFlight / 20);
  let most = maxInFlight;
  let wasLate = false;
  let isFull = false;
  setInterval(() => {
    const isLate = delay.percentile(99) / 1e6 > maxEventLoopDelayMs;
    if (!isLate) most = Math.min(maxInFlight, most * 2);
    else if (wasLate) most = Math.max(least, Math.floor(most / 2));
    wasLate = isLate;
    const heap = getHeapStatistics();
    isFull = heap.used_heap_size / heap.heap_size_limit > maxHeapShare;
    delay.reset();
  }, windowMs).unref();
  return () => (isFull ? 0 : most);
}

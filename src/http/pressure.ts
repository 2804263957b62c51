import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type Koa from 'koa';
import { HttpError } from './errors.ts';
import { problems } from './problems.ts';
import type { State } from './state.ts';

/** When new work is turned away, so that what was taken is answered in time. */
export interface Pressure {
  maxInFlight: number;
  /** 99th percentile over about ten seconds: one long pause does not count, constant lag does. */
  maxEventLoopDelayMs: number;
  /** Of the heap that V8 allows. */
  maxHeapShare: number;
}

/** Load shedding: 503 with Retry-After beyond what `limits` says; probes are let through. */
export function shedLoad(limits: Pressure): Koa.Middleware<State> {
  const resolution = 10;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  let lagging = false;
  let full = false;
  setInterval(() => {
    if (delay.count < 100) return;
    lagging = delay.percentile(99) / 1e6 - resolution > limits.maxEventLoopDelayMs;
    const heap = getHeapStatistics();
    full = heap.used_heap_size / heap.heap_size_limit > limits.maxHeapShare;
    if (delay.count > 1_000) delay.reset();
  }, 1_000).unref();

  let inFlight = 0;
  return async (ctx, next) => {
    const probe = ctx.state.found.route?.probe ?? false;
    if (!probe && (inFlight >= limits.maxInFlight || lagging || full))
      throw new HttpError(problems.overloaded, { headers: { 'Retry-After': '1' } });
    inFlight++;
    try {
      await next();
    } finally {
      inFlight--;
    }
  };
}

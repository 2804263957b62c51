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

/** Load shedding: 503 with Retry-After beyond what `limits` says; probes are let through. */
export function shedLoad(limits: Pressure): Koa.Middleware<State> {
  const isStrained = watchProcess(limits);
  let inFlight = 0;
  return async (ctx, next) => {
    const probe = ctx.state.found.route?.probe ?? false;
    if (!probe && (inFlight >= limits.maxInFlight || isStrained()))
      throw new HttpError(problems.overloaded, { headers: { 'Retry-After': '1' } });
    inFlight++;
    try {
      await next();
    } finally {
      inFlight--;
    }
  };
}

function watchProcess({ maxEventLoopDelayMs, windowMs, maxHeapShare }: Pressure): () => boolean {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let lateWindows = 0;
  let full = false;
  setInterval(() => {
    const late = delay.percentile(99) / 1e6 > maxEventLoopDelayMs;
    lateWindows = late ? lateWindows + 1 : 0;
    const heap = getHeapStatistics();
    full = heap.used_heap_size / heap.heap_size_limit > maxHeapShare;
    delay.reset();
  }, windowMs).unref();
  return () => lateWindows >= 2 || full;
}

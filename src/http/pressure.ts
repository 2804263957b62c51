import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** When new work has to wait, so that what was taken is answered in time. */
export interface Pressure {
  maxInFlight: number;
  /** 99th percentile, in two windows running: one long pause does not count, constant lag does. */
  maxEventLoopDelayMs: number;
  windowMs: number;
  /** Of the heap that V8 allows. */
  maxHeapShare: number;
}

/**
 * How many requests the process can answer in time when it has them at once. While the event loop lags that is half as many each
 * window, down to a twentieth: to turn all away would help nobody. None while the heap is nearly full.
 */
export function watchProcess({ maxInFlight, maxEventLoopDelayMs, windowMs, maxHeapShare }: Pressure): () => number {
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

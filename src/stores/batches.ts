/** Gathers items into arrays of a bounded size: their number, or the sum of their weights, which the last one may exceed. */
export async function* batches<T>(
  items: Iterable<T> | AsyncIterable<T>,
  size: number,
  weightOf: (item: T) => number = () => 1,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let weight = 0;
  for await (const item of items) {
    batch.push(item);
    weight += weightOf(item);
    if (weight >= size) {
      yield batch;
      [batch, weight] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Hands on one item after another; while one is worked on, the next one is gathered. */
export async function whileGathering<T>(items: AsyncIterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  let working: Promise<unknown> = Promise.resolve();
  try {
    for await (const item of items) {
      await working;
      working = work(item);
      // Its failure is heard above; until then it is no unhandled one.
      working.catch(() => undefined);
    }
  } finally {
    await working;
  }
}

/** Runs one after another what is handed in; a failure of one does not stop the next. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work, work);
    last = run.catch(() => undefined);
    return run;
  };
}

/** The same for each name on its own: what has different names runs side by side. */
export function oneAtATimeByName(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { waiting: number; inTurn: ReturnType<typeof oneAtATime> }>();
  return async (name, work) => {
    const queue = queues.get(name) ?? { waiting: 0, inTurn: oneAtATime() };
    queues.set(name, queue);
    queue.waiting += 1;
    try {
      return await queue.inTurn(work);
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(name);
    }
  };
}

/** Runs work one at a time; all who ask while it runs share the run after it. */
export function sharedTurns<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    if (!next) {
      next = running.then(() => {
        next = null;
        return work();
      });
      running = next.catch(() => undefined);
    }
    return next;
  };
}

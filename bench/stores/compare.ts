/** Times of one question through the port and of the same sent raw, in milliseconds. */
export interface Comparison {
  question: string;
  samples: number;
  port: { p50: number; p99: number };
  raw: { p50: number; p99: number };
  /** Port to raw at p50. */
  ratio: number;
}

/** Asks each sample both ways, in turn and each first as often as the other, after one round that is not counted. */
export async function compare<T>(
  question: string,
  samples: readonly T[],
  ways: { port: (sample: T) => Promise<unknown>; raw: (sample: T) => Promise<unknown> },
  rounds = 3,
): Promise<Comparison> {
  const times = { port: [] as number[], raw: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    for (const [i, sample] of samples.entries()) {
      for (const way of (i + round) % 2 === 0 ? (['port', 'raw'] as const) : (['raw', 'port'] as const)) {
        const began = performance.now();
        await ways[way](sample);
        if (round > 0) times[way].push(performance.now() - began);
      }
    }
  }
  const [port, raw] = [percentiles(times.port), percentiles(times.raw)];
  return { question, samples: times.port.length, port, raw, ratio: port.p50 / raw.p50 };
}

function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

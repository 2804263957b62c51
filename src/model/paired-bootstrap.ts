const resamples = 2_000;

/** A difference of means with its 95 % interval. */
export interface Difference {
  mean: number;
  low: number;
  high: number;
  /** How often chance alone would make one as large, in either direction. */
  p: number;
}

/**
 * How two models differ over the tasks that both attempted: the mean of the tasks' differences, and its percentile interval over resamples
 * of the tasks (Efron, 1979). The same differences always give the same. Null without a task.
 */
export function pairedBootstrap(differences: readonly number[]): Difference | null {
  const count = differences.length;
  if (count === 0) return null;
  const mean = differences.reduce((a, b) => a + b, 0) / count;
  let state = 0x9e3779b9;
  // Numerical Recipes' generator: its high bits are even enough to choose a task by.
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
  const means = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let task = 0; task < count; task++) sum += differences[Math.floor((next() / 2 ** 32) * count)] ?? 0;
    return sum / count;
  }).sort();
  const at = (share: number) => means[Math.round(share * (resamples - 1))] ?? mean;
  const atMost = means.filter((each) => each <= 0).length;
  const atLeast = means.filter((each) => each >= 0).length;
  const p = Math.min(1, (2 * (Math.min(atMost, atLeast) + 1)) / (resamples + 1));
  return { mean, low: at(0.025), high: at(0.975), p };
}

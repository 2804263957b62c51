/** The standard normal distribution's 97.5th percentile. */
const z = 1.959964;

/** Wilson's score interval, at 95 %, of a share: so many of so many. Without a case it is all that a share may be. */
export function wilson(successes: number, cases: number): [low: number, high: number] {
  if (cases === 0) return [0, 1];
  const share = successes / cases;
  const middle = share + z ** 2 / (2 * cases);
  const half = z * Math.sqrt((share * (1 - share)) / cases + z ** 2 / (4 * cases ** 2));
  const whole = 1 + z ** 2 / cases;
  return [Math.max(0, (middle - half) / whole), Math.min(1, (middle + half) / whole)];
}

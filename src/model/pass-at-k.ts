/**
 * How likely one of k attempts at a task solves it, told from all attempts at it, of which `resolved` did: the unbiased estimate of Chen et
 * al., "Evaluating Large Language Models Trained on Code" (2021). Null where there are fewer attempts than k.
 */
export function passAtK({ attempts, resolved }: { attempts: number; resolved: number }, k: number): number | null {
  if (attempts < k) return null;
  let none = 1;
  for (let taken = 0; taken < k; taken++) none *= Math.max(0, attempts - resolved - taken) / (attempts - taken);
  return 1 - none;
}

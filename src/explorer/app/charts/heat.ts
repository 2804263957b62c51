/** So little is still seen to be something. */
const minShare = 0.06;
/** On more of the colour than this, dark text is harder to read than light text. */
const maxUnderDark = 0.85;

/**
 * How red a file is, from 0 to 1, beside the reddest of production: half as much is half as red, so that the few that matter stand out.
 * Tests are half as red as production, which is where a change costs the most.
 */
export function redOf(value: number, most: number, isTest: boolean): number {
  if (value <= 0) return 0;
  return Math.max(minShare, Math.min(1, value / most) * (isTest ? 0.5 : 1));
}

/** The most of production; of all where there is no production. */
export function mostOf<T extends { test?: boolean | undefined }>(files: readonly T[], valueOf: (file: T) => number) {
  const production = files.filter(({ test }) => !test);
  return Math.max(1, ...(production.length > 0 ? production : files).map(valueOf));
}

/** Whether text on so much of the colour is light. */
export const isDeep = (share: number) => share > maxUnderDark;

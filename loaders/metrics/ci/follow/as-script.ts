/** Words as a shell would have to be given them. */
export const asScript = (words: readonly string[]): string =>
  words.map((word) => (/[\s;&|()<>'"#`]/.test(word) ? `'${word.replaceAll("'", '')}'` : word)).join(' ');

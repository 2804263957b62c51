/** What is asked on the spot: by itself, for `quick.ts` must load little. */
export const questionNames = ['search', 'callers', 'callees', 'impact', 'path', 'source', 'query', 'dd'] as const;

export const isQuestion = (word: string | undefined): boolean => questionNames.some((name) => name === word);

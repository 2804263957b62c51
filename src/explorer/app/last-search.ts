/** What was searched for last, to go back to from the code. */
export const lastSearch = { query: '' };

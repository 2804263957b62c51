/** Comments of the usual forms. */
export const slashes = { line: ['//'], block: [['/*', '*/']] } as const;
export const hash = { line: ['#'], block: [] } as const;

/** Strings of the usual forms, as they begin and end. */
export const double = ['"', '"'] as const;
export const single = ["'", "'"] as const;
export const backtick = ['`', '`'] as const;
export const tripled = ['"""', '"""'] as const;

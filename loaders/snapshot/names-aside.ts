/** Where no production code is looked for, as a part of a path or of a module's name. */
const place =
  /(?:^|[./])(?:tests?|__tests__|specs?|fixtures?|testdata|examples?|samples?|docs?|demos?|vendor|third_party|node_modules|dist|build|out)[./]/i;
/** Of which one stands in every text that has such names. */
const mayName =
  /\b(?:tests?(?:__)?|specs?|fixtures?|testdata|examples?|samples?|docs?|demos?|vendor|third_party|node_modules|dist|build|out)[./]|_tests__[./]/i;
const quoted = /["'`]([\w@./*-]{3,160})["'`]/g;
/** What lists files by a pattern stands before it; one that only leaves them out does not. */
const lists = /(?:glob\w{0,6}|sync|readdir\w{0,4}|listdir|scandir)\(\s?$/i;
const data = /\.(?:json5?|ya?ml|toml|ini|cfg|txt)$/i;
const maxNames = 40;

export const isPlaceAside = (path: string): boolean => place.test(path);

/** Texts in quotes that look like names of files or modules there; `withData` those of data as well. */
export function namesAside(text: string, { withData = false } = {}): string[] {
  if (!withData && !mayName.test(text)) return [];
  const found = new Set<string>();
  for (const { 1: name = '', index } of text.matchAll(quoted)) {
    const isMany = name.includes('*') || name.endsWith('/');
    const isListed = isMany && lists.test(text.slice(Math.max(0, index - 20), index));
    if (isMany ? isListed && place.test(name) : place.test(name) || (withData && data.test(name))) found.add(name);
    if (found.size >= maxNames) break;
  }
  return [...found];
}

import { languageOf } from '../snapshot/language-of.ts';
import { anyOf } from '../snapshot/linguist/any-of.ts';
import { documentation } from '../snapshot/linguist/documentation.ts';
import { generatedPaths } from '../snapshot/linguist/generated.ts';
import { vendored } from '../snapshot/linguist/vendored.ts';

/** What a file is to a fix. What is made by tools belongs to it, but says nothing of its size. */
export type PathKind = 'test' | 'made_by_tools' | 'code' | 'documentation' | 'other';

const madeByTools = anyOf([
  ...generatedPaths,
  ...vendored,
  /\.lock$/,
  /(^|\/)(go\.sum|dist\/.*)$/,
  /[.-]min\.([cm]?js|css)$/,
]);
const isDocumentation = anyOf([...documentation, /\.(md|mdx|markdown|rst|adoc|txt|pod|tex)$/i]);

/** Tells kinds by paths, and remembers them: a history names the same ones over and over. */
export function pathKinds(rules: {
  isTest: (path: string) => boolean;
  /** Further bounds what may count as code. */
  isSource: (path: string) => boolean;
}): (path: string) => PathKind {
  const known = new Map<string, PathKind>();
  const kindOf = (path: string): PathKind => {
    if (rules.isTest(path)) return 'test';
    if (madeByTools(path)) return 'made_by_tools';
    if (isDocumentation(path)) return 'documentation';
    return languageOf(path) !== null && rules.isSource(path) ? 'code' : 'other';
  };
  return (path) => {
    const kind = known.get(path) ?? kindOf(path);
    known.set(path, kind);
    return kind;
  };
}

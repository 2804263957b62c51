import type { LanguageFn } from 'highlight.js';
import { createLowlight } from 'lowlight';

/** A piece of one line: what it is, as highlight.js calls it; the empty text where it is nothing special. */
export interface Token {
  text: string;
  kind: string;
}

/** By linguist's names; each is loaded when it is first looked at. */
const grammars: Readonly<Record<string, () => Promise<{ default: LanguageFn }>>> = {
  C: () => import('highlight.js/lib/languages/c'),
  'C#': () => import('highlight.js/lib/languages/csharp'),
  'C++': () => import('highlight.js/lib/languages/cpp'),
  CSS: () => import('highlight.js/lib/languages/css'),
  Dart: () => import('highlight.js/lib/languages/dart'),
  Dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  Elixir: () => import('highlight.js/lib/languages/elixir'),
  Go: () => import('highlight.js/lib/languages/go'),
  Groovy: () => import('highlight.js/lib/languages/groovy'),
  HTML: () => import('highlight.js/lib/languages/xml'),
  Java: () => import('highlight.js/lib/languages/java'),
  JavaScript: () => import('highlight.js/lib/languages/javascript'),
  JSON: () => import('highlight.js/lib/languages/json'),
  Kotlin: () => import('highlight.js/lib/languages/kotlin'),
  Lua: () => import('highlight.js/lib/languages/lua'),
  Makefile: () => import('highlight.js/lib/languages/makefile'),
  Markdown: () => import('highlight.js/lib/languages/markdown'),
  'Objective-C': () => import('highlight.js/lib/languages/objectivec'),
  Perl: () => import('highlight.js/lib/languages/perl'),
  PHP: () => import('highlight.js/lib/languages/php'),
  Python: () => import('highlight.js/lib/languages/python'),
  R: () => import('highlight.js/lib/languages/r'),
  Ruby: () => import('highlight.js/lib/languages/ruby'),
  Rust: () => import('highlight.js/lib/languages/rust'),
  Scala: () => import('highlight.js/lib/languages/scala'),
  Shell: () => import('highlight.js/lib/languages/bash'),
  SQL: () => import('highlight.js/lib/languages/sql'),
  Swift: () => import('highlight.js/lib/languages/swift'),
  TOML: () => import('highlight.js/lib/languages/ini'),
  TSX: () => import('highlight.js/lib/languages/typescript'),
  TypeScript: () => import('highlight.js/lib/languages/typescript'),
  Vue: () => import('highlight.js/lib/languages/xml'),
  XML: () => import('highlight.js/lib/languages/xml'),
  YAML: () => import('highlight.js/lib/languages/yaml'),
};

const byName = new Map(Object.entries(grammars).map(([name, load]) => [name.toLowerCase(), load]));

/** Longer texts, and longer lines, are shown as they are: what is generated would hold up the page. */
const maxLength = 400_000;
const maxLineLength = 5_000;

/** The text in lines of pieces; each line is one piece where the language is not known. */
export async function highlight(lines: readonly string[], language: string | null): Promise<Token[][]> {
  const load = byName.get((language ?? '').toLowerCase());
  const text = lines.join('\n');
  if (load === undefined || text.length > maxLength || lines.some(({ length }) => length > maxLineLength))
    return plain(lines);
  const lowlight = createLowlight({ code: (await load()).default });
  const all: Token[][] = [[]];
  collect(lowlight.highlight('code', text), '', all);
  return all;
}

/** The same without colours, at once. */
export const plain = (lines: readonly string[]): Token[][] => lines.map((text) => [{ text, kind: '' }]);

interface Tree {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly Tree[];
}

function collect({ value, properties, children = [] }: Tree, around: string, lines: Token[][]): void {
  if (value !== undefined)
    value.split('\n').forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ text, kind: around });
    });
  const own = Array.isArray(properties?.className) ? properties.className.join(' ') : around;
  for (const child of children) collect(child, own, lines);
}

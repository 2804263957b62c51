import type { OccurrencesAnswer } from '../../../graph/occurrences.ts';
import type { Token } from './highlight.ts';

type Definition = OccurrencesAnswer['definitions'][number];
type Reference = OccurrencesAnswer['references'][number];

/** A piece of a line; with the symbol that it names, where the graph knows it. */
export interface LinkedToken extends Token {
  symbol?: { id: string; title: string; isDefinition: boolean };
}

const identifier = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Whether names in it are code: what is embedded in a string is. */
const isCode = ({ kind }: Token) => !/hljs-(?:string|comment|regexp|doctag|number|quote)/.test(kind);

/**
 * Ties names to what they stand for. The graph knows of each reference the first line, and how many there are within one definition:
 * a name is tied on that line, and on others of the definition where it occurs no more often than the graph has counted.
 */
export function linkNames(
  lines: readonly (readonly Token[])[],
  firstLine: number,
  { definitions, references }: Pick<OccurrencesAnswer, 'definitions' | 'references'>,
): LinkedToken[][] {
  const known = referencesByName(references);
  const around = innermost(definitions);
  const names = new Set([...definitions.map(({ name }) => name), ...known.names]);
  const pieces = lines.map((tokens) => tokens.flatMap((token) => (isCode(token) ? cut(token, names) : [token])));
  const places = pieces.map((tokens, index) => ({
    tokens,
    line: firstLine + index,
    within: around(firstLine + index),
  }));
  const counts = new Map<string, number>();
  for (const { tokens, line, within } of places)
    for (const token of tokens)
      if (isName(token) && !isDefinedOn(within, token.text, line)) {
        const key = keyOf(within?.id, token.text);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  const seen = new Set<string>();
  return places.map(({ tokens, line, within }) =>
    tokens.map((token): LinkedToken => {
      if (!isName(token)) return token;
      const defined = definitions.find((each) => each.line === line && each.name === token.text);
      if (defined !== undefined && !seen.has(defined.id)) {
        seen.add(defined.id);
        return { ...token, symbol: { id: defined.id, title: titleOf(defined), isDefinition: true } };
      }
      const key = keyOf(within?.id, token.text);
      const found = known.at(key);
      const here = found.find((each) => each.line === line);
      const isCounted = (counts.get(key) ?? 0) <= found.reduce((sum, { weight }) => sum + weight, 0);
      const isOne = new Set(found.map(({ to }) => to.id)).size === 1;
      const target = here?.to ?? (isOne && isCounted ? found[0]?.to : undefined);
      return target === undefined
        ? token
        : { ...token, symbol: { id: target.id, title: titleOf(target), isDefinition: false } };
    }),
  );
}

const keyOf = (definition: string | undefined, name: string) => `${definition ?? ''}\n${name}`;
const isName = (token: Token) => isCode(token) && /^[\p{L}_$]/u.test(token.text);
const isDefinedOn = (within: Definition | null, name: string, line: number) =>
  within?.line === line && within.name === name;

function titleOf({
  kind,
  name,
  qualified_name,
  path,
  line,
}: {
  kind: string | null;
  name: string;
  qualified_name: string | null;
  path?: string | null;
  line: number | null;
}): string {
  return [kind, qualified_name ?? name, path && `in ${path}:${line ?? 1}`].filter(Boolean).join(' ');
}

/** In the text a constructor has the name of its class. */
function namesOf({ name, qualified_name }: Reference['to']): string[] {
  const around = qualified_name?.split(/[.:#]+/).at(-2);
  return [name.replace(/[?!=]$/, ''), ...(around === undefined ? [] : [around])];
}

function referencesByName(references: readonly Reference[]) {
  const found = new Map<string, Reference[]>();
  const add = (key: string, reference: Reference) => found.set(key, [...(found.get(key) ?? []), reference]);
  const names = new Set<string>();
  for (const reference of references) {
    const [own, around] = namesOf(reference.to);
    const isConstructor = reference.to.kind === 'constructor';
    for (const name of isConstructor ? [own, around] : [own])
      if (name !== undefined) {
        names.add(name);
        add(keyOf(reference.from, name), reference);
      }
  }
  return { names, at: (key: string) => found.get(key) ?? [] };
}

/** The definition that a line lies in, the smallest of several. */
function innermost(definitions: readonly Definition[]): (line: number) => Definition | null {
  const spans = definitions.filter(({ line }) => line !== null).toSorted((a, b) => lengthOf(a) - lengthOf(b));
  return (line) => spans.find((each) => (each.line ?? 0) <= line && line <= (each.end_line ?? each.line ?? 0)) ?? null;
}

const lengthOf = ({ line, end_line }: Definition) => (end_line ?? line ?? 0) - (line ?? 0);

/** Names of these apart from what is around them. */
function cut(token: Token, names: ReadonlySet<string>): Token[] {
  const pieces: Token[] = [];
  let from = 0;
  for (const { 0: name, index } of token.text.matchAll(identifier)) {
    if (!names.has(name)) continue;
    if (index > from) pieces.push({ text: token.text.slice(from, index), kind: token.kind });
    pieces.push({ text: name, kind: token.kind });
    from = index + name.length;
  }
  if (from < token.text.length) pieces.push({ text: token.text.slice(from), kind: token.kind });
  return pieces;
}

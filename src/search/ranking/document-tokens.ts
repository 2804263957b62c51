import { nameOfKey } from '../../model/repository-key.ts';
import type { IndexedDocument, SearchDocument } from '../../model/search-document.ts';
import { contentToken } from './content.ts';
import { acronymToken, exactToken, nameTokens, textTokens } from './tokens.ts';

/** The fields that words are looked for in, best first; each engine has one column or field for each. */
export const fields = ['name', 'qualified', 'path', 'text'] as const;

/**
 * The same of declared names, and of files the last one, which have only these: so what is rare or mistyped among the names of
 * functions and classes does not depend on how many constants and fields there are.
 */
export const declaredFields = ['declared', 'declared_in', 'declared_path'] as const;

/** Those in which words follow one another. */
export const phraseFields = [...fields, ...declaredFields] as const;
/** `words`: what a sentence may be about that no name and no prose says; `content`: all words of a file, by how much of it they are. */
export const allFields = [...phraseFields, 'words', 'content'] as const;
export type AnyField = (typeof allFields)[number];

/** In which of a group of fields something is. */
export type Anywhere = 'anywhere' | 'everywhere' | 'declared_anywhere';

/** A document's tokens by field, in the text's order; name and qualified name also as a whole, that of a node also by its acronym. */
export function documentTokens(document: IndexedDocument): Record<AnyField, string[]> {
  if (document.type === 'File') return tokensOfFile(document);
  return document.declared === undefined ? tokensOfNode(document) : tokensOfDeclared(document, document.declared);
}

const nothing: Record<AnyField, string[]> = {
  name: [],
  qualified: [],
  path: [],
  text: [],
  declared: [],
  declared_in: [],
  declared_path: [],
  words: [],
  content: [],
};

function tokensOfNode(document: SearchDocument): Record<AnyField, string[]> {
  const { name, qualified_name, repository, type, kind, language, signature, doc, details, words = [] } = document;
  const about = type === 'Repository' ? aboutOf(document) : null;
  const acronym = acronymToken(name);
  return {
    ...nothing,
    name: [...tokensOfName(name), ...(acronym === null ? [] : [acronym])],
    qualified: [
      ...textTokens(join(repository === null ? null : nameOfKey(repository), qualified_name, about)),
      ...(qualified_name === null ? [] : [exactToken(qualified_name)]),
    ],
    path: textTokens(document.path ?? ''),
    text: textTokens(join(type, kind, language, signature, doc, details)),
    words: [...words],
  };
}

/** A repository is called by its name least of all: what it is about and its language are to it what classes are to methods. */
export function aboutOf({ doc, topics = [], language }: SearchDocument): string {
  const called = language === null ? [] : (otherNames[language.toLowerCase()] ?? []);
  return join(...[doc, language].map((text) => text?.slice(0, maxAbout) ?? null), ...topics, ...called);
}

const maxAbout = 400;
/** As people call languages beside linguist's names. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  go: ['golang'],
  javascript: ['js', 'node', 'nodejs'],
  typescript: ['ts', 'js', 'javascript', 'node', 'nodejs'],
  python: ['py', 'python3'],
  'c++': ['cpp', 'cxx'],
  'c#': ['csharp', 'dotnet'],
  ruby: ['rb'],
  rust: ['rs'],
  kotlin: ['jvm'],
  java: ['jvm'],
  scala: ['jvm'],
};

/** What it is declared in, and where, of all its places; each part once, for no phrase spans them. */
function tokensOfDeclared(
  document: SearchDocument,
  { places }: NonNullable<SearchDocument['declared']>,
): Record<AnyField, string[]> {
  const { name, repository } = document;
  const around = textTokens(
    join(repository === null ? null : nameOfKey(repository), ...places.map((each) => each.in ?? null)),
  );
  return {
    ...nothing,
    declared: tokensOfName(name),
    declared_in: once([...around, ...qualifiedNames(document).map(exactToken)]),
    declared_path: once(textTokens(join(...places.map(({ path }) => path)))),
  };
}

function tokensOfFile({ path, content = [] }: IndexedDocument): Record<AnyField, string[]> {
  return {
    ...nothing,
    declared_path: textTokens(path ?? ''),
    content: content.flatMap((words, level) => words.map((word) => contentToken(word, level))),
  };
}

const tokensOfName = (name: string) => [...nameTokens(name), exactToken(name)];

/** All that a document is called beside its name: a declared name may be several classes'. */
export function qualifiedNames({ name, qualified_name, declared }: SearchDocument): string[] {
  if (declared === undefined) return qualified_name === null ? [] : [qualified_name];
  return [...new Set(declared.places.flatMap((each) => (each.in === undefined ? [] : [`${each.in}.${name}`])))];
}

const once = (tokens: readonly string[]) => [...new Set(tokens)];

function join(...texts: (string | null)[]): string {
  return texts.filter((text) => text !== null).join(' ');
}

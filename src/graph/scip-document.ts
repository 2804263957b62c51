import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { EdgeType, GraphNode } from '../model/graph.ts';

/** What a definition refers to, once. */
export interface Reference {
  type: EdgeType;
  to: GraphNode;
  /** Where in its file that stands, from 1; null where it is not known. */
  line: number | null;
}

/** A file, with the functions and classes that it defines. */
export interface DefiningFile {
  path: string;
  /** Linguist's name. */
  language: string | null;
  text: string;
  definitions: { node: GraphNode; references: Reference[] }[];
}

/** What an index says of itself, before its documents: who made it, and of what. */
export function scipMetadata(repository: string, version: string): Uint8Array {
  const writer = new BinaryWriter();
  message(writer, 1, (metadata) => {
    message(metadata, 2, (tool) => {
      text(tool, 1, scheme);
      text(tool, 2, version);
    });
    // Where it lies on a disk is for who reads it to say.
    text(metadata, 3, `file:///${encodeURIComponent(repository)}`);
    number(metadata, 4, utf8);
  });
  return writer.finish();
}

/** A file as a document of an index (https://github.com/sourcegraph/scip): messages put behind one another are one index. */
export function scipDocument({ path, language, text: source, definitions }: DefiningFile): Uint8Array {
  const lines = source.split(/\r?\n/);
  const said: Said = { defined: new Set(), referred: new Set() };
  const writer = new BinaryWriter();
  message(writer, 2, (document) => {
    text(document, 1, path);
    for (const { node } of definitions) definition(document, node, lines, said);
    for (const { references } of definitions) for (const each of references) reference(document, each, lines, said);
    for (const { node, references } of definitions) symbolInformation(document, node, references);
    if (language !== null) text(document, 4, languages[language] ?? language);
    number(document, 6, utf16);
  });
  return writer.finish();
}

/** How its own words begin. */
const scheme = 'repo-intel';
/** Roles of an occurrence. */
const [isDefinition, isImport] = [1, 2];
/** Encodings of a text, and of the positions in it. */
const [utf8, utf16] = [1, 2];

/** Linguist's names that SCIP has another one for. */
const languages: Readonly<Record<string, string>> = {
  TSX: 'TypeScriptReact',
  'C#': 'CSharp',
  'C++': 'CPP',
  Shell: 'ShellScript',
};

/** By our kinds. */
const kinds: Readonly<Record<string, number>> = {
  class: 7,
  constructor: 9,
  enum: 11,
  function: 17,
  interface: 21,
  method: 26,
  record: 7,
  struct: 49,
  type: 54,
};

/**
 * The symbol of a function or class, from its id alone: `repo-intel git payments-api . src/`url.ts`/Url#parse().` It has no version,
 * as the graph has one commit of each repository: so the indexes of two repositories fit together whenever they were exported.
 */
function symbolOf({ id, type, name, qualified_name, repository, path }: GraphNode): string {
  const own = qualified_name ?? name;
  const ordinal = id.slice(`${repository}/${path}#${own}`.length + 1);
  const prefix = own.endsWith(`.${name}`) ? own.slice(0, -name.length - 1) : own;
  const around = own === name ? [] : /^\.|\.\.|\.$/.test(prefix) ? [prefix] : prefix.split('.');
  const descriptors = [
    ...(path ?? '').split('/').map((part) => `${escaped(part)}/`),
    ...around.map((part) => `${escaped(part)}#`),
    // Only methods have a sign for those that have the name of another.
    ...(type === 'Class' ? [ordinal === '' ? '' : `${escaped(`@${ordinal}`)}/`, `${escaped(name)}#`] : []),
    ...(type === 'Class' ? [] : [`${escaped(name)}(${ordinal.replaceAll(/[^\w$+-]/g, '+')}).`]),
  ];
  return `${scheme} git ${(repository ?? '.').replaceAll(' ', '  ')} . ${descriptors.join('')}`;
}

const escaped = (name: string) => (/^[\w$+-]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``);

/** What was said of a document so far: places that define something, and what stands at others. */
interface Said {
  defined: Set<string>;
  referred: Set<string>;
}

function definition(document: BinaryWriter, node: GraphNode, lines: readonly string[], { defined }: Said): void {
  const { name, line, end_line: end } = node;
  const source = lines[(line ?? 0) - 1];
  if (line === null || source === undefined) return;
  // A name that comes from elsewhere, as from a file's, is defined by the whole line.
  const whole = { column: indentOf(source), length: source.trim().length };
  const range = columnOf(source, line, [name], defined) ?? whole;
  defined.add(placeOf(line, range.column));
  occurrence(document, { line, ...range }, symbolOf(node), isDefinition, [
    line - 1,
    indentOf(source),
    Math.max(end ?? line, line) - 1,
    lines[Math.max(end ?? line, line) - 1]?.length ?? 0,
  ]);
}

/** Says nothing where the name of what is meant does not stand on the line, or the line is not known. */
function reference(
  document: BinaryWriter,
  { type, to, line }: Reference,
  lines: readonly string[],
  { defined, referred }: Said,
): void {
  const source = line === null ? undefined : lines[line - 1];
  if (line === null || source === undefined) return;
  // A constructor is called by the name of its class.
  const [owner = ''] = (to.qualified_name ?? '').split('.').slice(-2);
  const range = columnOf(source, line, to.kind === 'constructor' ? [to.name, owner] : [to.name], defined);
  if (range === null) return;
  const [symbol, role] = [symbolOf(to), type === 'IMPORTS' ? isImport : 0];
  const key = `${placeOf(line, range.column)} ${role} ${symbol}`;
  if (referred.has(key)) return;
  referred.add(key);
  occurrence(document, { line, ...range }, symbol, role);
}

/** The first place on a line at which one of these names stands as a word that defines nothing; in UTF-16 units. */
function columnOf(source: string, line: number, names: readonly string[], defined: ReadonlySet<string>) {
  for (const name of names) {
    for (let at = name === '' ? -1 : source.indexOf(name); at >= 0; at = source.indexOf(name, at + 1)) {
      const end = at + name.length;
      const isPart =
        (isLetter(source[at - 1]) && isLetter(name[0])) || (isLetter(source[end]) && isLetter(name.at(-1)));
      if (!isPart && !defined.has(placeOf(line, at))) return { column: at, length: name.length };
    }
  }
  return null;
}

const isLetter = (unit = '') => /^[\p{L}\p{N}_$]$/u.test(unit);
const placeOf = (line: number, column: number) => `${line}:${column}`;
const indentOf = (source: string) => source.length - source.trimStart().length;

function occurrence(
  document: BinaryWriter,
  { line, column, length }: { line: number; column: number; length: number },
  symbol: string,
  role: number,
  enclosing: readonly number[] = [],
): void {
  message(document, 2, (writer) => {
    numbers(writer, 1, [line - 1, column, column + length]);
    text(writer, 2, symbol);
    number(writer, 3, role);
    numbers(writer, 7, enclosing);
  });
}

function symbolInformation(document: BinaryWriter, node: GraphNode, references: readonly Reference[]): void {
  message(document, 3, (information) => {
    text(information, 1, symbolOf(node));
    if (node.doc !== null) text(information, 3, node.doc);
    for (const { type, to } of references) {
      if (type !== 'INHERITS') continue;
      message(information, 4, (relationship) => {
        text(relationship, 1, symbolOf(to));
        number(relationship, 3, 1);
      });
    }
    number(information, 5, kinds[node.kind ?? ''] ?? 0);
    text(information, 6, node.name);
    if (node.signature !== null) {
      const { signature, language } = node;
      message(information, 7, (signed) => {
        if (language !== null) text(signed, 4, languages[language] ?? language);
        text(signed, 5, signature);
      });
    }
  });
}

function message(writer: BinaryWriter, field: number, write: (inner: BinaryWriter) => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}

const text = (writer: BinaryWriter, field: number, value: string) =>
  writer.tag(field, WireType.LengthDelimited).string(value);

function number(writer: BinaryWriter, field: number, value: number): void {
  if (value !== 0) writer.tag(field, WireType.Varint).int32(value);
}

function numbers(writer: BinaryWriter, field: number, values: readonly number[]): void {
  if (values.length === 0) return;
  message(writer, field, (packed) => {
    for (const value of values) packed.int32(value);
  });
}

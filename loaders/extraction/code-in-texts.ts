import { isBinary, isCall, isString } from '../detectors/insecure-code/syntax.ts';
import { Node, type SyntaxTree, typesThat } from '../facts/syntax-tree.ts';
import { holdsEncoded, minEncoded, openDecoder } from '../snapshot/encoded-text.ts';
import { likeness } from '../snapshot/language-of-content.ts';

/** Code that stands in a source as text. */
export interface CodeInText {
  code: string;
  /** Linguist's name. */
  language: string;
  /** The lines that it stands on, from 1 and both among them. */
  line: number;
  endLine: number;
  /** Its lines are no lines of code. */
  isComment?: true;
}

/** What runs text as code, by the id of the language. */
const ecmascript = /^(?:new )?(?:\w+\.)?(?:eval|Function|runIn(?:This|New)?Context|compileFunction|Script|_compile)$/;
const runs: Readonly<Record<string, RegExp>> = {
  javascript: ecmascript,
  typescript: ecmascript,
  tsx: ecmascript,
  python: /^(?:\w+\.)?(?:eval|exec|compile|runcode|runsource|run_string)$/,
  ruby: /(?:^|\.)(?:eval|instance_eval|class_eval|module_eval)$/,
  php: /^(?:eval|create_function|assert)$/,
  lua: /^(?:loadstring|load|dostring)$/,
  shell: /^(?:eval|bash|sh|zsh|node|deno|bun|python[\d.]{0,5}|ruby|perl|php)$/,
  elixir: /^Code\.(?:eval_string|compile_string|eval_quoted)$/,
};

/** Of which one is where text is run in any language. */
const words =
  /eval|exec|Function|runIn|Script|_compile|compile|runcode|runsource|run_string|assert|load|dostring|bash|zsh|sh\s|\s-[cer]\s/;

/** Whether a source may hold such. */
export const mayRunText = (language: string, source: string): boolean =>
  language in runs && (words.test(source) || holdsEncoded(source));

/** Shorter texts and those of fewer lines are no code that somebody hides. */
const minCharacters = minEncoded;
const maxName = 60;
/** Texts within texts and lists are read so often, so that a file takes a time in proportion to its size. */
const maxNested = 8;
const isList = typesThat((name) =>
  /^(?:array|list|tuple|array_creation_expression|table_constructor|object|dictionary|hash)$/.test(name),
);
const isPair = typesThat((name) => /^(?:pair|array_element_initializer)$/.test(name));

/**
 * Code that stands as text in a file that runs text, or encoded in any: what would be measured if it stood there as code. Texts that are put together of
 * several are read as one, those of a list as lines or as pieces of lines, encoded ones as what they are encoded of.
 */
export function codeInTexts(root: Node, language: string): CodeInText[] {
  const runner = runs[language];
  const { tree } = root;
  if (!runner || tree.source.length < minCharacters) return [];
  // What is encoded may be run by another file.
  const isRun = words.test(tree.source) && runsText(root, runner);
  if (!isRun && !holdsEncoded(tree.source)) return [];
  const reading = { decode: openDecoder(), joinsPieces: joinsPieces.test(tree.source) };
  const found: CodeInText[] = [];
  const end = tree.type.length;
  // Where those around end that were looked at.
  const around: number[] = [];
  for (let id = 0; id < end; id++) {
    while ((around.at(-1) ?? end) <= id) around.pop();
    const type = tree.type[id] ?? 0;
    const isNote = isComment(tree, type);
    if (!isText(tree, type) && !isNote) continue;
    const deepest = maxNested * (isString(tree, type) ? 2 : 1);
    if (lengthOf(tree, id) < minCharacters || around.length >= deepest) continue;
    if (isPartOfSum(tree, id)) continue;
    around.push(tree.next[id] ?? end);
    if (!isRun && !isString(tree, type)) continue;
    const read = isRun ? codeAt(root, id, reading) : encodedCodeAt(root, id, reading);
    if (read === null) continue;
    const node = new Node(tree, id);
    const lines = { line: node.startPosition.row + 1, endLine: node.endPosition.row + 1 };
    found.push({ ...read, ...lines, ...(isNote && { isComment: true }) });
    id = (tree.next[id] ?? end) - 1;
  }
  return found;
}

/** Of a sum of many texts the whole was looked at. */
const isPartOfSum = (tree: SyntaxTree, id: number) =>
  isBinary(tree, tree.type[id] ?? 0) && isBinary(tree, tree.type[tree.parent[id] ?? 0] ?? 0);
const lengthOf = (tree: SyntaxTree, id: number) => (tree.end[id] ?? 0) - (tree.start[id] ?? 0);

interface Reading {
  decode: (text: string) => string;
  /** Something is put together of pieces without anything between them; else a list is one of lines. */
  joinsPieces: boolean;
}

function codeAt(
  root: Node,
  id: number,
  { decode, joinsPieces }: Reading,
): Pick<CodeInText, 'code' | 'language'> | null {
  const { tree } = root;
  const type = tree.type[id] ?? 0;
  const isNote = isComment(tree, type);
  const texts = isNote ? [insideOf(tree.source.slice(tree.start[id], tree.end[id]))] : textsAt(root, id);
  const isPieces = isList(tree, type) && joinsPieces && texts.every((text) => text.length <= maxPiece);
  for (const between of isList(tree, type) ? (isPieces ? ['\n', ''] : ['\n']) : ['']) {
    const code = unindented(decode(texts.join(between)));
    const language = likeness(code);
    if (language !== null) return { code, language };
  }
  return null;
}

const joinsPieces = /\.join\(\s?(["'`])\1\s?\)|(["'])\2\.join\(/;
const maxPiece = 60;

function encodedCodeAt(root: Node, id: number, { decode }: Reading): Pick<CodeInText, 'code' | 'language'> | null {
  const text = textsAt(root, id).join('');
  const code = decode(text);
  const language = code === text ? null : likeness(code);
  return language === null ? null : { code, language };
}

/** Languages of scripts that write files, and run text, by heredocs. */
const writesFiles: ReadonlySet<string> = new Set(['Shell', 'Dockerfile']);
const heredoc = /<<[-~]?\s{0,3}\\?(["']?)([A-Za-z_]\w{0,60})\1/;

/** Code that a script writes to files, or hands to what runs it. One pass over the lines; what nothing closes is none. */
export function codeInHeredocs(source: string, linguist: string | null): CodeInText[] {
  if (linguist === null || !writesFiles.has(linguist) || !source.includes('<<')) return [];
  const lines = source.split('\n');
  const found: CodeInText[] = [];
  const decode = openDecoder();
  const closedAt = new Map<string, number>();
  for (const [index, line] of lines.entries()) closedAt.set(line.trim(), index);
  for (let at = 0; at < lines.length; at++) {
    const name = heredoc.exec(lines[at] ?? '')?.[2];
    if (name === undefined || (closedAt.get(name) ?? 0) <= at) continue;
    const first = at + 1;
    do at++;
    while (lines[at]?.trim() !== name);
    const code = unindented(decode(lines.slice(first, at).join('\n')));
    const its = code.length < minCharacters ? null : likeness(code);
    if (its !== null) found.push({ code, language: its, line: first + 1, endLine: at });
  }
  return found;
}

const isText = (tree: SyntaxTree, type: number) => isString(tree, type) || isBinary(tree, type) || isList(tree, type);

/** A program can read its own comments. */
const isComment = typesThat((name) => name.includes('comment'));
const insideOf = (comment: string) => (comment.startsWith('/*') ? comment.slice(2, -2) : comment);

function runsText({ tree }: Node, runner: RegExp): boolean {
  for (let id = 0; id < tree.type.length; id++) {
    if (!isCall(tree, tree.type[id] ?? 0)) continue;
    const start = tree.start[id] ?? 0;
    const name = /^[\w$.: ]{1,60}/.exec(tree.source.slice(start, start + maxName))?.[0] ?? '';
    if (runner.test(name.replaceAll(/\s+/g, ' ').trim()) || runner.test(name.split(' ')[0] ?? '')) return true;
  }
  return false;
}

/** What is written in an expression of texts, but the keys of what has such. */
function textsAt({ tree }: Node, whole: number): string[] {
  const texts: string[] = [];
  const end = tree.next[whole] ?? 0;
  for (let id = whole; id < end; id++) {
    const type = tree.type[id] ?? 0;
    if (!isString(tree, type) || isJoined(tree.names.types[type] ?? '')) continue;
    const isKey = isPair(tree, tree.type[id - 1] ?? 0);
    if (!isKey) texts.push(contentOf(tree.source.slice(tree.start[id], tree.end[id])));
    id = (tree.next[id] ?? end) - 1;
  }
  return texts;
}

const isJoined = (type: string): boolean => type === 'concatenated_string' || type === 'chained_string';

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '  ', r: '', '\n': '' };

/** Without quotes and escapes. */
function contentOf(written: string): string {
  const mark = /^[A-Za-z]{0,3}("""|'''|["'`])/.exec(written);
  const content =
    mark?.[1] !== undefined && written.endsWith(mark[1]) ? written.slice(mark[0].length, -mark[1].length) : written;
  return content.includes('\\')
    ? content.replaceAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|([\s\S]))/gi, (_, two?: string, four?: string, one = '') => {
        const code = two ?? four;
        return code === undefined ? (escapes[one] ?? one) : String.fromCharCode(Number.parseInt(code, 16));
      })
    : content;
}

/** Without what all lines are indented by. */
function unindented(text: string): string {
  const lines = text.split('\n');
  const indent = lines.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, line.length - line.trimStart().length)),
    Infinity,
  );
  return Number.isFinite(indent) && indent > 0 ? lines.map((line) => line.slice(indent)).join('\n') : text;
}

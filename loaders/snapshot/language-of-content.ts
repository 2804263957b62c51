import { isTyped, textsInData, textsInProse } from './code-in-data.ts';
import { isProse, mayHoldCode } from './language-of.ts';
import type { TreeEntry } from './tree-entry.ts';

/** How code of a language looks, line by line. */
interface Looks {
  language: string;
  /** What prose, data and markup have next to none of; three different ones are asked for. */
  marks: readonly RegExp[];
  /** Nearly every line is one of these. */
  line: RegExp;
  /** A line may hold several statements. */
  braces: boolean;
}

/** So many marks, code lines and, of all lines, code lines: fewer may be notes with some code in them. */
const minMarks = 3;
const minLines = 8;
const minShare = 0.85;
/** Beyond, nothing new is said. */
const maxLines = 400;
const maxLineLength = 300;
const maxCharacters = 40_000;

const cLine =
  /^(?:[\])}]|\/[/*]|\*\s|\*\/)|[;{}(,]$|=>|^(?:if|else|for|while|return|switch|case|default|try|catch|throw)\b/;

const looks: readonly Looks[] = [
  {
    language: 'JavaScript',
    marks: [
      /\brequire\(\s?["'`]/,
      /^import\b.{0,200}\bfrom\s?["']/,
      /^(?:export\s|(?:module\.)?exports\b\s?[.=[])/,
      /^(?:const|let|var)\s[\w${[].{0,200}=/,
      /\bfunction\b\s?[\w$]{0,80}\s?\(/,
      /\)\s?=>|\b\w{1,80}\s?=>/,
      /^(?:\}\s?else\s)?(?:if|for|while|switch)\s?\(/,
      /^return\b.{0,300};$/,
    ],
    line: new RegExp(
      `${cLine.source}|^(?:import|export|const|let|var|function|async|class|await|new)\\b|^[\\w$.]{1,80}\\(.*\\)$`,
    ),
    braces: true,
  },
  {
    language: 'Python',
    marks: [
      /^(?:import\s[\w.]{1,100}(?:\sas\s\w{1,60})?$|from\s[\w.]{1,100}\simport\s)/,
      /^(?:async\s)?def\s\w{1,100}\(.{0,200}$/,
      /^class\s\w{1,100}.{0,200}:$/,
      /^(?:if|elif|for|while|with|try|except|else)\b.{0,250}:$/,
      /^(?:return|raise|yield)\b/,
      /\bself\.\w/,
      /^@\w[\w.]{0,100}(?:\(|$)/,
      /^\w{1,80}\s=\s\S/,
    ],
    line: /:$|^(?:import|from|def|class|if|elif|else|for|while|with|try|except|finally|return|raise|yield|pass|break|continue|assert|del|global|async|await|@|#|["')\]}])|^[\w.[\]"']{1,120}\s?(?:[-+*/%|&]?=|\()|[([{,]$/,
    braces: false,
  },
  {
    language: 'Ruby',
    marks: [
      /^require(?:_relative)?\s["']/,
      /^def\s[\w.?!=]{1,80}/,
      /^end$/,
      /^(?:class|module)\s[A-Z]\w{0,80}/,
      /\sdo(?:\s\|[^|]{1,80}\|)?$/,
      /^(?:if|unless|while|case)\s/,
      /@\w{1,60}\s=\s/,
    ],
    line: /^(?:require|def|end|class|module|if|unless|elsif|else|while|case|when|return|begin|rescue|ensure|attr_|include|private|#|[\])}])|\sdo(?:\s\|[^|]{1,80}\|)?$|[\w@.[\]]\s?(?:=|\(|<<)|^[\w.]{1,80}\s[:"'\w]/,
    braces: false,
  },
  {
    language: 'PHP',
    marks: [
      /^<\?php/,
      /\$\w{1,60}\s?=/,
      /\$this->|\$\w{1,60}->/,
      /^(?:namespace|use)\s[\w\\]{1,120};$/,
      /\bfunction\s?\w{0,80}\(/,
      /^(?:echo|return)\b/,
    ],
    line: new RegExp(`${cLine.source}|^<\\?php`),
    braces: true,
  },
  {
    language: 'Go',
    marks: [
      /^package\s\w{1,60}$/,
      /^func\s[\w(]/,
      /^import\s[("]/,
      /\s:=\s/,
      /^(?:if|for|switch)\s.{0,250}\{$/,
      /^return\b/,
    ],
    line: new RegExp(`${cLine.source}|\\s:?=\\s|^(?:package|func|import|var|const|type|defer|go|"|return)|\\)$`),
    braces: false,
  },
  {
    language: 'Java',
    marks: [
      /^package\s[\w.]{1,120};$/,
      /^import\s(?:static\s)?[\w.*]{1,200};$/,
      /^(?:public|private|protected)\s.{0,250}[({;]$/,
      /^(?:public\s|final\s|abstract\s){0,3}(?:class|interface|enum)\s\w{1,80}/,
      /^return\b.{0,250};$/,
      /\bnew\s[A-Z]\w{0,80}[(<]/,
    ],
    line: cLine,
    braces: true,
  },
  {
    language: 'C#',
    marks: [
      /^using\s[\w.]{1,120};$/,
      /^namespace\s[\w.]{1,120}/,
      /^(?:public|private|protected|internal)\s.{0,250}/,
      /^return\b.{0,250};$/,
      /\bnew\s[A-Z]\w{0,80}[(<]/,
      /\bvar\s\w{1,60}\s=\s/,
    ],
    line: new RegExp(`${cLine.source}|^(?:public|private|protected|internal|namespace)\\b|\\)$`),
    braces: true,
  },
  {
    language: 'Rust',
    marks: [
      /^(?:pub\s)?use\s\w{1,60}::/,
      /^(?:pub(?:\(\w{1,20}\))?\s)?(?:async\s)?fn\s\w/,
      /^let\s(?:mut\s)?\w/,
      /^impl\b/,
      /\)\s->\s/,
      /^match\s.{0,200}\{$/,
      /\w!\(/,
    ],
    line: new RegExp(`${cLine.source}|\\)$|^\\.\\w`),
    braces: true,
  },
  {
    language: 'C',
    marks: [
      /^#include\s[<"]/,
      /^#(?:define|ifn?def|endif)\b/,
      /^(?:static\s|const\s|unsigned\s){0,3}(?:void|int|char|size_t|bool|struct\s\w{1,60})\s?\*?\s?\w{1,80}\(/,
      /\w->\w/,
      /^return\b.{0,250};$/,
      /^(?:if|for|while|switch)\s?\(/,
    ],
    line: cLine,
    braces: true,
  },
];

/** What is larger is data, and what is smaller says nothing; so much is looked at, the smallest first. */
const looked = { fromBytes: 200, toBytes: 500_000, allBytes: 30_000_000 };

/** Scripts of CI are judged as what they are. */
const workflow = /^\.(?:github|gitlab|circleci)\/.*\.ya?ml$/;

/** The files that are looked at for code. */
export function lookedAt(entries: readonly TreeEntry[]): TreeEntry[] {
  const isLooked = ({ kind, path, size }: TreeEntry) =>
    kind === 'file' && size >= looked.fromBytes && size <= looked.toBytes && mayHoldCode(path) && !workflow.test(path);
  let bytes = 0;
  return entries
    .filter(isLooked)
    .sort((a, b) => a.size - b.size || (a.path < b.path ? -1 : 1))
    .filter(({ size }) => (bytes += size) <= looked.allBytes);
}

/** What a text is code of by its looks. */
export interface Likeness {
  /** Linguist's name. */
  language: string;
  /** It stands in prose. */
  isQuoted: boolean;
}

/** What was told of contents, by their blobs: a history is measured at many commits. */
const known = new Map<string, Likeness | null>();
const maxKnown = 100_000;

const keyOf = ({ blobId, path }: Pick<TreeEntry, 'blobId' | 'path'>) => (isProse(path) ? `${blobId} prose` : blobId);

/** What was told of a file before; undefined where nothing was. */
export const knownLikeness = (entry: Pick<TreeEntry, 'blobId' | 'path'>) => known.get(keyOf(entry));

/** The language that a text is code of by its looks, whatever it is called; null for prose without code, data and markup. */
export function likenessOfContent(blobId: string, content: Uint8Array, path: string): Likeness | null {
  const key = keyOf({ blobId, path });
  const before = known.get(key);
  if (before !== undefined) return before;
  const code = codeOf(content, path);
  const its = code && { language: code.language, isQuoted: code.isQuoted };
  if (known.size >= maxKnown) known.clear();
  known.set(key, its);
  return its;
}

const decoder = new TextDecoder();

/** Code under another name: all of a text, or the texts in data or prose that are code of the language of which there is most. */
export function codeOf(content: Uint8Array, path: string): (Likeness & { code: string }) | null {
  if (content.includes(0)) return null;
  const text = decoder.decode(content);
  const inProse = isProse(path) ? textsInProse(text) : [];
  const texts = inProse.length > 0 ? inProse : textsInData(text);
  const typed = texts.length > 0 && isTyped(text);
  const inside = texts.flatMap((code) => {
    const its = likeness(code);
    return its === null ? [] : [{ language: typed ? 'TypeScript' : its, code }];
  });
  const lengthOf = (some: typeof inside) => some.reduce((sum, { code }) => sum + code.length, 0);
  const whole = lengthOf(inside) > text.length / 2 ? null : likeness(text);
  if (whole !== null) return { language: whole, code: text, isQuoted: false };
  const groups = [...Map.groupBy(inside, (each) => each.language).values()];
  const [most = []] = groups.sort((one, other) => lengthOf(other) - lengthOf(one));
  const code = most.map((each) => each.code).join('\n');
  return most[0] ? { language: most[0].language, code, isQuoted: inProse.length > 0 } : null;
}

/** Of a text's beginning. */
export function likeness(whole: string): string | null {
  const text = whole.slice(0, maxCharacters);
  // A document in markup or of data begins so, and prose with code in it has fences; code of a language hardly does.
  if (/^\s{0,99}(?:<(?!\?php)|[{[]\s{0,99}["\d[{])/.test(text) || text.split('\n```').length > 2) return null;
  let best: { language: string; share: number } | null = null;
  const written = linesOf(text);
  const parted = text.replaceAll(/[;{}](?!\s{0,9}\n)/g, '$&\n');
  const split = parted === text ? written : linesOf(parted);
  for (const { language, marks, line, braces } of looks) {
    const lines = braces ? split : written;
    if (lines.length < minLines) continue;
    const share = shareOf(lines, line);
    if (share < minShare || share <= (best?.share ?? 0)) continue;
    if (isMarked(lines, marks)) best = { language, share };
  }
  return best?.language ?? null;
}

/** Whether so many of the marks are there; no more is looked for than it takes to tell. */
function isMarked(lines: readonly string[], marks: readonly RegExp[]): boolean {
  let [found, left] = [0, marks.length];
  for (const mark of marks) {
    left -= 1;
    if (lines.some((each) => mark.test(each))) found += 1;
    if (found >= minMarks || found + left < minMarks) break;
  }
  return found >= minMarks;
}

/** Of the lines, those that are such; 0 as soon as they can be no code, as most texts are none. */
function shareOf(lines: readonly string[], line: RegExp): number {
  let others = 0;
  for (const each of lines) {
    if (line.test(each)) continue;
    others += 1;
    if ((lines.length - others) / lines.length < minShare) return 0;
  }
  return (lines.length - others) / lines.length;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n', maxLines * 2)
    .map((line) => line.slice(0, maxLineLength).trim())
    .filter((line) => line !== '')
    .slice(0, maxLines);

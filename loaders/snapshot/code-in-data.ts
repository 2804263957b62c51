import { holdsEncoded, openDecoder } from './encoded-text.ts';

/** So many lines in a row: fewer are a line or two that somebody quotes. */
const minLines = 8;
/** What is deeper is no code that somebody keeps. */
const maxDepth = 20;

/**
 * Texts of several lines that stand as values in JSON, YAML or TOML, as scripts in markup, or as cells in a notebook, in their order:
 * what may be code that a program reads and runs.
 */
export function textsInData(data: string): string[] {
  if (/^\s{0,99}[{[]/.test(data)) return textsInJson(data);
  const marked = /^\s{0,99}</.test(data) ? between(data, /<script\b[^>]{0,300}>|<!\[CDATA\[/gi, scriptEnd) : [];
  return [...marked, ...between(data, /= ?(?:'''|""")\n/g, () => /'''|"""/g), ...blocksInYaml(data)];
}

/** Where a block of code begins in prose, and what ends it: fences, Org's words, and the lines of AsciiDoc. */
const blockOpens = /^\s{0,20}(?:(`{3,20}|~{3,20})\s{0,3}[{.]{0,2}([\w+#-]{0,30})|#\+begin_src\s{0,3}([\w+#-]{0,30}))/i;
const sourceFollows = /^\[source\b,?\s{0,3}([\w+#-]{0,30})/;

/** Where neither a block opens nor a line is indented, there is none. */
const mayOpen = /\n(?: {3}|\t)|`{3}|~{3}|#\+begin_src|\[source/i;

/**
 * Of the code that stands in prose, what is called one language, or nothing, or is indented: each is one program, as a block is cut
 * where somebody likes. One pass over the lines; what nothing closes goes on to the end.
 */
export function textsInProse(prose: string): string[] {
  if (!mayOpen.test(prose)) return [];
  const programs = new Map<string, string[]>();
  const lines = prose.split('\n').map((line) => line.replace(/^\t{1,50}/, (tabs) => '    '.repeat(tabs.length)));
  const isInside = (line: string) => line.trim() === '' || indentOf(line) >= minIndent;
  for (let at = 0; at < lines.length; at++) {
    const opened = blockAt(lines, at);
    const isIndented = opened === null && lines[at]?.trim() === '' && indentOf(lines[at + 1] ?? '') >= minIndent;
    if (opened === null && !isIndented) continue;
    const { name, first, closes } = opened ?? { name: 'indented', first: at + 1, closes: null };
    const isOver = (line: string) =>
      closes === null ? !isInside(line) : line.trimStart().slice(0, closes.length).toLowerCase() === closes;
    let end = first;
    while (end < lines.length && !isOver(lines[end] ?? '')) end++;
    const program = programs.get(name) ?? [];
    const block = lines.slice(first, end);
    // What is cut out of code goes on as far in as it was.
    program.push(closes === null ? withoutIndent(block) : withoutIndent(block, indentOf(lines[at] ?? '')));
    programs.set(name, program);
    // An indented block ends where the next thing begins.
    at = closes === null ? end - 1 : end;
  }
  return [...programs.values()].map((blocks) => blocks.join('\n')).filter(isLong);
}

/** The language that a block names which begins on a line, its first line and what begins the one that closes it. */
function blockAt(lines: readonly string[], at: number): { name: string; first: number; closes: string } | null {
  const line = lines[at] ?? '';
  const [, fence, called, word = ''] = blockOpens.exec(line) ?? [];
  if (fence !== undefined) return { name: called ?? '', first: at + 1, closes: fence };
  if (/^\s{0,20}#\+/.test(line) && blockOpens.test(line)) return { name: word, first: at + 1, closes: '#+end_src' };
  const source = sourceFollows.exec(line)?.[1];
  const isSource = source !== undefined && (lines[at + 1] ?? '').startsWith('----');
  return isSource ? { name: source, first: at + 2, closes: '----' } : null;
}

/** Less is no block of code in prose. */
const minIndent = 3;

/** Whether the scripts of markup are TypeScript. */
export const isTyped = (markup: string): boolean => /^\s{0,9}<script\b[^>]{0,200}\blang=["']tsx?["']/m.test(markup);

const scriptEnd = (opened: string) => (opened.startsWith('<!') ? /\]\]>/g : /<\/script\s{0,9}>/gi);

/** What stands between marks that open and those that close. */
function between(data: string, opens: RegExp, closesOf: (opened: string) => RegExp): string[] {
  const texts: string[] = [];
  for (let open = opens.exec(data); open !== null; open = opens.exec(data)) {
    const closes = closesOf(open[0]);
    closes.lastIndex = opens.lastIndex;
    const close = closes.exec(data);
    if (close === null) break;
    texts.push(data.slice(opens.lastIndex, close.index));
    opens.lastIndex = closes.lastIndex;
  }
  return texts.filter(isLong);
}

/** Jupyter's; in place of a schema, whose library takes longer to load than most files to read. */
interface Notebook {
  cells: readonly { cell_type: string; source: string | readonly string[] }[];
}

function isNotebook(value: unknown): value is Notebook {
  return (
    isObject(value) &&
    typeof value['nbformat'] === 'number' &&
    Array.isArray(value['cells']) &&
    value['cells'].every(
      (cell: unknown) => isObject(cell) && typeof cell['cell_type'] === 'string' && isSource(cell['source']),
    )
  );
}

const isSource = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((line) => typeof line === 'string'));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of a notebook the cells with code are one program. */
const textOfNotebook = ({ cells }: Notebook): string =>
  cells
    .filter((cell) => cell.cell_type === 'code')
    .map(({ source }) =>
      [source]
        .flat()
        .join('')
        .replaceAll(/^\s{0,9}[%!].*$/gm, ''),
    )
    .join('\n');

function textsInJson(data: string): string[] {
  // A text of many lines has as many of these.
  const isLines = data.split('\\n', minLines).length === minLines || /"\s{0,99},\s{0,99}"/.test(data);
  if (!isLines && !holdsEncoded(data)) return [];
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return [];
  }
  if (isNotebook(value)) return [textOfNotebook(value)];
  const texts: string[] = [];
  const decode = openDecoder();
  const visit = (each: unknown, depth: number): void => {
    if (typeof each === 'string') texts.push(decode(each));
    else if (depth < maxDepth && Array.isArray(each)) {
      if (each.every((part) => typeof part === 'string')) texts.push(joined(each));
      else for (const part of each) visit(part, depth + 1);
    } else if (depth < maxDepth && typeof each === 'object' && each !== null)
      for (const part of Object.values(each)) visit(part, depth + 1);
  };
  visit(value, 0);
  return texts.filter(isLong);
}

/** A text that is written as a list of its lines. */
const joined = (lines: readonly string[]): string => lines.join(lines.some((line) => line.endsWith('\n')) ? '' : '\n');

const isLong = (text: string): boolean => text.split('\n', minLines).length === minLines;

/** `key: |`, and what is indented more than its key. */
function blocksInYaml(data: string): string[] {
  if (!/[:-] [|>]/.test(data)) return [];
  const texts: string[] = [];
  const lines = data.split('\n');
  for (let at = 0; at < lines.length; at++) {
    if (!/[:-] [|>][-+]?\d?\s{0,20}$/.test(lines[at] ?? '')) continue;
    const around = indentOf(lines[at] ?? '');
    const block: string[] = [];
    for (
      let line = lines[at + 1];
      line !== undefined && (line.trim() === '' || indentOf(line) > around);
      line = lines[at + 1]
    ) {
      block.push(line);
      at++;
    }
    if (block.length >= minLines) texts.push(withoutIndent(block));
  }
  return texts;
}

const indentOf = (line: string): number => /^ {0,200}/.exec(line)?.[0].length ?? 0;

function withoutIndent(lines: readonly string[], most = 200): string {
  const indent = lines.reduce((least, line) => (line.trim() === '' ? least : Math.min(least, indentOf(line))), most);
  return lines.map((line) => line.slice(indent)).join('\n');
}

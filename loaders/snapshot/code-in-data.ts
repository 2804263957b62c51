import { z } from 'zod';

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

/** Of a notebook the cells with code are one program. */
const notebookSchema = z.object({
  nbformat: z.number(),
  cells: z.array(z.object({ cell_type: z.string(), source: z.union([z.string(), z.array(z.string())]) })),
});

const textOfNotebook = ({ cells }: z.infer<typeof notebookSchema>): string =>
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
  if (data.split('\\n', minLines).length < minLines && !/"\s{0,99},\s{0,99}"/.test(data)) return [];
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return [];
  }
  const notebook = notebookSchema.safeParse(value);
  if (notebook.success) return [textOfNotebook(notebook.data)];
  const texts: string[] = [];
  const visit = (each: unknown, depth: number): void => {
    if (typeof each === 'string') texts.push(each);
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
    const indent = Math.min(...block.filter((line) => line.trim() !== '').map(indentOf));
    if (block.length >= minLines) texts.push(block.map((line) => line.slice(indent)).join('\n'));
  }
  return texts;
}

const indentOf = (line: string): number => /^ {0,200}/.exec(line)?.[0].length ?? 0;

/** So many lines in a row: fewer are a line or two that somebody quotes. */
const minLines = 8;
/** What is deeper is no code that somebody keeps. */
const maxDepth = 20;

/** Texts of several lines that stand as values in JSON or YAML, in their order: what may be code that a program reads and runs. */
export function textsInData(data: string): string[] {
  if (/^\s{0,99}[{[]/.test(data)) return textsInJson(data);
  return blocksInYaml(data);
}

function textsInJson(data: string): string[] {
  // A text of many lines has as many of these.
  if (data.split('\\n', minLines).length < minLines && !/"\s{0,99},\s{0,99}"/.test(data)) return [];
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return [];
  }
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

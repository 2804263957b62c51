/** A heading of documentation, and the names that the code below it calls. */
export interface Heading {
  text: string;
  /** Of the file, and of the line in it. */
  place: string;
  called: Set<string>;
}

const isGuide = (path: string) =>
  /\.(md|markdown|rst)$/i.test(path) && !/change|history|news|release|licen[cs]e|contribut/i.test(path);
const CALL = /([\p{L}_][\p{L}\p{N}_]*)[!?]?\s*\(/gu;

/** The headings of guides, each with what the examples up to the next heading call: of Markdown in fences, of reStructuredText what is indented. */
export function headingsIn(files: Iterable<{ path: string; text: string }>): Heading[] {
  const found: Heading[] = [];
  for (const { path, text } of files) {
    if (!isGuide(path)) continue;
    const lines = text.split(/\r?\n/);
    const isMarkdown = !/\.rst$/i.test(path);
    let isFenced = false;
    let heading: Heading | null = null;
    for (const [i, line] of lines.entries()) {
      if (isMarkdown && /^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
      const title = isFenced ? null : titleOf(line, lines[i + 1] ?? '', isMarkdown);
      if (title !== null) found.push((heading = { text: plain(title), place: `${path}:${i}`, called: new Set() }));
      else if (heading !== null && (isMarkdown ? isFenced : /^(\t| {3,})\S/.test(line)))
        for (const [, name = ''] of line.matchAll(CALL)) heading.called.add(name);
    }
  }
  return found;
}

function titleOf(line: string, next: string, isMarkdown: boolean): string | null {
  if (isMarkdown && /^#{1,6}\s/.test(line)) return line.replace(/^#+\s*/, '').replace(/\s#+$/, '');
  return /^\S/.test(line) && /^([=\-~^"'`+*#.])\1{2,}\s*$/.test(next) && next.trim().length >= line.trim().length - 2
    ? line
    : null;
}

/** Without marks of either language, addresses and numbers of chapters. */
function plain(title: string): string {
  return title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/:\w+:`([^`]*)`|<[^>]*>/gu, '$1')
    .replaceAll(/[`*_#:]/gu, ' ')
    .replace(/^[\d.\s]+/, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** Code as one line. */
export function oneLine(code: string): string {
  return code
    .replace(/^(?:\s*(?:#!?\[[^\]]*\]|@\w+(?:\([^)]*\))?|\[[^\]]*\])\s*\n)+/, '')
    .replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\( /g, '(')
    .replace(/,? \)/g, ')')
    .replace(/[\s;{]+$/, '')
    .trim()
    .slice(0, 400);
}

/** The first paragraph of a comment of any of the usual forms, as plain text; null where it says nothing. */
export function firstParagraph(comment: string): string | null {
  const lines = comment
    .split('\n')
    .map((line) =>
      line.replace(/^\s*(?:\/\/[/!]?|\/\*+!?|\*+\/|\*|#+|=begin|=end)\s?/, '').replace(/\s*\*+\/\s*$/, ''),
    );
  const text = lines.map((line) => line.replace(/<\/?[a-zA-Z][^<>]*>/g, '').trim());
  const start = text.findIndex((line) => line !== '');
  if (start < 0 || /^[@\\]\w/.test(text[start] ?? '')) return null;
  const end = text.findIndex((line, at) => at > start && (line === '' || /^[@\\]\w/.test(line)));
  return text
    .slice(start, end < 0 ? text.length : end)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

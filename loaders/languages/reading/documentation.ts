/** Code as one line. */
export function oneLine(code: string): string {
  return code
    .replace(/^(?:\s*(?:#!?\[[^\]]*\]|@\w+(?:\([^)]*\))?|\[[^\]]*\])[^\S\n]*\n)+/, '')
    .replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\( /g, '(')
    .replace(/,? \)/g, ')')
    .replace(/(?<![\s;{])[\s;{]+$/, '')
    .trim()
    .slice(0, 400);
}

/** `<see cref="T:A.Foo"/>` is `A.Foo`. */
const mention = /<(?:see|seealso|paramref|typeparamref)\s+\w+="(?:\w:)?([^"]*)"\s*\/?>/g;
const tag =
  /<\/?(?:summary|remarks|para|see|c|code|p|b|i|em|strong|br|ul|ol|li|pre|tt|a|value|returns|example|list|item)\b[^<>]*>/g;

/** The first paragraph of a comment of any of the usual forms, as plain text; null where it says nothing. */
export function firstParagraph(comment: string): string | null {
  const lines = comment
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:\/\/[/!]?|\/\*+!?|\*+\/|\*|#+|-{2,}(?:\[=*\[)?|=begin|=end)\s?/, '')
        .replace(/(?<!\s)\s*(?<!\*)\*+\/\s*$/, ''),
    );
  const text = lines.map((line) => line.replace(mention, '$1').replace(tag, '').trim());
  const start = text.findIndex((line) => line !== '');
  if (start < 0 || /^[@\\]\w/.test(text[start] ?? '')) return null;
  const end = text.findIndex((line, at) => at > start && (line === '' || /^[@\\]\w/.test(line)));
  return text
    .slice(start, end < 0 ? text.length : end)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A README at the root, in any spelling and markup. */
export const isReadme = (path: string) =>
  /^(\.github\/|docs\/)?readme(\.(md|markdown|mdown|mkd|rst|txt|adoc|asciidoc))?$/i.test(path);

const maxCharacters = 1_000;
/** A paragraph of these alone says nothing: headings, badges, rules, HTML around a logo, links to elsewhere. */
const decoration = [
  /^#{1,6}\s.*$/,
  /^[^\n]*\n[=\-~^"*+#_]{3,}\s*$/,
  /^[=\-~^"*+#_]{3,}\s*$/,
  /^\.\. .*$/s,
  /^(=|\||>|```|:[\w-]+:|\[\w*\]:)/,
];

/** An image, which may be a link. */
const badge = /\[?!\[[^\]]*\](?:\([^)]*\)|\[(?!!)[^\]]*\])?(?:\](?:\([^)]*\)|\[[^\]]*\])?)?\s*/y;

/** Badge by badge: an expression for all of them would try each way to part them. */
function isOnlyBadges(paragraph: string): boolean {
  badge.lastIndex = 0;
  while (badge.lastIndex < paragraph.length) if (!badge.test(paragraph)) return false;
  return true;
}

/** The first paragraph of prose in a README, as plain text on one line; undefined when there is none. */
export function firstParagraph(readme: string): string | undefined {
  const text = readme
    .slice(0, 20_000)
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/<!--[\s\S]*?(-->|$)/g, '')
    .replace(/^(#{1,6}\s.*)$/gm, '$1\n')
    .replace(/<\/?(p|div|center|h\d|br|hr|table|tr|td|img|picture|details|summary)\b[^<>]*>/gi, ' ')
    .replace(/<\/?[a-z][^<>]*>/gi, '');
  for (const block of text.split(/\n\s*\n/)) {
    const paragraph = block.trim().slice(0, 4_000);
    if (paragraph === '' || isOnlyBadges(paragraph) || decoration.some((pattern) => pattern.test(paragraph))) continue;
    const plain = plainText(paragraph);
    // A lone word or a row of links is a title or a menu.
    const spoken = plain.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word));
    if (spoken.length >= 2 && plain.length >= 20) return shortened(plain);
  }
  return undefined;
}

function plainText(paragraph: string): string {
  // Bounded: a paragraph has at most 4,000 characters.
  return paragraph
    .replace(/!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/`{1,2}([^`<]*?)\s*(<[^>]*>)?`{1,2}_{0,2}/g, '$1')
    .replace(/(\*\*|__|\*)(\S.*?)\1/g, '$2')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function shortened(text: string): string {
  // Bounded: by `maxCharacters`.
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).replace(/\s+\S*$/, '')} …`;
}

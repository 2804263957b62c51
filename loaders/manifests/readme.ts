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
  /^(=|\||>|```|:[\w-]+:|\[[^\]\n]*\]:|image::?)/,
];

/** An image, which may be a link. */
const badge = /\[?!\[[^\]]*\](?:\([^)]*\)|\[(?!!)[^\]]*\])?(?:\](?:\([^)]*\)|\[[^\]]*\])?)?\s*/y;

/** Badge by badge: an expression for all of them would try each way to part them. */
function isOnlyBadges(paragraph: string): boolean {
  badge.lastIndex = 0;
  while (badge.lastIndex < paragraph.length) if (!badge.test(paragraph)) return false;
  return true;
}

/** What a heading or paragraph says that tells of a release, and not of what the repository is. */
const announcement =
  /\b(?:now available|is out|is released|has been released|release announcement|(?:excited|pleased|happy|proud) to announce)\b/i;
/** Likewise of a heading alone: a tool may be about changelogs. */
const newsHeading = /^\W*(?:latest release|what['’]s new|release notes|changelog|news)\b/i;
/** One sentence that only leads elsewhere. */
const pointer =
  /^(?:(?:please )?(?:see|read|visit|check out|refer to)\b.*\b(?:documentation|docs|website|site|wiki|guide|readme)\b|this readme is\b|(?:full |the )?documentation (?:is|can be)\b)/i;
const maxPointer = 200;
const listItem = /^\s*(?:[-*+]|\d+[.)])\s/;

/**
 * What a README says that its repository is, as plain text on one line: its title where that is more than a word, and the first
 * paragraph of prose that neither announces a release nor only leads elsewhere. Undefined when there is none.
 */
export function readmeText(readme: string): string | undefined {
  const text = withoutMarkup(readme).split('\n').map(withGap).join('\n');
  const { title, paragraph } = firstParagraph(text.split(/\n\s*\n/));
  if (paragraph === undefined) return undefined;
  if (title === undefined || paragraph.toLowerCase().startsWith(title.toLowerCase())) return shortened(paragraph);
  return shortened(`${title}: ${paragraph}`);
}

/** A heading that is underlined may stand right above its text. */
const withGap = (line: string) => (/^[=-]{3,}$/.test(line.trimEnd()) ? `${line}\n` : line);

function withoutMarkup(readme: string): string {
  return readme
    .slice(0, 20_000)
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/<!--[\s\S]*?(-->|$)/g, '')
    .replace(/^(#{1,6}\s.*)$/gm, '\n$1\n')
    .replace(/<\/?(p|div|center|h\d|br|hr|table|tr|td|img|picture|details|summary)\b[^<>]*>/gi, ' ')
    .replace(/<\/?[a-z][^<>]*>/gi, '');
}

/** The title, where it says more than a name does, and the first paragraph of prose after it, as plain text on one line each. */
function firstParagraph(blocks: readonly string[]): { title?: string; paragraph?: string } {
  let title: string | undefined;
  let isAnnounced = false;
  let isCode = false;
  for (const block of blocks) {
    const paragraph = block.trim().slice(0, 4_000);
    const fences = paragraph.match(/^(?:```|~~~|----$)/gm)?.length ?? 0;
    const isInCode = isCode;
    if (fences % 2 === 1) isCode = !isCode;
    if (isInCode || (fences > 0 && !isHeading(paragraph))) continue;
    title ??= titleIn(paragraph);
    // A rule ends what a heading began.
    if (isHeading(paragraph) || /^[-*_]{3,}$/.test(paragraph))
      isAnnounced = announcement.test(paragraph) || newsHeading.test(paragraph);
    if (isAnnounced || !isProse(paragraph)) continue;
    return { ...(title === undefined || title === '' ? {} : { title }), paragraph: plainText(paragraph) };
  }
  return {};
}

const isHeading = (block: string) => /^#{1,6}\s|^.*\n[=-]{3,}$/.test(block);

/** Of a heading of the whole; empty where it is but a name, undefined where the block is none. */
function titleIn(block: string): string | undefined {
  const [first = '', second = ''] = block.slice(0, 400).split('\n');
  if (!/^[=#]\s/.test(first) && !/^={3,}$/.test(second.trimEnd())) return undefined;
  const title = plainText(first.replace(/^[=#]\s/, ''));
  return wordsOf(title).length > 1 && !announcement.test(title) ? title : '';
}

function isProse(paragraph: string): boolean {
  if (paragraph === '' || isOnlyBadges(paragraph) || decoration.some((pattern) => pattern.test(paragraph)))
    return false;
  const plain = plainText(paragraph);
  // A lone word or a row of links is a title or a menu.
  if (wordsOf(plain).length < 2 || plain.length < 20) return false;
  if (paragraph.split('\n').every((line) => listItem.test(line))) return false;
  return !announcement.test(plain) && !(plain.length <= maxPointer && pointer.test(plain));
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word));

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

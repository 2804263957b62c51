/** One page of the documentation. */
export interface Page {
  /** Under the documentation's address: `rate-limits`, `products/code-search`. */
  path: string;
  title: string;
  /** In Markdown, of our own writing: `{{base_url}}` and `{{docs_base}}` stand for addresses. */
  markdown: string;
  /** Its place in the navigation; a page without one is reached from others. */
  rank?: number;
}

/** A place outside of the documentation that its navigation leads to. */
export interface DocsLink {
  title: string;
  href: string;
}

/** Text that means itself in HTML, and in Markdown that becomes HTML. */
export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A table in Markdown; the cells are Markdown. */
export const markdownTable = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

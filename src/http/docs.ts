import { readFile } from 'node:fs/promises';
import { Marked } from 'marked';
import { escapeHtml, markdownTable } from './docs-page.ts';
import type { DocsLink, Page } from './docs-page.ts';
import type { Problem } from './problems.ts';
import type { Limits } from './rate-limit.ts';
import { reference } from './reference.ts';
import type { Route } from './route.ts';

/** What the pages are made from. */
export interface DocsContext {
  service: { title: string; description: string };
  baseUrl: string;
  docsBase: string;
  limits: Limits;
  problems: readonly Problem[];
  routes: readonly Route[];
  /** Of the features. */
  pages: readonly Page[];
  links: readonly DocsLink[];
}

const text = (name: string) => readFile(new URL(`./pages/${name}.md`, import.meta.url), 'utf8');
const [index, authentication, errors, rateLimits, idempotency] = await Promise.all(
  ['index', 'authentication', 'errors', 'rate-limits', 'idempotency'].map(text),
);
const style = await readFile(new URL('./pages/style.css', import.meta.url), 'utf8');

/** Every page as HTML, by its path under the documentation's address; the first, which has the reference, by ''. */
export function docsPages(context: DocsContext): ReadonlyMap<string, string> {
  const { service, problems, pages } = context;
  const kernel: Page[] = [
    { path: 'authentication', title: 'Authentication', markdown: authentication ?? '', rank: 2 },
    { path: 'errors', title: 'Errors', markdown: errors ?? '', rank: 3 },
    { path: 'rate-limits', title: 'Rate limits', markdown: rateLimits ?? '', rank: 4 },
    { path: 'idempotency', title: 'Idempotency', markdown: idempotency ?? '', rank: 5 },
  ];
  const first: Page = { path: '', title: service.title, markdown: index ?? '' };
  const all = [...kernel, ...pages];
  const listed = all.filter(({ rank }) => rank !== undefined).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return new Map([first, ...all, ...problems.map(errorPage)].map((page) => [page.path, htmlOf(page, listed, context)]));
}

/** One error code: when it comes and what to do. */
const errorPage = ({ code, status, title, meaning }: Problem): Page => ({
  path: `errors/${code}`,
  title: code,
  markdown: `HTTP status **${status}**: ${escapeHtml(title)}.\n\n${escapeHtml(meaning)}\n\n[All errors]({{docs_base}}/errors)`,
});

const marked = new Marked({ gfm: true });

function htmlOf({ path, title, markdown }: Page, listed: readonly Page[], context: DocsContext): string {
  const { service, docsBase, links } = context;
  const filled = markdown.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => placeholders[name]?.(context) ?? '');
  // A table wider than a phone scrolls by itself.
  const content = marked
    .parse(filled, { async: false })
    .replaceAll('<table>', '<div class="table"><table>')
    .replaceAll('</table>', '</table></div>');
  const isFirst = path === '';
  const pages = [{ path: '', title: 'Reference' }, ...listed].map((page) => ({
    title: page.title,
    href: page.path === '' ? docsBase : `${docsBase}/${page.path}`,
    current: page.path === path ? ' aria-current="page"' : '',
  }));
  const entries = [...pages, ...links.map((link) => ({ ...link, current: '' }))].map(
    ({ title, href, current }) => `<a href="${escapeHtml(href)}"${current}>${escapeHtml(title)}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(isFirst ? title : `${title} - ${service.title}`)}</title>
<style>${style}</style>
${isFirst ? reference.head : ''}</head>
<body>
<nav aria-label="Documentation">${entries.join('\n')}</nav>
<main>
<h1>${escapeHtml(title)}</h1>
${content}</main>
${isFirst ? reference.body : ''}</body>
</html>
`;
}

const placeholders: Record<string, (context: DocsContext) => string> = {
  base_url: ({ baseUrl }) => baseUrl,
  docs_base: ({ docsBase }) => docsBase,
  description: ({ service }) => `${escapeHtml(service.description)}.`,
  errors: ({ problems, docsBase }) =>
    markdownTable(
      ['Status', 'Code', 'Title'],
      problems
        .toSorted((a, b) => a.status - b.status)
        .map(({ status, code, title }) => [
          String(status),
          `[\`${code}\`](${docsBase}/errors/${code})`,
          escapeHtml(title),
        ]),
    ),
  quotas({ limits: { organization, named, address } }) {
    const rows = [
      ...organization.map((quota) => ({ quota, per: 'organization' })),
      ...named.map((quota) => ({ quota, per: 'organization, on some routes' })),
      ...address.map((quota) => ({ quota, per: 'address, on public routes' })),
    ].map(({ quota: { name, requests, window_seconds }, per }) => [
      `\`${name}\``,
      `${requests} in ${window_seconds} s`,
      per,
    ]);
    if (rows.length === 0) return 'This instance has no limits.';
    return markdownTable(['Quota', 'Requests', 'For each'], rows);
  },
  idempotent: ({ routes }) =>
    routes
      .filter((route) => route.idempotent)
      .map(({ method, path }) => `\`${method} ${path}\``)
      .join(', ') || 'no route of this service',
};

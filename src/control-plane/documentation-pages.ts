import { readFile } from 'node:fs/promises';
import { escapeHtml, markdownTable } from '../http/docs-page.ts';
import type { Page } from '../http/docs-page.ts';
import type { Route } from '../http/route.ts';
import { allPlans } from '../model/plans.ts';
import type { Plan } from '../model/plans.ts';
import { allProducts } from './all-products.ts';
import type { Product } from './all-products.ts';
import { changelogMarkdown } from './changelog.ts';
import { changelogEntries } from './changelog-entries.ts';

const pageOf = (path: string) => readFile(new URL(`./pages/${path}.md`, import.meta.url), 'utf8');
const quickStart = await pageOf('quick-start');

/** How something is done, each with an example that the tests run; in this order behind what all requests have in common. */
const guides: Page[] = await Promise.all(
  Object.entries({
    paging: 'Paging',
    'graph-queries': 'Graph queries',
    exports: 'Exports',
    reports: 'Reports',
    webhooks: 'Events and webhooks',
    'usage-events': 'Usage events',
    checkout: 'Checkout',
  }).map(async ([path, title]) => ({ path, title, markdown: await pageOf(path), rank: 6 })),
);

/** The pages about what is sold, and where to begin. */
export function documentationPages(productRoutes: readonly Route[]): Page[] {
  return [
    { path: 'quick-start', title: 'Quick start', markdown: quickStart, rank: 1 },
    ...guides,
    { path: 'products', title: 'Products', markdown: productList(productRoutes), rank: 7 },
    { path: 'plans', title: 'Plans', markdown: plans(), rank: 8 },
    {
      path: 'changelog',
      title: 'Changelog',
      markdown: `${versioning}\n\n${changelogMarkdown(changelogEntries)}`,
      rank: 9,
    },
    ...allProducts.map((product) => ({
      path: `products/${product.slug}`,
      title: product.name,
      markdown: productPage(product, productRoutes),
    })),
  ];
}

function productList(routes: readonly Route[]): string {
  const row = ({ slug, name, summary }: Product) => [`[${name}]({{docs_base}}/products/${slug})`, escapeHtml(summary)];
  const isLive = ({ slug }: Product) => routes.some(({ product }) => product === slug);
  return [
    '## Live',
    markdownTable(['Product', 'What it is'], allProducts.filter(isLive).map(row)),
    '## Announced',
    markdownTable(['Product', 'What it will be'], allProducts.filter((product) => !isLive(product)).map(row)),
  ].join('\n\n');
}

function productPage({ slug, summary, description }: Product, routes: readonly Route[]): string {
  const own = routes.filter(({ product }) => product === slug);
  const endpoints = own.map(({ method, path, summary, credits }) => [
    `\`${method} ${path}\``,
    escapeHtml(summary),
    String(credits),
  ]);
  return [
    `**${escapeHtml(summary)}** ${escapeHtml(description)}`,
    own.length === 0
      ? `It is announced and can’t be called yet: \`GET /v1/products/${slug}\` says where its waitlist is.`
      : `${markdownTable(['Endpoint', 'What it tells', 'Credits a call'], endpoints)}\n\nParameters and fields are in the [reference]({{docs_base}}).`,
    '[All products]({{docs_base}}/products)',
  ].join('\n\n');
}

function plans(): string {
  const sections = allPlans.map((plan) =>
    [
      `<h2 id="${plan.id}">${escapeHtml(plan.name)}</h2>`,
      escapeHtml(plan.summary),
      markdownTable(['What', 'How much'], termsOf(plan)),
    ].join('\n\n'),
  );
  return [plansBegin, ...sections].join('\n\n');
}

const plansBegin =
  'Everything is free during the beta: calls are counted and nothing is charged. A checkout that is completed changes the plan, which `GET /v1/organization` and `GET /v1/billing/usage` name, and the end of its subscription changes it back; each is an event, `plan.changed`. Requests a minute, members, API keys a member and credits are then those of the plan, within seconds; `RateLimit-Policy` of each answer has the number. Nobody is stopped at the last credit: the event `quota.near` tells of 80 and of 100 percent, once a month. Reports at once and how long usage is kept are the same for all as long as nothing is charged.';

function termsOf({ status, price, included_credits, overage, limits, features }: Plan): string[][] {
  const dollars = (cents: number) => `${(cents / 100).toFixed(2)} USD`;
  return [
    ['Status', status === 'current' ? 'what an organization is on without a checkout' : 'announced'],
    [
      'List price',
      price === null ? 'on request' : `${dollars(price.amount_cents)} a ${price.interval}, for each ${price.per}`,
    ],
    ...(limits === null
      ? [['Limits', 'as agreed']]
      : [
          ['Credits a month', included_credits === null ? 'no limit' : String(included_credits)],
          ...(overage === null ? [] : [[`${overage.per_credits} more credits`, dollars(overage.amount_cents)]]),
          ['Requests a minute', String(limits.requests_per_minute)],
          ['of which searches', String(limits.search_requests_per_minute)],
          ['Members', String(limits.members)],
          ['API keys a member', String(limits.api_keys_per_member)],
          ['Reports made at once', String(limits.concurrent_reports)],
          ['Usage is kept for', `${limits.usage_retention_days} days`],
        ]),
    ['Includes', features.map((feature) => escapeHtml(feature.replaceAll('-', ' '))).join(', ')],
  ];
}

const versioning = `Every response names the version of the API in \`X-API-Version\`, a date; a client may ask for one in the same header.
New endpoints, optional parameters and fields come at any time: ignore fields that you do not know. What may break a client is
announced here at least 14 days before it takes effect, and marked until then by the headers \`Deprecation\` and \`Sunset\`.
As data: \`GET /v1/changelog\`.`;

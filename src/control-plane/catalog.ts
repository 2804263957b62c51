import { z } from 'zod';
import { route } from '../http/route.ts';
import { allProducts, catalogUpdatedAt, categorySchema } from './all-products.ts';
import type { Product } from './all-products.ts';

/** Where the links of a product lead. */
export interface Places {
  baseUrl: string;
  docsBase: string;
  /** Of the web site that has the waitlists. */
  siteBase: string;
}

export const statusSchema = z.enum(['live', 'coming-soon']).meta({ id: 'ProductStatus' });

const itemSchema = z
  .object({
    slug: z.string(),
    name: z.string(),
    category: categorySchema,
    status: statusSchema,
    summary: z.string(),
    docs_url: z.url(),
    product_url: z.url(),
    waitlist_url: z.url().nullable().meta({ description: 'Where to leave an address; null when the product is live.' }),
  })
  .meta({ id: 'CatalogItem' });

/** `GET /v1/catalog`: every product, live or to come. */
export function catalogRoute(places: Places) {
  const items = allProducts.map((product) => itemOf(product, places));
  return route({
    method: 'GET',
    path: '/v1/catalog',
    operation_id: 'list_products',
    summary: 'All products',
    description: 'What can be called now, and what is to come. Never paginated.',
    access: 'public',
    product: null,
    credits: 0,
    constant: true,
    cors: true,
    query: {
      status: statusSchema.optional().meta({ description: 'Only products of this status.' }),
      category: categorySchema.optional().meta({ description: 'Only products of this category.' }),
    },
    response: z.object({
      items: z.array(itemSchema),
      total: z.int().min(0).meta({ description: 'Length of items.' }),
      live: z.int().min(0).meta({ description: 'How many of the items are live.' }),
      coming_soon: z.int().min(0).meta({ description: 'How many of the items are to come.' }),
      updated_at: z.iso.datetime(),
    }),
    example: {
      items: [
        {
          slug: 'dependency-risk',
          name: 'Dependency risk',
          category: 'security',
          status: 'coming-soon',
          summary: 'Known vulnerabilities, abandoned packages and pinning gaps per repository.',
          docs_url: 'https://example.com/docs/products/dependency-risk',
          product_url: 'https://example.com/v1/products/dependency-risk',
          waitlist_url: 'https://example.com/waitlist/dependency-risk',
        },
      ],
      total: 1,
      live: 0,
      coming_soon: 1,
      updated_at: '2026-11-21T00:00:00.000Z',
    },
    handle: ({ query: { status, category } }) => {
      const chosen = items.filter(
        (item) => item.status === (status ?? item.status) && item.category === (category ?? item.category),
      );
      const live = chosen.filter((item) => item.status === 'live').length;
      return {
        items: chosen,
        total: chosen.length,
        live,
        coming_soon: chosen.length - live,
        updated_at: catalogUpdatedAt,
      };
    },
  });
}

function itemOf(product: Product, { baseUrl, docsBase, siteBase }: Places): z.infer<typeof itemSchema> {
  const { slug, name, category, summary } = product;
  const status = statusOf(product);
  return {
    slug,
    name,
    category,
    status,
    summary,
    docs_url: `${docsBase}/products/${slug}`,
    product_url: `${baseUrl}/v1/products/${slug}`,
    waitlist_url: status === 'live' ? null : `${siteBase}/waitlist/${slug}`,
  };
}

/** Whether it can be called. */
export const statusOf = ({ released_at }: Product): z.infer<typeof statusSchema> =>
  released_at === null ? 'coming-soon' : 'live';

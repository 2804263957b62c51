import { z } from 'zod';
import { escapeHtml } from '../http/docs-page.ts';
import { HttpError } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { allProducts } from './all-products.ts';
import { productNotFound } from './products.ts';
import { smallPage } from './small-page.ts';

/** `GET /waitlist/{slug}`: where waitlists lead while no web site has them. */
export function waitlistPageRoute({ docsBase }: { docsBase: string }) {
  return route({
    method: 'GET',
    path: '/waitlist/{slug}',
    operation_id: 'get_waitlist_page',
    summary: 'The page of a product that is to come, for people',
    access: 'public',
    product: null,
    credits: 0,
    constant: true,
    produces: 'text/html',
    errors: [productNotFound],
    params: { slug: z.string().meta({ description: 'As in the catalog.', examples: ['dependency-risk'] }) },
    response: z.string(),
    handle: ({ params: { slug } }) => {
      const product = allProducts.find((product) => product.slug === slug);
      if (!product) throw new HttpError(productNotFound);
      const { name, summary, released_at } = product;
      const docs = escapeHtml(docsBase);
      return smallPage(name, [
        `<p>${escapeHtml(summary)}</p>`,
        released_at === null
          ? `<p><strong>It is coming soon.</strong> No address is collected here: its release will be in the <a href="${docs}/changelog">changelog</a>.</p>`
          : `<p><strong>It is live</strong>, and described in the <a href="${docs}/products/${slug}">documentation</a>.</p>`,
      ]);
    },
  });
}

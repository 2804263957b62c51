import { expect } from 'chai';
import { describeService } from '../support/service.ts';

interface Item {
  slug: string;
  category: string;
  status: string;
  product_url: string;
  waitlist_url: string | null;
  [field: string]: unknown;
}

describeService('GET /v1/catalog', (service) => {
  const catalog = async (query = '') => {
    const { json } = await service().send(`/v1/catalog${query}`);
    return { ...json, items: json['items'] as Item[] };
  };

  describe('200', () => {
    it('lists 16 products to everybody: 6 live, 10 coming soon', async () => {
      const { items, ...counts } = await catalog();
      expect(counts).deep.equals({ total: 16, live: 6, coming_soon: 10, updated_at: '2026-11-21T00:00:00.000Z' });
      expect(new Set(items.map(({ slug }) => slug))).lengthOf(16);
      for (const { slug } of items) expect(slug).match(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    });

    it('says of each product where its description is, and of one to come, where its waitlist is', async () => {
      const { items } = await catalog();
      expect(items.find(({ slug }) => slug === 'dd-executive')).deep.equals({
        slug: 'dd-executive',
        name: 'Executive due diligence',
        category: 'due-diligence',
        status: 'live',
        summary: 'Portfolio and per-repository engineering-health summary.',
        docs_url: 'https://ris.example/docs/products/dd-executive',
        product_url: 'https://ris.example/v1/products/dd-executive',
        waitlist_url: null,
      });
      for (const { slug, status, waitlist_url } of items)
        expect(waitlist_url).equals(status === 'live' ? null : `https://ris.example/waitlist/${slug}`);
    });

    it('filters by status and category, and counts what is left', async () => {
      const security = await catalog('?category=security');
      expect(security).deep.includes({ total: 3, live: 0, coming_soon: 3 });
      const live = await catalog('?status=live&category=graph-and-search');
      expect(live.items.map(({ slug }) => slug)).deep.equals(['code-graph', 'code-search']);
      expect(live).deep.includes({ total: 2, live: 2, coming_soon: 0 });
      expect((await catalog('?status=live&category=people')).items).deep.equals([]);
    });

    it('may be kept by caches and read by pages of any origin', async () => {
      const { headers } = await service().send('/v1/catalog');
      expect(headers).includes({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' });
    });
  });

  describe('304', () => {
    it('to who has it already', async () => {
      const { headers } = await service().send('/v1/catalog');
      const again = { headers: { 'if-none-match': headers.etag ?? '' } };
      expect((await service().send('/v1/catalog', again)).status).equals(304);
      expect((await service().send('/v1/catalog?status=live', again)).status).equals(200);
    });
  });

  describe('422', () => {
    for (const query of ['status=done', 'category=unknown', 'page=1'])
      it(query, async () => expect((await service().send(`/v1/catalog?${query}`)).status).equals(422));
  });
});

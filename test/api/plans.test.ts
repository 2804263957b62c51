import { expect } from 'chai';
import { readQuotas } from '../../src/control-plane/rate-limits.ts';
import { describeService } from '../support/service.ts';

interface Plan {
  id: string;
  status: string;
  self_serve: boolean;
  price: { amount_cents: number; per: string } | null;
  limits: Record<string, number> | null;
  [field: string]: unknown;
}

describeService('GET /v1/billing/plans', (service) => {
  const plans = async () => (await service().send('/v1/billing/plans')).json['items'] as Plan[];

  describe('200', () => {
    it('lists four plans to everybody, and charges nothing', async () => {
      const { status, headers, json } = await service().send('/v1/billing/plans');
      expect(status).equals(200);
      expect(headers).includes({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' });
      expect(json).includes({ total: 4, billing_mode: 'shadow', charges_enabled: false, currency: 'USD' });
      const summary = (await plans()).map(({ id, status, self_serve, price }) => [
        id,
        status,
        self_serve,
        price && `${price.amount_cents} a ${price.per}`,
      ]);
      expect(summary).deep.equals([
        ['beta', 'current', true, '0 a organization'],
        ['team', 'announced', true, '4900 a seat'],
        ['business', 'announced', true, '14900 a seat'],
        ['enterprise', 'announced', false, null],
      ]);
    });

    it('the plan that is in force has the quotas that are in force', async () => {
      const [beta] = await plans();
      const quotas = readQuotas('');
      expect(quotas.default).deep.includes({ requests: beta?.limits?.['requests_per_minute'], window_seconds: 60 });
      expect(quotas.search).deep.includes({
        requests: beta?.limits?.['search_requests_per_minute'],
        window_seconds: 60,
      });
    });
  });

  describe('304', () => {
    it('to who has it already', async () => {
      const { headers } = await service().send('/v1/billing/plans');
      const again = await service().send('/v1/billing/plans', { headers: { 'if-none-match': headers.etag ?? '' } });
      expect(again.status).equals(304);
    });
  });
});

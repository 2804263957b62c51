import { expect } from 'chai';
import { describeService } from '../support/service.ts';

describeService('GET /api/search/suggest', (service) => {
  const suggest = async (q: string, more = '') => {
    const { json } = await service().get(`/api/search/suggest?q=${encodeURIComponent(q)}${more}`);
    return json['items'] as { text: string; completion: string; type: string | null }[];
  };
  const texts = async (q: string, more = '') => (await suggest(q, more)).map(({ text }) => text);

  describe('200', () => {
    it('completes the last word by names that begin so, what fits best first', async () => {
      expect(await suggest('char')).deep.equals([{ text: 'chargeCard', completion: 'chargeCard', type: 'Function' }]);
      expect((await texts('pay')).slice(0, 1)).deep.equals(['payments-api']);
      expect(await texts('pay')).members(['payments-api', 'PaymentBook', 'PaymentGateway', 'Payment']);
      expect(await texts('pay', '&limit=2')).lengthOf(2);
    });

    it('completes it by a part of a name, and keeps what stands before', async () => {
      expect(await texts('parse requ')).deep.equals(['parse Request']);
      expect(await texts('type:class repo:ledger boo')).deep.equals(['type:class repo:ledger Book']);
    });

    it('completes the value of a qualifier by what there is', async () => {
      expect(await suggest('payment type:cl')).deep.equals([
        { text: 'payment type:Class', completion: 'type:Class', type: null },
      ]);
      expect(await texts('repo:')).members(['repo:ledger', 'repo:payments-api', 'repo:"odd name+ü"']);
      expect(await texts('kind:const')).deep.equals(['kind:constant']);
      expect(await texts('language:t')).deep.equals(['language:typescript']);
    });

    it('offers near names where nothing begins so, and nothing where nothing is near', async () => {
      expect(await texts('chargeCrad')).deep.equals(['chargeCard']);
      expect(await texts('zzzzqqqq')).deep.equals([]);
      expect(await texts('payment ')).deep.equals([]);
      expect(await texts('')).deep.equals([]);
    });
  });

  describe('401', () => {
    it('without a key', async () => expect((await service().send('/api/search/suggest?q=a')).status).equals(401));
  });

  describe('422', () => {
    for (const query of ['', 'q=a&limit=0', 'q=a&limit=21', `q=${'x'.repeat(257)}`, 'q=%00'])
      it(query.slice(0, 30) || 'without q', async () =>
        expect((await service().get(`/api/search/suggest?${query}`)).status).equals(422),
      );
  });
});

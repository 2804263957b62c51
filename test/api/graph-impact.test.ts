import { expect } from 'chai';
import { describeService } from '../support/service.ts';

const charge = 'payments-api/src/chargeCard.ts#chargeCard';
const parse = 'payments-api/src/parsePaymentRequest.ts#parsePaymentRequest';

describeService('GET /api/graph/impact/{id} and /api/graph/path', (service) => {
  const impact = (id: string, query = '') => service().get(`/api/graph/impact/${encodeURIComponent(id)}${query}`);
  const path = (query: Record<string, string>) =>
    service().get(`/api/graph/path?${new URLSearchParams(query).toString()}`);
  const idsOf = (nodes: unknown) => (nodes as { id: string }[]).map(({ id }) => id);

  describe('200', () => {
    it('impact: who calls a function, by depth', async () => {
      const { json } = await impact(charge);
      expect(json['node']).includes({ id: charge, name: 'chargeCard', path: 'src/chargeCard.ts', line: 3 });
      expect(json).deep.includes({ total_affected: 1, by_depth: [{ depth: 1, count: 1 }], truncated: false });
      expect((json['affected'] as object[])[0]).includes({ id: parse, depth: 1, repository: 'payments-api' });
    });

    it('impact: of a repository, the ones that need it; filters narrow it', async () => {
      const { json } = await impact('ledger');
      expect(idsOf(json['affected'])).deep.equals(['payments-api']);
      for (const query of ['?edge_types=CALLS', '?node_types=Function']) {
        expect((await impact('ledger', query)).json).deep.includes({ total_affected: 0, affected: [] });
      }
      expect((await impact(charge, '?min_confidence=0.95')).json).deep.includes({ total_affected: 0 });
    });

    it('path: the nodes and the edges between them; none where there is no way', async () => {
      const { json } = await path({ from: 'payments-api', to: charge });
      expect(json).includes({ from: 'payments-api', to: charge, length: 1 });
      expect(idsOf(json['nodes'])).deep.equals(['payments-api', charge]);
      expect((json['edges'] as object[])[0]).includes({ type: 'CONTAINS', from: 'payments-api', to: charge });
      expect((await path({ from: parse, to: charge, min_confidence: '0.9' })).json).includes({ length: 1 });
      const none = { length: null, nodes: [], edges: [] };
      expect((await path({ from: charge, to: parse })).json).deep.includes(none);
      expect((await path({ from: parse, to: charge, edge_types: 'INHERITS' })).json).deep.includes(none);
    });
  });

  describe('404', () => {
    it('names the node that is not there', async () => {
      for (const answer of [
        impact('nothing'),
        path({ from: 'ledger', to: 'nothing' }),
        path({ from: 'nothing', to: 'ledger' }),
      ]) {
        const { status, json } = await answer;
        expect([status, json['code']]).deep.equals([404, 'node_not_found']);
        expect(json['detail']).include('"nothing"');
      }
    });
  });

  describe('401', () => {
    it('without a key', async () => {
      for (const at of ['/api/graph/impact/ledger', '/api/graph/path?from=ledger&to=ledger'])
        expect((await service().send(at)).status).equals(401);
    });
  });

  describe('422', () => {
    for (const at of [
      'impact/ledger?depth=0',
      'impact/ledger?depth=11',
      'path?from=ledger',
      'path?from=a&to=b&max_length=21',
    ])
      it(at, async () => expect((await service().get(`/api/graph/${at}`)).status).equals(422));
  });
});

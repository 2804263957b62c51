import { expect } from 'chai';
import { describeService } from '../support/service.ts';

interface Neighbor {
  id: string;
  name: string;
  line: number | null;
  edges: { type: string; direction: string; weight: number }[];
}

describeService('GET /api/graph/neighbors/{name}', (service) => {
  const neighbors = async (path: string) => {
    const { json } = await service().get(`/api/graph/neighbors/${path}`);
    return { ...json, neighbors: json['neighbors'] as Neighbor[] };
  };

  describe('200', () => {
    it('lists repositories and contributors one edge away, with their edges', async () => {
      const { json } = await service().get('/api/graph/neighbors/payments-api');
      expect(Object.keys(json)).deep.equals([
        'repo',
        'total_neighbors',
        'neighbors',
        'page',
        'page_size',
        'total_pages',
      ]);
      expect(json).includes({ repo: 'payments-api', total_neighbors: 3 });
      expect(json['neighbors']).deep.equals([
        {
          id: 'contributor:a1',
          type: 'Contributor',
          name: 'Anna Berg',
          kind: null,
          language: null,
          doc: null,
          repository: null,
          qualified_name: null,
          path: null,
          line: null,
          properties: { commits: 12 },
          edges: [{ type: 'CONTRIBUTED_TO', weight: 12, confidence: 1, strategy: 'history', direction: 'in' }],
        },
        {
          id: 'contributor:b2',
          type: 'Contributor',
          name: 'Bo Dahl',
          kind: null,
          language: null,
          doc: null,
          repository: null,
          qualified_name: null,
          path: null,
          line: null,
          properties: { commits: 3 },
          edges: [{ type: 'CONTRIBUTED_TO', weight: 3, confidence: 1, strategy: 'history', direction: 'in' }],
        },
        {
          id: 'ledger',
          type: 'Repository',
          name: 'ledger',
          kind: null,
          language: 'Go',
          doc: null,
          repository: 'ledger',
          qualified_name: null,
          path: null,
          line: null,
          properties: { full_name: null },
          edges: [{ type: 'DEPENDS_ON', weight: 4, confidence: 1, strategy: 'manifest', direction: 'out' }],
        },
      ]);
    });

    it('sees a dependency from its other end', async () => {
      const { neighbors: found } = await neighbors('ledger?edge_types=DEPENDS_ON');
      expect(found.map(({ id, edges }) => [id, edges.map(({ direction }) => direction)])).deep.equals([
        ['payments-api', ['in']],
      ]);
    });

    it('filters by node type, edge type and direction, and counts what it shows', async () => {
      expect(await neighbors('payments-api?node_types=Contributor')).includes({ total_neighbors: 2 });
      expect(await neighbors('payments-api?edge_types=DEPENDS_ON')).includes({ total_neighbors: 1 });
      expect(await neighbors('payments-api?direction=in')).includes({ total_neighbors: 2 });
      expect(await neighbors('payments-api?direction=out&node_types=Contributor')).includes({ total_neighbors: 0 });
    });

    it('finds a name with a space, a plus and an umlaut, percent-encoded', async () => {
      const { status, json } = await service().get('/api/graph/neighbors/odd%20name+%C3%BC');
      expect(status).equals(200);
      expect(json).deep.includes({ repo: 'odd name+ü', total_neighbors: 0, neighbors: [] });
    });
  });

  describe('200, inside', () => {
    const charge = encodeURIComponent('payments-api/src/chargeCard.ts#chargeCard');

    it('level=symbol shows what the repository contains too, in pages', async () => {
      const found = await neighbors('payments-api?level=symbol&node_types=Function,Repository&page_size=1&page=2');
      expect(found).includes({ total_neighbors: 3, page: 2, page_size: 1, total_pages: 3 });
      expect(found.neighbors.map(({ id, edges }) => [id, edges.map(({ type }) => type)])).deep.equals([
        ['payments-api/src/parsePaymentRequest.ts#parsePaymentRequest', ['CONTAINS']],
      ]);
    });

    it('node shows who calls a function, and whom it calls', async () => {
      const found = await neighbors(`payments-api?node=${charge}&edge_types=CALLS`);
      expect(found.neighbors.map(({ name, edges, line }) => [name, edges[0]?.direction, line])).deep.equals([
        ['parsePaymentRequest', 'in', 3],
      ]);
      expect(await neighbors(`payments-api?node=${charge}&min_confidence=0.95&edge_types=CALLS`)).includes({
        total_neighbors: 0,
      });
    });

    it('404 for a node that is not in this repository', async () => {
      for (const [name, node] of [
        ['ledger', charge],
        ['payments-api', 'nothing'],
        ['payments-api', 'contributor:a1'],
      ]) {
        const { status, json } = await service().get(`/api/graph/neighbors/${name}?node=${node}`);
        expect([name, node, status, json['code']]).deep.equals([name, node, 404, 'node_not_found']);
      }
      const { json } = await service().get(`/api/graph/neighbors/nothing?node=${charge}`);
      expect(json['code']).equals('repository_not_found');
    });
  });

  describe('404', () => {
    for (const name of [
      'nothing',
      'Ledger',
      'contributor:a1',
      'ledger%2Fsrc',
      'a%2Fb',
      '%F0%9F%98%80',
      "x'--",
      '__proto__',
    ])
      it(`${name} is no repository`, async () => {
        const { status, json } = await service().get(`/api/graph/neighbors/${name}`);
        expect([status, json['code']]).deep.equals([404, 'repository_not_found']);
        expect(json['detail']).include(JSON.stringify(decodeURIComponent(name)));
        expect(json['docs_url']).equals('https://ris.example/docs/errors/repository_not_found');
        expect((await service().send('/docs/errors/repository_not_found')).status).equals(200);
      });
  });

  describe('400', () => {
    for (const name of ['%00', '%E0%A4%A', 'a%0ab'])
      it(`${name} is no path`, async () => {
        const { status, json } = await service().get(`/api/graph/neighbors/${name}`);
        expect([status, json['code']]).deep.equals([400, 'invalid_path']);
      });
  });

  describe('401', () => {
    it('for known and unknown names alike', async () => {
      const answers = await Promise.all(
        ['ledger', 'nothing'].map((name) => service().send(`/api/graph/neighbors/${name}`)),
      );
      expect(answers.map(({ status }) => status)).deep.equals([401, 401]);
    });
  });

  describe('422', () => {
    for (const query of ['direction=both', 'depth=2', 'edge_types=KNOWS', 'level=file', 'page=0', 'node='])
      it(query, async () => expect((await service().get(`/api/graph/neighbors/ledger?${query}`)).status).equals(422));
  });
});

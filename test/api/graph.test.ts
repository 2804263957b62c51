import { expect } from 'chai';
import type { GraphEdge } from '../../src/model/graph.ts';
import { StoreUnavailable } from '../../src/stores/errors.ts';
import { describeService } from '../support/service.ts';

interface Item {
  id: string;
  type: string;
  [field: string]: unknown;
}

describeService('GET /api/graph', (service) => {
  const graph = async (query = '') => (await service().get(`/api/graph${query}`)).json;

  describe('200', () => {
    it('shows repositories, contributors and the typed edges between them', async () => {
      const { nodes, edges, total_nodes, total_edges } = await graph();
      expect((nodes as Item[]).map(({ type, id }) => `${type} ${id}`)).members([
        'Repository payments-api',
        'Repository ledger',
        'Repository odd name+ü',
        'Contributor contributor:a1',
        'Contributor contributor:b2',
      ]);
      expect(edges).deep.members([
        { type: 'DEPENDS_ON', from: 'payments-api', to: 'ledger', weight: 4, confidence: 1, strategy: 'manifest' },
        ...[
          ['contributor:a1', 'payments-api', 12],
          ['contributor:b2', 'payments-api', 3],
          ['contributor:a1', 'ledger', 5],
        ].map(([from, to, weight]) => ({
          type: 'CONTRIBUTED_TO',
          from,
          to,
          weight,
          confidence: 1,
          strategy: 'history',
        })),
      ]);
      expect([total_nodes, total_edges]).deep.equals([5, 4]);
    });

    it('counts what lies inside each repository, and in all of them', async () => {
      const { nodes, totals } = await graph();
      const payments = (nodes as Item[]).find(({ id }) => id === 'payments-api');
      expect(payments).deep.equals({
        id: 'payments-api',
        type: 'Repository',
        name: 'payments-api',
        kind: null,
        language: 'TypeScript',
        doc: 'Takes payments.',
        repository: 'payments-api',
        qualified_name: null,
        path: null,
        line: null,
        properties: { full_name: null },
        counts: { nodes: { Function: 2, Class: 1 }, edges: { CALLS: 1, CONTAINS: 3 } },
      });
      expect(totals).deep.equals({
        nodes: { Repository: 3, Contributor: 2, Function: 2, Class: 2 },
        edges: { CALLS: 1, CONTAINS: 3, DEPENDS_ON: 1, CONTRIBUTED_TO: 3 },
      });
    });

    it('node_types and edge_types filter nodes, and edges between nodes that are shown', async () => {
      const repositories = await graph('?node_types=Repository');
      expect(repositories).includes({ total_nodes: 3, total_edges: 1 });
      expect((repositories['edges'] as Item[])[0]).includes({ type: 'DEPENDS_ON' });
      expect(await graph('?edge_types=CONTRIBUTED_TO,CALLS')).includes({ total_nodes: 5, total_edges: 3 });
      expect(await graph('?node_types=Repository,Contributor&edge_types=CALLS')).includes({ total_edges: 0 });
      expect((await graph('?node_types=Function'))['totals']).deep.equals(repositories['totals']);
    });
  });

  describe('200, narrowed', () => {
    it('repo shows only these repositories with their contributors; min_confidence drops what is less certain', async () => {
      const { nodes, edges } = await graph('?repo=ledger');
      expect((nodes as Item[]).map(({ id }) => id)).deep.equals(['ledger', 'contributor:a1']);
      expect((edges as Item[]).map(({ type }) => type)).deep.equals(['CONTRIBUTED_TO']);
      expect(await graph('?min_confidence=1')).includes({ total_edges: 4 });
    });

    it('pages hold each node once and each edge once', async () => {
      const pages = await Promise.all([1, 2].map((page) => graph(`?page=${page}&page_size=3`)));
      const whole = await graph();
      expect(pages.flatMap(({ nodes }) => nodes as Item[])).deep.equals(whole['nodes']);
      expect(pages.flatMap(({ edges }) => edges as Item[])).have.deep.members(whole['edges'] as Item[]);
      for (const page of pages) expect(page).includes({ total_nodes: 5, total_edges: 4, page_size: 3, total_pages: 2 });
    });

    for (const query of [
      '',
      'node_types=Repository',
      'edge_types=CONTRIBUTED_TO&repo=payments-api',
      'level=symbol&repo=payments-api',
      'level=symbol&repo=payments-api&edge_types=CONTAINS&node_types=Function,Class,Repository',
      'level=symbol&repo=ledger&min_confidence=0.95',
    ])
      it(`page_size bounds nodes and edges, and next_cursor leads to each once: ?${query}`, async () => {
        const whole = await graph(`?${query}&page_size=1000`);
        for (const size of [1, 2, 3]) {
          const [nodes, edges]: [Item[], Item[]] = [[], []];
          for (let cursor = ''; cursor !== 'null';) {
            const page = await graph(`?${query}&page_size=${size}${cursor && `&cursor=${cursor}`}`);
            expect([page['total_nodes'], page['total_edges']]).deep.equals([
              whole['total_nodes'],
              whole['total_edges'],
            ]);
            const [shown, joined] = [page['nodes'] as Item[], page['edges'] as Item[]];
            expect([shown.length <= size, joined.length <= size]).deep.equals([true, true]);
            nodes.push(...shown);
            edges.push(...joined);
            cursor = String(page['next_cursor']);
          }
          expect(nodes).deep.equals(whole['nodes']);
          expect(edges).have.deep.members(whole['edges'] as Item[]);
          expect([nodes.length, edges.length]).deep.equals([whole['total_nodes'], whole['total_edges']]);
        }
      });

    it('repositories come before contributors, and an edge when both of its ends have come', async () => {
      const known = new Set<unknown>();
      const types: unknown[] = [];
      for (const page of [1, 2, 3, 4, 5]) {
        const { nodes, edges } = await graph(`?page=${page}&page_size=1`);
        for (const { id, type } of nodes as Item[]) {
          known.add(id);
          types.push(type);
        }
        for (const { from, to } of edges as Item[]) expect([known.has(from), known.has(to)]).deep.equals([true, true]);
      }
      expect(types.lastIndexOf('Repository')).equals(types.indexOf('Contributor') - 1);
    });

    it('shows 100 nodes unless told', async () => {
      expect(await graph()).includes({ page: 1, page_size: 100, next_cursor: null });
    });

    it('level=symbol shows what lies inside one repository, with path and line', async () => {
      const { nodes, edges, total_nodes } = await graph('?level=symbol&repo=payments-api&node_types=Function');
      expect((nodes as Item[]).map(({ name, path, line }) => [name, path, line])).deep.equals([
        ['chargeCard', 'src/chargeCard.ts', 3],
        ['parsePaymentRequest', 'src/parsePaymentRequest.ts', 3],
      ]);
      expect(edges).deep.equals([
        {
          type: 'CALLS',
          from: 'payments-api/src/parsePaymentRequest.ts#parsePaymentRequest',
          to: 'payments-api/src/chargeCard.ts#chargeCard',
          weight: 2,
          confidence: 0.9,
          strategy: 'import',
        },
      ]);
      expect(total_nodes).equals(2);
      const sure = await graph('?level=symbol&repo=payments-api&min_confidence=0.95&edge_types=CALLS');
      expect(sure).includes({ total_edges: 0, total_nodes: 6 });
      const second = await graph('?level=symbol&repo=payments-api&page_size=4&page=2');
      expect(second).includes({ total_nodes: 6, page: 2, page_size: 4, total_pages: 2 });
      expect(second['nodes']).have.length(2);
    });
  });

  describe('200, of repositories whose symbols are linked', () => {
    const caller = 'payments-api/src/chargeCard.ts#chargeCard';
    const called = 'ledger/src/PaymentBook.ts#PaymentBook';
    const links = (generation: string, edges: GraphEdge[]) =>
      service().stores.graph.replaceLinks({ repository: 'payments-api', generation, edges });
    const dependency: GraphEdge = {
      type: 'DEPENDS_ON',
      from: 'payments-api',
      to: 'ledger',
      weight: 4,
      confidence: 1,
      strategy: 'manifest',
      path: null,
      line: null,
    };
    const call: GraphEdge = {
      ...dependency,
      type: 'CALLS',
      from: caller,
      to: called,
      confidence: 0.9,
      strategy: 'import',
    };
    before(() => links('linked', [dependency, call]));
    after(() => links('links', [dependency]));

    it('level=symbol shows the edge with what is at its other end, from either side', async () => {
      for (const [repository, other] of [
        ['payments-api', called],
        ['ledger', caller],
      ]) {
        const { nodes, edges, outside } = await graph(
          `?level=symbol&repo=${repository}&edge_types=CALLS&min_confidence=0.9`,
        );
        const found = (edges as Item[]).find(({ from }) => from === caller);
        expect(found).deep.includes({ type: 'CALLS', to: called, confidence: 0.9, strategy: 'import' });
        expect((outside as Item[]).map(({ id }) => id)).deep.equals([other]);
        expect((nodes as Item[]).map(({ id }) => id)).not.includes(other);
      }
    });

    it('neighbors, impact and path go over it', async () => {
      const ask = async (path: string) => (await service().get(path)).json;
      const next = await ask(`/api/graph/neighbors/payments-api?node=${encodeURIComponent(caller)}&edge_types=CALLS`);
      expect((next['neighbors'] as Item[]).map(({ id }) => id)).includes(called);
      const impact = await ask(`/api/graph/impact/${encodeURIComponent(called)}`);
      expect((impact['affected'] as Item[]).map(({ id }) => id)).includes(caller);
      const way = await ask(`/api/graph/path?from=${encodeURIComponent(caller)}&to=${encodeURIComponent(called)}`);
      expect(way['length']).equals(1);
    });
  });

  describe('404', () => {
    it('level=symbol of a repository that is not loaded', async () => {
      const { status, json } = await service().get('/api/graph?level=symbol&repo=nothing');
      expect([status, json['code']]).deep.equals([404, 'repository_not_found']);
    });
  });

  describe('304', () => {
    it('when nothing has changed', async () => {
      const { headers } = await service().get('/api/graph');
      const { status } = await service().get('/api/graph', { 'if-none-match': String(headers.etag) });
      expect(status).equals(304);
    });
  });

  describe('401', () => {
    it('without a key, and with every kind of wrong key', async () => {
      const expired = await service().createKey('acme', 'owner', '2020-01-01T00:00:00.000Z');
      const { api_key } = await service().createKey('acme');
      const mistyped = api_key.slice(0, -1) + (api_key.endsWith('0') ? '1' : '0');
      for (const key of [undefined, 'nonsense', expired.api_key, mistyped]) {
        const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
        const { status, json } = await service().send('/api/graph', { headers });
        expect(status).equals(401);
        expect(json['docs_url']).equals('https://ris.example/docs/authentication');
      }
    });
  });

  describe('422', () => {
    for (const query of [
      '?node_types=File',
      '?edge_types=calls',
      '?node_types=',
      '?depth=1',
      '?level=symbol',
      '?level=symbol&repo=a,b',
      '?page_size=0',
      '?cursor=two',
      '?min_confidence=2',
    ])
      it(query, async () => expect((await service().get(`/api/graph${query}`)).status).equals(422));
  });
});

describeService(
  'GET /api/graph, when the graph store does not answer',
  (service) => {
    describe('503', () => {
      it('tells which dependency and when to try again; other routes go on', async () => {
        const { status, headers, json } = await service().get('/api/graph');
        expect([status, headers['retry-after']]).deep.equals([503, '10']);
        expect(json).includes({ code: 'dependency_unavailable', dependency: 'graph' });
        expect((await service().get('/api/search')).status).equals(200);
        expect((await service().send('/readyz')).status).equals(200);
      });
    });
  },
  ({ graph }) => ({
    graph: {
      ...graph,
      within: (repositories) => ({
        ...graph.within(repositories),
        repositoryGraph: () => Promise.reject(new StoreUnavailable('graph')),
      }),
    },
  }),
);

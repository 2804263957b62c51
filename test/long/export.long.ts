import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import { edge, repository } from '../contract/graph-store.ts';
import { unique } from '../contract/relational-store.ts';
import { describeEmbedded } from '../support/service.ts';

const symbols = 20_000;
/** What a walk may hold more at its end than at its beginning. */
const maxGrowthBytes = 4_000_000;

describeEmbedded('exports of a large graph', (service) => {
  const name = unique('large');
  let key = '';
  const id = (n: number) => `${key}/lib.js#symbol${n}`;

  function* nodes(): Generator<GraphNode> {
    const [own, symbol] = repository(key, { symbols: ['symbol0'], contributors: [], generation: '1' }).nodes;
    if (!own || !symbol) throw new Error('A repository has a node, and each of its symbols.');
    yield own;
    for (let n = 0; n < symbols; n++) yield { ...symbol, id: id(n), name: `symbol${n}`, doc: `The ${n}th of many.` };
  }
  function* edges(): Generator<GraphEdge> {
    for (let n = 0; n < symbols; n++) {
      yield edge('CONTAINS', key, id(n));
      yield edge('CALLS', id(n), id((n * 7 + 1) % symbols));
    }
  }

  before(async () => {
    const { stores, organizationId } = service();
    key = await stores.relational.repositories.claim(organizationId, name);
    await stores.graph.replaceRepository({ repository: key, generation: '1', nodes: nodes(), edges: edges() });
  });
  after(async () => {
    await service().stores.graph.removeRepository(key);
  });

  for (const [rows, count] of [
    ['nodes', symbols + 1],
    ['edges', 2 * symbols],
  ] as const) {
    it(`hold no more memory at the end of all ${rows} than at the beginning, and give each once`, async () => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      const held: number[] = [];
      let seen = 0;
      for (let path: string | undefined = `/api/export/${rows}?repo=${name}&limit=10000`; path !== undefined;) {
        const { headers, text, status } = await service().get(path, { accept: 'application/x-ndjson' });
        expect(status).equals(200);
        expect(Buffer.byteLength(text)).lessThan(1_100_000);
        // Counted, as a set of all ids would be what is measured.
        seen += text.split('\n').length - 1;
        path = /^<(.+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1];
        collect();
        held.push(process.memoryUsage().heapUsed);
      }
      expect(seen).equals(count);
      expect(held.length).greaterThan(3);
      // The first pages fill caches.
      const [begin = 0] = held.slice(2);
      expect((held.at(-1) ?? 0) - begin).lessThan(maxGrowthBytes);
      expect(Math.max(...held) - begin).lessThan(2 * maxGrowthBytes);
    }).timeout(600_000);
  }
});

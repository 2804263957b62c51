import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { GraphEdge } from '../../../src/model/graph.ts';
import { openSqliteGraph } from '../../../src/stores/graph/sqlite.ts';
import { graphStoreContract, repository } from '../../contract/graph-store.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graph-'));
});
after(() => rm(folder, { recursive: true }));

let opened = 0;
graphStoreContract('sqlite', () => openSqliteGraph({ file: join(folder, `${++opened}.db`) }));

describe('The embedded graph', () => {
  it('joins symbols that are far from each other, where a repository has more than are remembered', async () => {
    const store = await openSqliteGraph({ file: join(folder, 'large.db') });
    const symbols = Array.from({ length: 50_010 }, (_, index) => `f${index}`);
    const { nodes, edges, ...rest } = repository('koa', { symbols });
    const ids = nodes.map(({ id }) => id).filter((id) => id.includes('#'));
    const ends = [0, 1, 2].map((index) => [ids.at(index)!, ids.at(-1 - index)!] as const);
    const call = { type: 'CALLS', weight: 1, confidence: 1, strategy: 'import', path: null, line: null } as const;
    const calls = ends.flatMap(([from, to]): GraphEdge[] => [
      { ...call, from, to },
      { ...call, from: to, to: from },
      { ...call, from, to: `${to}x` },
    ]);
    await store.replaceRepository({ ...rest, nodes, edges: [...edges.slice(0, 1), ...calls] });
    const found: string[] = [];
    for await (const { from, to } of store.edges({ types: ['CALLS'] })) found.push(`${from} ${to}`);
    expect(found).to.have.members(ends.flatMap(([from, to]) => [`${from} ${to}`, `${to} ${from}`]));
    await store.close();
  });
});

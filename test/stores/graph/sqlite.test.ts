import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { expect } from 'chai';
import type { GraphEdge } from '../../../src/model/graph.ts';
import { openSqliteGraph } from '../../../src/stores/graph/sqlite.ts';
import { graphStoreContract, repository } from '../../contract/graph-store.ts';
import { graphQueryContract } from '../../contract/graph-query.ts';
import { graphWithinContract } from '../../contract/graph-within.ts';
import { exerciseGraph } from '../../support/exercise-stores.ts';
import { whileAsking } from '../../support/while-asking.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graph-'));
});
after(() => rm(folder, { recursive: true }));

let opened = 0;
const openEmpty = () => openSqliteGraph({ file: join(folder, `${++opened}.db`) });
graphStoreContract('sqlite', openEmpty);
graphWithinContract('sqlite', openEmpty);
graphQueryContract('sqlite', openEmpty);

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

  it('asks in every statement of a reader what it sees, or begins at what was seen before', async () => {
    const sent = new Set<string>();
    let isAsking = false;
    const { all, get, iterate } = StatementSync.prototype;
    for (const [name, send] of Object.entries({ all, get, iterate }) as [string, (...sent: never[]) => never][]) {
      Object.assign(StatementSync.prototype, {
        [name](this: StatementSync, ...parameters: never[]) {
          if (isAsking) sent.add(this.sourceSQL.replace(/\s+/g, ' ').trim());
          return send.apply(this, parameters);
        },
      });
    }
    try {
      const store = await openSqliteGraph({ file: join(folder, 'filtered.db') });
      await exerciseGraph(whileAsking(store, (asking) => (isAsking = asking)));
      await store.close();
    } finally {
      Object.assign(StatementSync.prototype, { all, get, iterate });
    }
    const unfiltered = [...sent].filter((statement) => !statement.includes('is_visible('));
    expect(sent.size - unfiltered.length).to.be.greaterThan(8);
    expect(unfiltered.filter((statement) => !SEEN_BEFORE.some((each) => each.test(statement)))).to.deep.equal([]);
    expect(SEEN_BEFORE.filter((each) => !unfiltered.some((statement) => each.test(statement)))).to.deep.equal([]);
  });
});

/** Statements that begin at a key, or at the rows of a repository, that a statement before has found among what is visible. */
const SEEN_BEFORE = [
  /^SELECT n\.key FROM json_each\(:keys\) k CROSS JOIN nodes n ON n\.key = k\.value /,
  /^PRAGMA /,
  /^SELECT generation(, links)? FROM repositories WHERE key = \?$/,
  /^SELECT (node|id, type) FROM nodes WHERE key = \?$/,
  // Of these, keys are taken that lie in a repository that is visible.
  /^SELECT key FROM nodes WHERE id = \?$/,
  /^SELECT [^()]* FROM edges e CROSS JOIN nodes f [^()]* WHERE e\.key = \?$/,
  /^SELECT [^()]* FROM edges WHERE key >= \? AND key < \?$/,
  /^SELECT n\.key, n\.id FROM repository_nodes r [^()]* WHERE r\.repository_key = \? AND n\.key >= \? AND n\.key < \?$/,
  // Which symbols have links; these themselves are asked for then.
  /^SELECT n\.key, n\.id FROM \( SELECT from_id [^()]* \) ends [^()]* WHERE n\.key >= :first_node AND n\.key < :end_node$/,
  /^SELECT key, type FROM nodes WHERE key >= \? AND key < \?( ORDER BY type, id)?$/,
];

import { expect } from 'chai';
import fc from 'fast-check';
import { edgeChanges } from '../../loaders/edge-changes.ts';
import { decompressSnapshot, compressSnapshot, readEdges } from '../../loaders/records/snapshot-file.ts';
import { openTemporaryFile } from '../../loaders/temporary-file.ts';
import { analyze } from '../../loaders/analyze.ts';
import type { GraphEdge } from '../../src/model/graph.ts';
import { edgeTypeSchema } from '../../src/model/graph.ts';
import { edge } from '../contract/graph-store.ts';
import { gitRepository } from '../support/git-repository.ts';

const keyOf = ({ type, from, to }: Pick<GraphEdge, 'type' | 'from' | 'to'>) => `${type} ${from} ${to}`;

describe('edges that a load changed', () => {
  it('are those that only one of the two has, counted by type, of which the first are named', async () => {
    const end = fc.stringMatching(/^[ab]{1,3}$/);
    const edges = fc.uniqueArray(
      fc.tuple(fc.constantFrom(...edgeTypeSchema.options), end, end).map(([type, from, to]) => edge(type, from, to)),
      { selector: keyOf, maxLength: 80 },
    );
    await fc.assert(
      fc.asyncProperty(edges, edges, async (before, after) => {
        const { appeared, gone } = await edgeChanges(() => before, after);
        for (const [list, all, others] of [
          [appeared, after, before],
          [gone, before, after],
        ] as const) {
          const known = new Set(others.map(keyOf));
          const wanted = all.filter((each) => !known.has(keyOf(each)));
          expect(list.total).to.equal(wanted.length);
          const counts = [...Map.groupBy(wanted, ({ type }) => type)].map(([type, some]) => [type, some.length]);
          expect(list.by_type).to.deep.equal(Object.fromEntries(counts));
          const named = counts.map(([, count]) => Math.min(10, Number(count)));
          expect(list.edges.length).to.equal(named.reduce((sum, count) => sum + count, 0));
          expect(wanted.map(keyOf)).to.include.members(list.edges.map(keyOf));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('do not count what is heavier or stands elsewhere, and name what somebody wrote before what contains', async () => {
    const before = [edge('CALLS', 'a', 'b', { weight: 1, line: 3 })];
    const after = [
      edge('CALLS', 'a', 'b', { weight: 2, line: 9 }),
      edge('CONTAINS', 'r', 'c'),
      edge('INHERITS', 'c', 'd'),
    ];
    const { appeared, gone } = await edgeChanges(() => before, after);
    expect(gone).to.deep.equal({ total: 0, by_type: {}, edges: [] });
    expect(appeared.edges.map(({ type }) => type)).to.deep.equal(['INHERITS', 'CONTAINS']);
  });

  it('are read from what is kept without the rest of it', async () => {
    const repository = gitRepository({ files: { 'a.js': 'export function a() { return b(); }\nfunction b() {}\n' } });
    const { snapshot, close } = await analyze(repository.path, { name: 'it', keepSource: true });
    const file = openTemporaryFile();
    const whole = await decompressSnapshot(compressSnapshot(snapshot), file);
    const read = await Array.fromAsync(readEdges(compressSnapshot(snapshot)));
    expect(read)
      .to.deep.equal([...whole.edges])
      .and.have.length.greaterThan(3);
    file.close();
    close();
    repository.remove();
  });
});

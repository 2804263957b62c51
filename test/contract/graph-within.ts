import { expect } from 'chai';
import fc from 'fast-check';
import { edgeTypeSchema, nodeTypeSchema } from '../../src/model/graph.ts';
import type { GraphReader, GraphStore } from '../../src/stores/graph/port.ts';
import { effort } from '../support/effort.ts';
import { putLinks } from '../support/put-links.ts';
import { edge, repository } from './graph-store.ts';

const every = {
  edgeTypes: edgeTypeSchema.options,
  nodeTypes: nodeTypeSchema.options,
  minConfidence: 0,
  offset: 0,
  limit: 100,
};

/** What a graph store promises of a reader of some repositories, as `graphStoreContract`: it answers as a store of these alone. */
export function graphWithinContract(name: string, open: () => Promise<GraphStore>): void {
  describe(`graph store contract, within some repositories: ${name}`, () => {
    let store: GraphStore;
    let loads = 0;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    /** A repository whose contributors have so many commits here. */
    const load = (
      name: string,
      commits: number,
      contributors: readonly string[],
      symbols: readonly string[] = ['x'],
    ) => {
      const snapshot = repository(name, { symbols, contributors, generation: String(++loads) });
      for (const node of snapshot.nodes) if (node.type === 'Contributor') node.properties = { commits };
      return store.replaceRepository(snapshot);
    };
    const symbol = (name: string, of = 'x') => `${name}/lib.js#${of}`;

    it('gives the functions and classes around lines, of files that are seen', async () => {
      const snapshot = repository('koa', { symbols: ['outer', 'inner', 'other'], generation: String(++loads) });
      const spans: Record<string, [number, number]> = { outer: [3, 9], inner: [5, 6], other: [11, 11] };
      for (const node of snapshot.nodes) [node.line, node.end_line] = spans[node.name] ?? [null, null];
      await store.replaceRepository(snapshot);
      await load('vue', 1, []);
      const around = async (lines: number[], { path = 'lib.js', of = 'koa', seen = ['koa'] } = {}) =>
        (await store.within(seen).definitions([{ repository: of, path, lines }])).map(({ id }) => id);
      expect(await around([3])).to.deep.equal([symbol('koa', 'outer')]);
      expect(await around([6])).to.deep.equal([symbol('koa', 'inner'), symbol('koa', 'outer')]);
      expect(await around([9, 11])).to.deep.equal([symbol('koa', 'other'), symbol('koa', 'outer')]);
      for (const none of [[2], [10], [12], []]) expect(await around(none)).to.deep.equal([]);
      expect(await around([3], { path: 'lib' })).to.deep.equal([]);
      expect(await around([3], { of: 'vue' })).to.deep.equal([]);
      expect(await around([3], { of: 'vue', seen: ['koa', 'vue'] })).to.deep.equal([symbol('vue')]);
      // And those of the version that is shown, also of lines that were asked about before.
      await load('koa', 1, [], ['moved']);
      expect(await around([3])).to.deep.equal([symbol('koa', 'moved')]);
      expect(await around([11])).to.deep.equal([]);
    });

    it('shows a contributor whom others have too as the first of these has them, and no others', async () => {
      await load('express', 3, ['ann', 'bob']);
      await load('koa', 7, ['ann']);
      await load('vue', 9, ['ann']);
      const reader = store.within(['vue', 'koa']);
      expect((await reader.node('contributor:ann'))?.properties).to.deep.equal({ commits: 7 });
      expect(await reader.node('contributor:bob')).to.equal(null);
      const { nodes, edges } = await reader.repositoryGraph();
      expect(nodes.map(({ id, properties }) => [id, properties['commits']])).to.deep.equal([
        ['contributor:ann', 7],
        ['koa', 3],
        ['vue', 3],
      ]);
      expect(edges.map(({ from, to }) => [from, to])).to.deep.equal([
        ['contributor:ann', 'koa'],
        ['contributor:ann', 'vue'],
      ]);
      expect((await reader.neighbors('vue'))?.map(({ node }) => node.properties)).to.deep.equal([{ commits: 9 }]);
      const next = await reader.adjacent({ ...every, id: 'contributor:ann' });
      expect(next?.neighbors.map(({ node }) => node.id)).to.deep.equal(['koa', 'vue']);
      expect(next?.total).to.equal(2);
    });

    it('shows no link whose far end is not among them', async () => {
      for (const name of ['a', 'b']) await load(name, 1, []);
      await putLinks(store, [
        edge('DEPENDS_ON', 'a', 'b'),
        edge('DEPENDS_ON', 'b', 'a'),
        edge('CALLS', symbol('a'), symbol('b')),
        edge('IMPORTS', 'b', symbol('a')),
      ]);
      const reader = store.within(['a']);
      expect(await reader.neighbors('a')).to.deep.equal([]);
      expect((await reader.repositoryGraph()).edges).to.deep.equal([]);
      expect(await reader.inside({ ...every, repository: 'a' })).to.deep.include({ links: [], outside: [] });
      for (const id of ['a', symbol('a')]) {
        const { neighbors, total } = (await reader.adjacent({ ...every, id }))!;
        expect(neighbors.map(({ edges }) => edges.map(({ edge: { type } }) => type).join())).to.deep.equal([
          'CONTAINS',
        ]);
        expect(total).to.equal(1);
      }
    });

    it('finds no path and no impact through others', async () => {
      for (const name of ['a', 'hidden', 'c']) await load(name, 1, []);
      await putLinks(store, [
        edge('DEPENDS_ON', 'a', 'hidden'),
        edge('DEPENDS_ON', 'hidden', 'c'),
        edge('CALLS', symbol('a'), symbol('hidden')),
        edge('CALLS', symbol('hidden'), symbol('c')),
      ]);
      const [all, some] = [store.everything, store.within(['c', 'a'])];
      const path = { ...every, longest: 5 };
      const impact = { ...every, edgeTypes: ['CALLS', 'DEPENDS_ON'] as const, depth: 5 };
      for (const [from, to] of [['a', 'c'] as const, [symbol('a'), symbol('c')] as const]) {
        expect((await all.path({ ...path, from, to }))?.edges).to.have.length(2);
        expect(await some.path({ ...path, from, to })).to.equal(null);
        expect(await some.path({ ...path, from, to: 'hidden' })).to.equal(null);
        expect(await some.path({ ...path, from: 'hidden', to })).to.equal(null);
        expect((await all.impact({ ...impact, id: to }))?.depths[1]).to.be.greaterThan(0);
        expect(await some.impact({ ...impact, id: to })).to.deep.equal({
          affected: [],
          total: 0,
          depths: [],
          truncated: false,
        });
      }
    });

    it('knows one state of what lies inside a repository from the next', async () => {
      const [reader, alone] = [store.within(['a', 'b']), store.within(['a'])];
      const states = async () => [await reader.stateInside('a'), await alone.stateInside('a')];
      expect(await states()).to.deep.equal([null, null]);
      for (const name of ['a', 'b', 'hidden']) await load(name, 1, ['ann']);
      const links = [edge('CALLS', symbol('b'), symbol('a'))];
      await putLinks(store, links);
      const before = await states();
      expect(await states()).to.deep.equal(before);
      await load('hidden', 2, ['ann']);
      expect(await states()).to.deep.equal(before);
      // Who does not see the link does not see that it changes, or sees it for a change.
      await putLinks(store, [...links, edge('IMPORTS', 'b', symbol('a'))]);
      const linked = await states();
      expect(linked[0]).to.not.equal(before[0]);
      await load('a', 1, [], ['x', 'y']);
      const after = await states();
      expect(after[0]).to.not.equal(linked[0]);
      expect(after[1]).to.not.equal(before[1]);
      for (const none of ['hidden', 'nobody', '']) expect(await reader.stateInside(none)).to.equal(null);
    });

    it('gives what lies inside without its edges, where none are asked for', async () => {
      await load('a', 1, ['ann'], ['x', 'y']);
      const { nodes, edges, total } = (await store.within(['a']).inside({ ...every, edgeTypes: [], repository: 'a' }))!;
      expect([nodes.length, edges.length, total]).to.deep.equal([4, 0, 4]);
      expect((await store.within(['a']).inside({ ...every, repository: 'a', limit: 0 }))?.total).to.equal(4);
    });

    it('counts what is in these', async () => {
      await load('a', 1, ['ann'], ['x', 'y']);
      await load('b', 1, ['ann'], ['x', 'y', 'z']);
      expect((await store.within(['b']).repositoryGraph()).counts).to.deep.equal([
        { repository: 'b', nodes: { Function: 3 }, edges: { CALLS: 2, CONTAINS: 3 } },
      ]);
      const inside = (await store.within(['b']).inside({ ...every, repository: 'b', limit: 2 }))!;
      expect([inside.nodes.length, inside.total]).to.deep.equal([2, 5]);
    });

    it('knows the others no more than what never was, and ignores names that are not held', async () => {
      await load('a', 1, ['ann']);
      await load('hidden', 1, ['bob']);
      const reader = store.within(['nobody', 'a', 'a', "it's `odd`"]);
      for (const id of ['hidden', symbol('hidden'), 'contributor:bob', 'nobody', "it's `odd`", '']) {
        expect(await reader.node(id)).to.equal(null);
        expect(await reader.neighbors(id)).to.equal(null);
        expect(await reader.inside({ ...every, repository: id })).to.equal(null);
        expect(await reader.adjacent({ ...every, id })).to.equal(null);
        expect(await reader.impact({ ...every, id, depth: 3 })).to.equal(null);
        expect(await reader.path({ ...every, from: 'a', to: id, longest: 3 })).to.equal(null);
      }
      expect(await reader.repositoryGraph()).to.deep.equal(await store.within(['a']).repositoryGraph());
      expect((await reader.repositoryGraph()).nodes.map(({ id }) => id)).to.deep.equal(['a', 'contributor:ann']);
    });

    it('is empty of none', async () => {
      await load('a', 1, ['ann']);
      const reader = store.within([]);
      expect(await reader.repositoryGraph()).to.deep.equal({ nodes: [], edges: [], counts: [] });
      for (const id of ['a', symbol('a'), 'contributor:ann']) expect(await reader.node(id)).to.equal(null);
      expect(await reader.neighbors('a')).to.equal(null);
      expect(await reader.inside({ ...every, repository: 'a' })).to.equal(null);
    });

    it('shows the links of a repository to itself, each once', async () => {
      for (const name of ['a', 'b']) await load(name, 1, []);
      const own = [
        edge('DEPENDS_ON', 'a', 'a'),
        edge('DEPENDS_ON', symbol('a'), 'a'),
        edge('IMPORTS', symbol('a'), symbol('a')),
      ];
      await putLinks(store, [...own, edge('DEPENDS_ON', symbol('a'), 'b')]);
      const reader = store.within(['a']);
      expect((await reader.inside({ ...every, repository: 'a' }))?.links).to.deep.equal(own.slice(1));
      expect((await reader.repositoryGraph()).edges).to.deep.equal(own.slice(0, 1));
      const next = (await reader.adjacent({ ...every, edgeTypes: ['DEPENDS_ON', 'IMPORTS'], id: symbol('a') }))!;
      const ends = next.neighbors.flatMap(({ edges, node }) => edges.map(({ edge: { type } }) => [type, node.id]));
      expect(ends).to.deep.equal([
        ['DEPENDS_ON', 'a'],
        ['IMPORTS', symbol('a')],
      ]);
      await putLinks(store, []);
      expect((await reader.inside({ ...every, repository: 'a' }))?.links).to.deep.equal([]);
    });

    it('takes hundreds, and answers in the order of code points', async () => {
      const held = ['𝔘', 'ﬀ', 'é', 'a'];
      for (const name of held) await load(name, 1, []);
      const reader = store.within([...Array.from({ length: 700 }, (_, i) => `r${i}`), ...held]);
      const { nodes, counts } = await reader.repositoryGraph();
      expect(nodes.map(({ id }) => id)).to.deep.equal(['a', 'é', 'ﬀ', '𝔘']);
      expect(counts.map((each) => each.repository)).to.deep.equal(['a', 'é', 'ﬀ', '𝔘']);
    });

    it('answers every question as a store that holds these alone', async () => {
      const names = ['a', 'a-b', 'org~ﬀ', 'org~𝔘'] as const;
      const places = names.flatMap((name) => [name, symbol(name), symbol(name, 'y')]);
      const some = <T>(of: readonly T[]) => fc.uniqueArray(fc.constantFrom(...of), { maxLength: of.length });
      const link = fc.record({
        type: fc.constantFrom('DEPENDS_ON' as const, 'IMPORTS' as const, 'INHERITS' as const),
        from: fc.constantFrom(...places),
        to: fc.constantFrom(...places),
      });
      const ids = [...places, 'contributor:ann', 'contributor:bob', 'nobody'];
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(
            fc.record({
              name: fc.constantFrom(...names),
              contributors: some(['ann', 'bob']),
              symbols: some(['x', 'y']),
            }),
            { minLength: 2, maxLength: names.length, selector: ({ name }) => name },
          ),
          fc.uniqueArray(link, { maxLength: 12, selector: ({ type, from, to }) => `${type} ${from} ${to}` }),
          some(names),
          fc.subarray(ids, { minLength: 3, maxLength: 5 }),
          async (repositories, links, visible, asked) => {
            for (const name of names) await store.removeRepository(name);
            for (const [i, { name, contributors, symbols }] of repositories.entries())
              await load(name, i, contributors, symbols);
            await putLinks(
              store,
              links.map(({ type, from, to }) => edge(type, from, to)),
            );
            const answers = await answersOf(store.within(visible), asked);
            for (const name of names) if (!visible.includes(name)) await store.removeRepository(name);
            expect(answers).to.deep.equal(await answersOf(store.everything, asked));
          },
        ),
        // A server takes a second for each.
        { numRuns: store.engine === 'sqlite' ? effort({ gate: 60, long: 3_000 }) : effort({ gate: 2, long: 100 }) },
      );
    });
  });
}

/** Each question, of each of these. */
async function answersOf(reader: GraphReader, ids: readonly string[]): Promise<unknown> {
  const { offset, limit } = { offset: 1, limit: 3 };
  const answers = ids.map(async (id) => ({
    id,
    node: await reader.node(id),
    neighbors: await reader.neighbors(id),
    inside: await reader.inside({ ...every, repository: id }),
    page: await reader.inside({ ...every, repository: id, offset, limit }),
    edges: await reader.edgesInside({ ...every, repository: id }),
    adjacent: await reader.adjacent({ ...every, id }),
    outgoing: await reader.outgoing({ ...every, ids: [id, 'a', 'nobody'] }),
    few: await reader.adjacent({ ...every, id, offset, limit, direction: 'in' }),
    impact: await reader.impact({ ...every, id, depth: 3 }),
    nearest: await reader.impact({ ...every, id, depth: 2, offset, limit }),
    paths: [
      await reader.path({ ...every, from: 'a', to: id, longest: 5 }),
      await reader.path({ ...every, from: id, to: 'a-b', longest: 5 }),
    ],
  }));
  return { graph: await reader.repositoryGraph(), answers: await Promise.all(answers) };
}

import { compareIds } from '../../src/stores/graph/walk.ts';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { edgeTypeSchema, nodeTypeSchema } from '../../src/model/graph.ts';
import type { EdgeType, GraphEdge, GraphNode, NodeType } from '../../src/model/graph.ts';
import type { GraphReader, GraphSnapshot, GraphStore } from '../../src/stores/graph/port.ts';
import { putLinks } from '../support/put-links.ts';

/** What every graph store promises, checked on one engine; `open` gives an empty store, which the contract closes. */
export function graphStoreContract(name: string, open: () => Promise<GraphStore>): void {
  describe(`graph store contract: ${name}`, () => {
    let store: GraphStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    describe('replaceRepository', () => {
      it('gives back every field of nodes and edges unharmed, whatever the names hold', async () => {
        for (const name of NAUGHTY) {
          const snapshot = repository('odd', {
            symbols: [name, `${name}2`],
            contributors: [name],
          });
          await store.replaceRepository({ ...snapshot, generation: name });
          expect(await all(store.nodes({ repository: 'odd' }))).to.deep.equal(sortNodes(snapshot.nodes));
          expect(await all(store.edges({ repository: 'odd' }))).to.deep.equal(sortEdges(snapshot.edges));
          for (const node of snapshot.nodes) expect(await store.everything.node(node.id)).to.deep.equal(node);
        }
      });

      it('puts the new nodes and edges in place of all the old ones', async () => {
        await store.replaceRepository(repository('koa', { symbols: ['old', 'kept'], contributors: ['ann'] }));
        const next = repository('koa', { symbols: ['kept', 'new'], contributors: ['bob'], generation: 'second' });
        await store.replaceRepository(next);
        expect(await all(store.nodes())).to.deep.equal(sortNodes(next.nodes));
        expect(await all(store.edges())).to.deep.equal(sortEdges(next.edges));
        expect(await store.everything.node('koa/lib.js#old')).to.equal(null);
        expect(await store.everything.node('contributor:ann')).to.equal(null);
        expect(await store.generations()).to.deep.equal(new Map([['koa', 'second']]));
      });

      it('changes nothing when the generation is the one held', async () => {
        const first = repository('koa', { symbols: ['a'] });
        await store.replaceRepository(first);
        await store.replaceRepository(repository('koa', { symbols: ['b'] }));
        expect(await all(store.nodes())).to.deep.equal(sortNodes(first.nodes));
      });

      it('takes nodes and edges as asynchronous streams', async () => {
        const { nodes, edges, ...rest } = repository('koa', { symbols: ['a', 'b'] });
        await store.replaceRepository({ ...rest, nodes: stream(nodes), edges: stream(edges) });
        expect(await all(store.nodes())).to.deep.equal(sortNodes(nodes));
        expect(await all(store.edges())).to.deep.equal(sortEdges(edges));
      });

      it('leaves out an edge with an end that is no node of the snapshot', async () => {
        const snapshot = repository('koa', { symbols: ['a'] });
        const dangling = edge('CALLS', 'koa/lib.js#a', 'koa/lib.js#nowhere');
        await store.replaceRepository({ ...snapshot, edges: [...snapshot.edges, dangling] });
        expect(await all(store.edges())).to.deep.equal(sortEdges(snapshot.edges));
      });

      it('keeps the old repository, and the store usable, when the stream of the new one fails', async () => {
        const first = repository('koa', { symbols: ['a'] });
        await store.replaceRepository(first);
        const broken = { ...repository('koa', { generation: 'broken' }), edges: failing(new Error('no more')) };
        expect(await failure(store.replaceRepository(broken))).to.have.property('message', 'no more');
        expect(await all(store.nodes())).to.deep.equal(sortNodes(first.nodes));
        expect(await all(store.edges())).to.deep.equal(sortEdges(first.edges));
        expect(await store.generations()).to.deep.equal(new Map([['koa', 'one']]));
        const next = repository('koa', { symbols: ['b'], generation: 'next' });
        await store.replaceRepository(next);
        expect(await all(store.nodes())).to.deep.equal(sortNodes(next.nodes));
      });

      it('shows the old repository or the new one, never half, to those who read meanwhile', async () => {
        const versions = [1, 2, 3].map((version) =>
          repository('koa', {
            symbols: Array.from({ length: 700 }, (_, i) => `v${version}_${i}`),
            generation: `v${version}`,
          }),
        );
        await store.replaceRepository(versions[0]!);
        let done = false;
        const writing = (async () => {
          for (const version of versions.slice(1)) await store.replaceRepository(version);
          done = true;
        })();
        const seen = new Set<string>();
        while (!done) {
          const names = (await all(store.nodes({ repository: 'koa', types: ['Function'] }))).map((node) => node.name);
          expect(names).to.have.length(700);
          expect(new Set(names.map((name) => name.split('_')[0]))).to.have.property('size', 1);
          seen.add(names[0]!);
          const { counts } = await store.everything.repositoryGraph();
          expect(counts[0]).to.deep.include({ repository: 'koa', nodes: { Function: 700 } });
        }
        await writing;
        expect(await store.generations()).to.deep.equal(new Map([['koa', 'v3']]));
        expect(seen.size).to.be.greaterThan(0);
      });

      it('takes several repositories at once', async () => {
        const many = ['a', 'b', 'c', 'd'].map((name) =>
          repository(name, { symbols: ['x', 'y'], contributors: ['ann'] }),
        );
        await Promise.all(many.map((snapshot) => store.replaceRepository(snapshot)));
        for (const { repository: name, nodes } of many) {
          expect(await all(store.nodes({ repository: name }))).to.deep.equal(sortNodes(nodes));
        }
      });
    });

    describe('contributors', () => {
      it('are one node for all repositories that have them, and stay until the last one goes', async () => {
        await store.replaceRepository(repository('koa', { contributors: ['ann', 'bob'] }));
        await store.replaceRepository(repository('express', { contributors: ['ann'] }));
        expect(await ids(store.nodes({ types: ['Contributor'] }))).to.deep.equal([
          'contributor:ann',
          'contributor:bob',
        ]);
        expect((await store.everything.repositoryGraph()).nodes.map((node) => node.id)).to.deep.equal([
          'contributor:ann',
          'contributor:bob',
          'express',
          'koa',
        ]);
        await store.removeRepository('koa');
        expect(await ids(store.nodes({ types: ['Contributor'] }))).to.deep.equal(['contributor:ann']);
        expect(await store.everything.node('contributor:bob')).to.equal(null);
        await store.removeRepository('express');
        expect(await all(store.nodes())).to.deep.equal([]);
      });

      it('are shown as the repository asked for has them, else as the first one by name', async () => {
        const as = (repositoryName: string, commits: number) => {
          const snapshot = repository(repositoryName, { contributors: ['ann'] });
          for (const node of snapshot.nodes) if (node.type === 'Contributor') node.properties = { commits };
          return snapshot;
        };
        await store.replaceRepository(as('koa', 7));
        await store.replaceRepository(as('express', 3));
        const commits = (nodes: (GraphNode | null)[]) =>
          nodes.flatMap((node) => (node?.type === 'Contributor' ? [node.properties['commits']] : []));
        expect(commits(await all(store.nodes()))).to.deep.equal([3]);
        expect(commits([await store.everything.node('contributor:ann')])).to.deep.equal([3]);
        expect(commits((await store.everything.repositoryGraph()).nodes)).to.deep.equal([3]);
        expect(commits(await all(store.nodes({ repository: 'koa' })))).to.deep.equal([7]);
        expect(commits((await store.everything.neighbors('koa'))!.map(({ node }) => node))).to.deep.equal([7]);
      });
    });

    describe('removeRepository', () => {
      it('leaves nothing of it behind, and nothing else touched', async () => {
        const kept = repository('express', { symbols: ['a', 'b'], contributors: ['ann'] });
        await store.replaceRepository(kept);
        await store.replaceRepository(repository('koa', { symbols: ['a', 'b'], contributors: ['ann', 'bob'] }));
        await putLinks(store, [edge('DEPENDS_ON', 'express', 'koa'), edge('IMPORTS', 'koa', 'express')]);
        expect(await store.removeRepository('koa')).to.equal(true);
        expect(await all(store.nodes())).to.deep.equal(sortNodes(kept.nodes));
        expect(await all(store.edges())).to.deep.equal(sortEdges(kept.edges));
        expect(await store.everything.neighbors('koa')).to.equal(null);
        expect((await store.everything.repositoryGraph()).counts.map(({ repository }) => repository)).to.deep.equal([
          'express',
        ]);
        expect(await store.generations()).to.deep.equal(new Map([['express', 'one']]));
      });

      it('is false when there was none', async () => {
        expect(await store.removeRepository('nobody')).to.equal(false);
      });
    });

    describe('replaceLinks', () => {
      it('puts the edges in place of all earlier ones and leaves out those with a missing end', async () => {
        for (const name of ['a', 'b', 'c']) await store.replaceRepository(repository(name));
        await putLinks(store, [edge('DEPENDS_ON', 'a', 'b'), edge('DEPENDS_ON', 'a', 'c')]);
        const links = [edge('DEPENDS_ON', 'b', 'c', { weight: 3 }), edge('IMPORTS', 'a', 'c')];
        await putLinks(store, [...links, edge('DEPENDS_ON', 'a', 'nobody'), edge('DEPENDS_ON', 'nobody', 'a')]);
        expect((await store.everything.repositoryGraph()).edges).to.deep.equal(links);
        await putLinks(store, []);
        expect((await store.everything.repositoryGraph()).edges).to.deep.equal([]);
      });

      it('keeps the links of a repository that is replaced', async () => {
        await store.replaceRepository(repository('a'));
        await store.replaceRepository(repository('b'));
        const link = edge('DEPENDS_ON', 'a', 'b');
        await putLinks(store, [link]);
        await store.replaceRepository(repository('a', { symbols: ['x'], generation: 'two' }));
        await store.replaceRepository(repository('b', { symbols: ['y'], generation: 'two' }));
        expect((await store.everything.repositoryGraph()).edges).to.deep.equal([link]);
        expect(await all(store.edges({ repository: 'a', types: ['DEPENDS_ON'] }))).to.deep.equal([link]);
        expect(await all(store.edges({ repository: 'b', types: ['DEPENDS_ON'] }))).to.deep.equal([]);
      });

      it('puts those of one repository in place of its own earlier ones, and says which repositories have whole links', async () => {
        for (const name of ['a', 'b', 'c']) await store.replaceRepository(repository(name, { symbols: ['x'] }));
        expect(await store.linkGenerations()).to.deep.equal(new Map());
        const call = edge('CALLS', 'a/lib.js#x', 'b/lib.js#x', { confidence: 0.8, path: 'lib.js', line: 4 });
        const ofB = edge('INHERITS', 'b/lib.js#x', 'c/lib.js#x');
        const missing = edge('CALLS', 'a/lib.js#x', 'b/lib.js#nothing');
        await store.replaceLinks({ repository: 'a', generation: 'one', edges: [edge('DEPENDS_ON', 'a', 'b')] });
        await store.replaceLinks({ repository: 'b', generation: 'one', edges: [ofB] });
        await store.replaceLinks({ repository: 'a', generation: 'two', edges: [call, missing] });
        await store.replaceLinks({ repository: 'nobody', generation: 'one', edges: [] });
        expect(await all(store.edges({ repository: 'a', types: ['CALLS', 'DEPENDS_ON'] }))).to.deep.equal([call]);
        expect(await all(store.edges({ repository: 'b', types: ['INHERITS'] }))).to.deep.equal([ofB]);
        expect(await store.linkGenerations()).to.deep.equal(new Map(Object.entries({ a: 'two', b: 'one' })));
        await store.replaceRepository(repository('b', { symbols: ['x'], generation: 'two' }));
        expect(await all(store.edges({ types: ['INHERITS'] }))).to.deep.equal([]);
        expect(await all(store.edges({ repository: 'a', types: ['CALLS'] }))).to.deep.equal([]);
        expect(await store.linkGenerations()).to.deep.equal(new Map());
      });
    });

    it('takes no links of before for those of repositories that were removed and come again as they were', async () => {
      const linkedBy = async (symbol: string) => {
        for (const name of ['a', 'b']) await store.replaceRepository(repository(name, { symbols: ['x', 'y'] }));
        const call = edge('CALLS', `a/lib.js#${symbol}`, `b/lib.js#${symbol}`);
        await store.replaceLinks({ repository: 'a', generation: 'links', edges: [call] });
        const over = { depth: 1, nodeTypes: nodeTypeSchema.options, edgeTypes: ['CALLS' as const], minConfidence: 0 };
        const found = await store.everything.impact({ id: 'b/lib.js#x', ...over, offset: 0, limit: 10 });
        for (const name of ['a', 'b']) await store.removeRepository(name);
        return found?.total;
      };
      expect([await linkedBy('y'), await linkedBy('x')]).to.deep.equal([0, 1]);
    });

    describe('state', () => {
      it('is another one after everything that changes an answer, and the same one otherwise', async () => {
        const seen = new Set<string>();
        const look = async () => {
          const state = await store.everything.state();
          await store.everything.repositoryGraph();
          expect(await store.everything.state()).to.equal(state);
          seen.add(state);
        };
        await look();
        for (const name of ['a', 'b']) await store.replaceRepository(repository(name, { symbols: ['x'] }));
        await look();
        await store.replaceRepository(repository('a', { symbols: ['y'], generation: 'two' }));
        await look();
        for (const [generation, weight] of [
          ['links', 1],
          ['other links', 2],
        ] as const) {
          const edges = [edge('DEPENDS_ON', 'a', 'b', { weight })];
          await store.replaceLinks({ repository: 'a', generation, edges });
          await look();
        }
        await store.removeRepository('b');
        await look();
        expect(seen.size).to.equal(6);
      });
    });

    describe('repositoryGraph', () => {
      it('shows repositories and contributors with the edges between them, and counts what lies inside', async () => {
        const koa = repository('koa', { symbols: ['a', 'b', 'c'], contributors: ['ann'] });
        koa.nodes.push(node('koa/lib.js#K', 'Class', 'K', 'koa'));
        await store.replaceRepository(koa);
        await store.replaceRepository(repository('express'));
        await putLinks(store, [edge('DEPENDS_ON', 'koa', 'express')]);
        const graph = await store.everything.repositoryGraph();
        expect(graph.nodes.map((each) => each.id)).to.deep.equal(['contributor:ann', 'express', 'koa']);
        expect(graph.edges.map(({ type, from, to }) => [type, from, to])).to.deep.equal([
          ['CONTRIBUTED_TO', 'contributor:ann', 'koa'],
          ['DEPENDS_ON', 'koa', 'express'],
        ]);
        expect(graph.counts).to.deep.equal([
          { repository: 'express', nodes: {}, edges: {} },
          { repository: 'koa', nodes: { Class: 1, Function: 3 }, edges: { CALLS: 2, CONTAINS: 3 } },
        ]);
      });

      it('is empty for an empty store', async () => {
        expect(await store.everything.repositoryGraph()).to.deep.equal({ nodes: [], edges: [], counts: [] });
      });
    });

    describe('neighbors', () => {
      it('gives repositories and contributors with edge and direction, by edge type, then id', async () => {
        await store.replaceRepository(repository('a', { symbols: ['x'], contributors: ['zoe', 'ann'] }));
        await store.replaceRepository(repository('b', { contributors: ['bob'] }));
        await store.replaceRepository(repository('c'));
        await putLinks(store, [
          edge('IMPORTS', 'a', 'b'),
          edge('DEPENDS_ON', 'c', 'a'),
          edge('DEPENDS_ON', 'a', 'b', { weight: 2 }),
          edge('DEPENDS_ON', 'b', 'a'),
        ]);
        const found = (await store.everything.neighbors('a'))!;
        const edges = found.flatMap(({ node, edges }) => edges.map((each) => ({ node, ...each })));
        expect(edges.map(({ node, direction, edge }) => [edge.type, node.id, direction, edge.weight])).to.deep.equal([
          ['CONTRIBUTED_TO', 'contributor:ann', 'in', 1],
          ['CONTRIBUTED_TO', 'contributor:zoe', 'in', 1],
          ['DEPENDS_ON', 'b', 'in', 1],
          ['DEPENDS_ON', 'b', 'out', 2],
          ['IMPORTS', 'b', 'out', 1],
          ['DEPENDS_ON', 'c', 'in', 1],
        ]);
        expect(found[2]!.node).to.deep.equal(await store.everything.node('b'));
      });

      it('is an empty list for a repository alone, and null for one that is not held', async () => {
        await store.replaceRepository(repository('alone', { symbols: ['x', 'y'] }));
        expect(await store.everything.neighbors('alone')).to.deep.equal([]);
        for (const name of ['nobody', '', 'alone/lib.js#x', ...NAUGHTY])
          expect(await store.everything.neighbors(name)).to.equal(null);
      });
    });

    describe('walks', () => {
      const every = {
        edgeTypes: edgeTypeSchema.options,
        nodeTypes: nodeTypeSchema.options,
        minConfidence: 0,
        offset: 0,
        limit: 100,
      };
      const at = (name: string) => `a/lib.js#${name}`;
      const short = (id: string) => id.replace('/lib.js#', '.');

      /** Two ways from x to end, a loop, a class with a method, a guess, and another repository that needs this one. */
      beforeEach(async () => {
        const symbols = ['x', 'left', 'right', 'end', 'K.m', 'guess', 'alone'];
        const snapshot = repository('a', { symbols, contributors: ['ann'] });
        snapshot.nodes.push(node(at('K'), 'Class', 'K', 'a'));
        snapshot.edges = [
          ...snapshot.edges.filter(({ type }) => type !== 'CALLS'),
          edge('CONTAINS', 'a', at('K')),
          edge('CONTAINS', at('K'), at('K.m')),
          edge('CALLS', at('x'), at('left'), { weight: 3 }),
          edge('CALLS', at('x'), at('right')),
          edge('CALLS', at('left'), at('end')),
          edge('CALLS', at('right'), at('end')),
          edge('CALLS', at('end'), at('x')),
          edge('CALLS', at('end'), at('end')),
          edge('CALLS', at('left'), at('K.m')),
          edge('CALLS', at('guess'), at('x'), { confidence: 0.4 }),
        ];
        await store.replaceRepository(snapshot);
        await store.replaceRepository(repository('b', { symbols: ['far'], contributors: ['ann'] }));
        await putLinks(store, [
          edge('DEPENDS_ON', 'b', 'a'),
          edge('CALLS', 'b/lib.js#far', 'a/lib.js#end', { confidence: 0.8 }),
          edge('IMPORTS', 'b', 'a/lib.js#alone', { confidence: 0.4 }),
        ]);
      });

      it('inside: also the links of these nodes, with what is at their other ends', async () => {
        const [a, b] = [
          (await store.everything.inside({ ...every, repository: 'a' }))!,
          (await store.everything.inside({ ...every, repository: 'b' }))!,
        ];
        const shown = ({ links, outside }: typeof a) => [
          ...links.map(({ type, from, to }) => `${type} ${short(from)} ${short(to)}`),
          ...outside.map(({ id }) => short(id)),
        ];
        expect(shown(a)).to.deep.equal(['CALLS b.far a.end', 'IMPORTS b a.alone', 'b', 'b.far']);
        expect(shown(b)).to.deep.equal(['CALLS b.far a.end', 'IMPORTS b a.alone', 'a.alone', 'a.end']);
        const sure = (await store.everything.inside({
          ...every,
          repository: 'a',
          minConfidence: 0.5,
          nodeTypes: ['Function'],
        }))!;
        expect(shown(sure)).to.deep.equal(['CALLS b.far a.end', 'b.far']);
        expect(
          (await store.everything.inside({ ...every, repository: 'a', offset: 0, limit: 2 }))!.links,
        ).to.deep.equal([]);
      });

      it('inside: a page of nodes by type and id, and the edges that lead to them, all of them once over all pages', async () => {
        const whole = (await store.everything.inside({ ...every, repository: 'a' }))!;
        expect(whole.total).to.equal(10);
        expect(whole.nodes.map(({ type, id }) => `${type} ${short(id)}`)).to.deep.equal([
          'Class a.K',
          'Contributor contributor:ann',
          ...['K.m', 'alone', 'end', 'guess', 'left', 'right', 'x'].map((name) => `Function a.${name}`),
          'Repository a',
        ]);
        expect(whole.edges).to.deep.equal(await all(store.edges({ repository: 'a' })));
        const pages = await Promise.all(
          [0, 4, 8].map(
            async (offset) => (await store.everything.inside({ ...every, repository: 'a', offset, limit: 4 }))!,
          ),
        );
        expect(pages.flatMap(({ nodes }) => nodes)).to.deep.equal(whole.nodes);
        expect(sortEdges(pages.flatMap(({ edges }) => edges))).to.deep.equal(whole.edges);
        expect(sortEdges(pages.flatMap(({ links }) => links))).to.deep.equal(whole.links);
        const sure = (await store.everything.inside({
          ...every,
          repository: 'a',
          nodeTypes: ['Function'],
          edgeTypes: ['CALLS', 'CONTAINS'],
          minConfidence: 0.5,
        }))!;
        expect(sure.total).to.equal(7);
        expect(sure.edges.map(({ type }) => type)).to.deep.equal(Array.from({ length: 7 }, () => 'CALLS'));
        expect(await store.everything.inside({ ...every, repository: 'nobody' })).to.equal(null);
      });

      it('edgesInside: as many edges and links as all pages have, whatever is asked for', async () => {
        const filters = [
          {},
          { minConfidence: 0.5 },
          { nodeTypes: ['Function'] as const },
          { edgeTypes: ['CALLS', 'CONTAINS'] as const, nodeTypes: ['Function', 'Repository'] as const },
          { edgeTypes: ['CONTRIBUTED_TO', 'IMPORTS'] as const, minConfidence: 0.2 },
          { nodeTypes: ['Contributor'] as const },
          { edgeTypes: ['INHERITS'] as const },
        ];
        for (const repository of ['a', 'b'])
          for (const filter of filters) {
            const asked = { ...every, ...filter, repository };
            let edges = 0;
            for (let offset = 0; offset < 12; offset += 3) {
              const page = (await store.everything.inside({ ...asked, offset, limit: 3 }))!;
              edges += page.edges.length + page.links.length;
            }
            expect([filter, await store.everything.edgesInside(asked)]).to.deep.equal([filter, edges]);
          }
        expect(await store.everything.edgesInside({ ...every, repository: 'a' })).to.be.greaterThan(12);
        expect(await store.everything.edgesInside({ ...every, repository: 'nobody' })).to.equal(null);
      });

      it('adjacent: who is joined by several edges is one neighbor with all of them', async () => {
        await putLinks(store, [
          edge('DEPENDS_ON', 'a', 'b', { weight: 7 }),
          edge('DEPENDS_ON', 'b', 'a'),
          edge('IMPORTS', 'a', 'b'),
        ]);
        const asked = { ...every, id: 'a', nodeTypes: ['Repository', 'Contributor'] as const };
        const found = (await store.everything.adjacent(asked))!;
        expect(found.total).to.equal(2);
        expect(
          found.neighbors.map(({ node, edges }) => [
            node.id,
            ...edges.map(({ direction, edge: { type, weight } }) => `${type} ${direction} ${weight}`),
          ]),
        ).to.deep.equal([
          ['contributor:ann', 'CONTRIBUTED_TO in 1'],
          ['b', 'DEPENDS_ON out 7', 'DEPENDS_ON in 1', 'IMPORTS out 1'],
        ]);
        const second = await store.everything.adjacent({ ...asked, offset: 1, limit: 1 });
        expect(second).to.deep.equal({ total: 2, neighbors: found.neighbors.slice(1) });
        const out = await store.everything.adjacent({ ...asked, direction: 'in', edgeTypes: ['DEPENDS_ON'] });
        expect(out?.neighbors.map(({ edges }) => edges.map(({ edge: { from } }) => from))).to.deep.equal([['b']]);
      });

      it('adjacent: what is next to any node, the heaviest first; an edge to itself goes out', async () => {
        const next = async (id: string, more: Partial<Parameters<GraphReader['adjacent']>[0]> = {}) => {
          const found = await store.everything.adjacent({ ...every, id, ...more });
          return found?.neighbors.flatMap(({ node, edges }) =>
            edges.map(({ direction, edge: { type } }) => `${type} ${direction} ${short(node.id)}`),
          );
        };
        expect(await next(at('x'))).to.deep.equal([
          'CALLS out a.left',
          'CALLS in a.end',
          'CALLS in a.guess',
          'CALLS out a.right',
          'CONTAINS in a',
        ]);
        expect(await next(at('x'), { minConfidence: 0.5, direction: 'in', edgeTypes: ['CALLS'] })).to.deep.equal([
          'CALLS in a.end',
        ]);
        expect(await next(at('end'), { edgeTypes: ['CALLS'] })).to.deep.equal([
          'CALLS out a.end',
          'CALLS in a.left',
          'CALLS in a.right',
          'CALLS out a.x',
          'CALLS in b.far',
        ]);
        expect(await next('a', { nodeTypes: ['Repository', 'Contributor'] })).to.deep.equal([
          'CONTRIBUTED_TO in contributor:ann',
          'DEPENDS_ON in b',
        ]);
        expect(await next('contributor:ann')).to.deep.equal(['CONTRIBUTED_TO out a', 'CONTRIBUTED_TO out b']);
        expect(await store.everything.adjacent({ ...every, id: 'a', offset: 1, limit: 1 })).to.deep.include({
          total: 10,
        });
        expect(await next('a', { offset: 1, limit: 1 })).to.deep.equal(['CONTAINS out a.K.m']);
        expect(await next('nobody')).to.equal(undefined);
      });

      it('outgoing: what leads from several nodes, each as it does from one; a contributor gives nothing', async () => {
        const ids = [at('x'), at('end'), 'a', at('left')];
        const one = async (id: string) => {
          const found = await store.everything.adjacent({ ...every, id, direction: 'out' });
          return (found?.neighbors ?? []).flatMap(({ node, edges }) =>
            edges.map(({ edge: each }) => ({ edge: each, to: node })),
          );
        };
        const each = (await Promise.all(ids.toSorted(compareIds).map(one))).flat();
        const found = await store.everything.outgoing({
          ...every,
          ids: [...ids, at('x'), 'nobody', 'contributor:ann'],
        });
        expect(found).to.deep.equal(each);
        expect(found.length).to.be.greaterThan(12);
        const sure = { ids, edgeTypes: ['CALLS'], nodeTypes: ['Function'], minConfidence: 0.5 } as const;
        expect(
          (await store.everything.outgoing(sure)).map(({ edge: { from }, to }) => `${short(from)} ${short(to.id)}`),
        ).to.deep.equal(
          each
            .filter(
              ({ edge: { type, confidence }, to }) => type === 'CALLS' && confidence >= 0.5 && to.type === 'Function',
            )
            .map(({ edge: { from }, to }) => `${short(from)} ${short(to.id)}`),
        );
        expect(await store.everything.outgoing({ ...every, ids: [] })).to.deep.equal([]);
      });

      it('impact: who leads to a node or to what it contains, each where it is nearest', async () => {
        const impact = async (id: string, more: Partial<Parameters<GraphReader['impact']>[0]> = {}) => {
          const edgeTypes = ['CALLS', 'DEPENDS_ON'] as const;
          const found = await store.everything.impact({ ...every, edgeTypes, id, depth: 9, ...more });
          return found && { ...found, affected: found.affected.map(({ node, depth }) => `${depth} ${short(node.id)}`) };
        };
        expect(await impact(at('K'))).to.deep.equal({
          affected: ['1 a.left', '2 a.x', '3 a.end', '3 a.guess', '4 a.right', '4 b.far'],
          total: 6,
          depths: [1, 1, 2, 2],
          truncated: false,
        });
        expect(await impact(at('K'), { depth: 2 })).to.deep.include({ affected: ['1 a.left', '2 a.x'], total: 2 });
        expect(await impact(at('x'), { minConfidence: 0.5 })).to.deep.include({
          affected: ['1 a.end', '2 a.left', '2 a.right', '2 b.far'],
        });
        expect(await impact(at('K'), { offset: 2, limit: 2 })).to.deep.include({
          affected: ['3 a.end', '3 a.guess'],
          total: 6,
        });
        expect(await impact('a')).to.deep.include({ affected: ['1 b', '1 b.far'] });
        const people = await impact('a', { edgeTypes: edgeTypeSchema.options, nodeTypes: ['Contributor'] });
        expect(people).to.deep.include({ affected: ['1 contributor:ann'], total: 1 });
        expect(await impact(at('alone'))).to.deep.include({ affected: [], total: 0, depths: [] });
        expect(await impact('nobody')).to.equal(null);
      });

      it('path: the shortest way, also into another repository; of several always the same', async () => {
        const path = async (from: string, to: string, more: Partial<Parameters<GraphReader['path']>[0]> = {}) => {
          const found = await store.everything.path({ ...every, from, to, longest: 9, ...more });
          if (found) expect(found.edges).to.have.length(found.nodes.length - 1);
          return found?.nodes.map(({ id }, i) => `${found.edges[i - 1]?.type ?? 'from'} ${short(id)}`);
        };
        expect(await path(at('x'), at('end'))).to.deep.equal(['from a.x', 'CALLS a.left', 'CALLS a.end']);
        expect(await path('b', at('K.m'))).to.deep.equal(['from b', 'DEPENDS_ON a', 'CONTAINS a.K.m']);
        expect(await path('b', at('K.m'), { longest: 1 })).to.equal(undefined);
        expect(await path('contributor:ann', at('K'))).to.deep.equal([
          'from contributor:ann',
          'CONTRIBUTED_TO a',
          'CONTAINS a.K',
        ]);
        expect(await path(at('guess'), at('x'), { minConfidence: 0.5 })).to.equal(undefined);
        expect(await path(at('x'), at('x'))).to.deep.equal(['from a.x']);
        expect(await path(at('x'), 'nobody')).to.equal(undefined);
      });

      it('see a repository that is removed and loaded again where it is now', async () => {
        const x = { ...every, edgeTypes: ['CALLS'] as const, id: 'b/lib.js#two' };
        const load = async (name: string, symbols: readonly string[]) =>
          store.replaceRepository(repository(name, { symbols, generation: `${name} ${symbols.length}` }));
        await load('b', ['one', 'two']);
        const first = await store.everything.adjacent(x);
        await store.removeRepository('b');
        await load('a', ['x', 'y', 'z', 'more']);
        await load('b', ['one', 'two']);
        expect(await store.everything.adjacent(x)).to.deep.equal(first);
        expect(first?.neighbors.map(({ node: { id } }) => id)).to.deep.equal(['b/lib.js#one']);
      });

      it('see a repository that is replaced as it is now', async () => {
        await store.everything.impact({ ...every, id: at('x'), depth: 2 });
        await store.replaceRepository(repository('a', { symbols: ['x', 'new'], generation: 'next' }));
        const found = (await store.everything.impact({ ...every, id: at('new'), depth: 1, edgeTypes: ['CALLS'] }))!;
        expect(found.affected.map(({ node }) => node.id)).to.deep.equal([at('x')]);
        expect(await store.everything.adjacent({ ...every, id: at('left') })).to.equal(null);
      });
    });

    describe('nodes and edges', () => {
      it('come repository by repository, each by type, then id; contributors once, at the end', async () => {
        for (const name of ['b-2', 'b', 'a']) {
          await store.replaceRepository(
            repository(name, { symbols: ['z', 'É', '𝔘', 'ﬀ', 'a', 'B'], contributors: ['ann', name] }),
          );
        }
        await putLinks(store, [edge('DEPENDS_ON', 'b', 'a')]);
        const nodes = await all(store.nodes());
        expect(nodes.map((each) => each.id)).to.deep.equal([
          ...['a', 'b', 'b-2'].flatMap((name) => [
            ...['B', 'a', 'z', 'É', 'ﬀ', '𝔘'].map((symbol) => `${name}/lib.js#${symbol}`),
            name,
          ]),
          'contributor:a',
          'contributor:ann',
          'contributor:b',
          'contributor:b-2',
        ]);
        const edges = await all(store.edges());
        const parts: GraphEdge[] = [];
        for (const name of ['a', 'b', 'b-2']) parts.push(...(await all(store.edges({ repository: name }))));
        expect(edges).to.deep.equal(parts);
        expect(edges.filter(({ type }) => type === 'DEPENDS_ON')).to.have.length(1);
        for (const name of ['a', 'b', 'b-2']) {
          const own = await all(store.edges({ repository: name }));
          expect(own).to.deep.equal(sortEdges(own));
        }
      });

      it('are filtered by repository and type; what is not held gives nothing', async () => {
        await store.replaceRepository(repository('a', { symbols: ['x', 'y'], contributors: ['ann'] }));
        await store.replaceRepository(repository('b', { symbols: ['x'] }));
        expect(await ids(store.nodes({ repository: 'a', types: ['Repository', 'Contributor'] }))).to.deep.equal([
          'a',
          'contributor:ann',
        ]);
        expect(await ids(store.nodes({ types: ['Function'] }))).to.deep.equal([
          'a/lib.js#x',
          'a/lib.js#y',
          'b/lib.js#x',
        ]);
        expect(await ids(store.nodes({ types: [] }))).to.deep.equal([]);
        expect((await all(store.edges({ types: ['CALLS', 'CONTRIBUTED_TO'] }))).map(({ type }) => type)).to.deep.equal([
          'CALLS',
          'CONTRIBUTED_TO',
        ]);
        expect(await all(store.edges({ repository: 'nobody' }))).to.deep.equal([]);
        expect(await all(store.nodes({ repository: 'nobody' }))).to.deep.equal([]);
      });

      it('stream more than one batch, and may be left half read', async () => {
        const big = repository('big', { symbols: Array.from({ length: 3500 }, (_, i) => `f${i}`) });
        await store.replaceRepository(big);
        expect(await all(store.nodes())).to.deep.equal(sortNodes(big.nodes));
        expect(await all(store.edges())).to.deep.equal(sortEdges(big.edges));
        for await (const first of store.edges()) {
          expect(first.type).to.equal('CALLS');
          break;
        }
        await store.replaceRepository(repository('big', { generation: 'small' }));
        expect(await all(store.edges())).to.deep.equal([]);
      });
    });

    it('holds what a plain map holds after any sequence of replacements, removals and links', async () => {
      const names = ['a', 'b', 'c'] as const;
      const step = fc.oneof(
        fc.record({
          do: fc.constant('replace' as const),
          name: fc.constantFrom(...names),
          generation: fc.constantFrom('one', 'two'),
          symbols: fc.uniqueArray(fc.constantFrom('x', 'y', 'z', '`"\'\\'), { maxLength: 4 }),
          contributors: fc.uniqueArray(fc.constantFrom('ann', 'bob'), { maxLength: 2 }),
        }),
        fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom(...names) }),
        fc.record({
          do: fc.constant('link' as const),
          owner: fc.constantFrom(...names),
          to: fc.uniqueArray(fc.constantFrom('a', 'b', 'c/lib.js#x', 'a/lib.js#x', 'b/lib.js#y'), { maxLength: 3 }),
        }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          for (const name of names) await store.removeRepository(name);
          const held = new Map<string, Held>();
          const whole = new Map<string, readonly GraphEdge[]>();
          let links: GraphEdge[] = [];
          const repositoryOf = (id: string) => id.split('/')[0]!;
          const forget = (name: string, isGone: boolean) => {
            const isOf = (id: string) => repositoryOf(id) === name && (isGone || id !== name);
            const isSymbolLink = ({ from, to }: GraphEdge) => from.includes('/') || to.includes('/');
            links = links.filter(
              (each) =>
                !(isOf(each.from) || isOf(each.to)) &&
                !(isSymbolLink(each) && [each.from, each.to].map(repositoryOf).includes(name)),
            );
            for (const [owner, edges] of whole)
              if (owner === name || edges.some(({ to }) => repositoryOf(to) === name)) whole.delete(owner);
          };
          const has = (id: string) => held.get(repositoryOf(id))?.nodes.some((node) => node.id === id) ?? false;
          for (const each of steps) {
            if (each.do === 'replace') {
              const snapshot = repository(each.name, each);
              await store.replaceRepository(snapshot);
              if (held.get(each.name)?.generation === each.generation) continue;
              held.set(each.name, snapshot);
              forget(each.name, false);
            } else if (each.do === 'remove') {
              const wasHeld = held.delete(each.name);
              expect(await store.removeRepository(each.name)).to.equal(wasHeld);
              if (wasHeld) forget(each.name, true);
            } else {
              const edges = each.to
                .filter((to) => repositoryOf(to) !== each.owner)
                .map((to) => edge('IMPORTS', to.includes('/') ? `${each.owner}/lib.js#x` : each.owner, to));
              await store.replaceLinks({ repository: each.owner, generation: 'written', edges });
              if (!held.has(each.owner)) continue;
              whole.set(each.owner, edges);
              links = [
                ...links.filter(({ from }) => repositoryOf(from) !== each.owner),
                ...edges.filter(({ from, to }) => has(from) && has(to)),
              ];
            }
          }
          expect(new Set(await ids(store.nodes()))).to.deep.equal(
            new Set([...held.values()].flatMap(({ nodes }) => nodes.map(({ id }) => id))),
          );
          expect(sortEdges(await all(store.edges()))).to.deep.equal(
            sortEdges([...[...held.values()].flatMap(({ edges }) => edges), ...links]),
          );
          expect(new Set((await store.linkGenerations()).keys())).to.deep.equal(new Set(whole.keys()));
          expect(await store.generations()).to.deep.equal(
            new Map([...held.values()].map(({ repository, generation }) => [repository, generation])),
          );
        }),
        { numRuns: 15 },
      );
    });
  });
}

interface Held extends GraphSnapshot {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

const NAUGHTY = [
  `it's "quoted" and \`ticked\``,
  'two\nlines\r\n\tand a tab',
  'Ünï𝔠ode 名前 🧭 \u202e',
  "'; DROP TABLE nodes; --",
  '$param {id: 1}) DETACH DELETE (n',
  'back\\slash \\u0041 %_*?',
];

/** A small repository: functions that call one after the other, and contributors. */
export function repository(
  name: string,
  {
    symbols = [],
    contributors = [],
    generation = 'one',
  }: { symbols?: readonly string[]; contributors?: readonly string[]; generation?: string } = {},
): Held {
  const functions = symbols.map((symbol) => node(`${name}/lib.js#${symbol}`, 'Function', symbol, name));
  const people = contributors.map((person) => node(`contributor:${person}`, 'Contributor', person, null));
  return {
    repository: name,
    generation,
    nodes: [node(name, 'Repository', name, name), ...functions, ...people],
    edges: [
      ...functions.map(({ id }) => edge('CONTAINS', name, id)),
      ...functions.slice(1).map(({ id }, i) => edge('CALLS', functions[i]!.id, id, { confidence: 0.75, line: i + 1 })),
      ...people.map(({ id }) => edge('CONTRIBUTED_TO', id, name)),
    ],
  };
}

function node(id: string, type: NodeType, name: string, repositoryName: string | null): GraphNode {
  const symbol = type === 'Function' || type === 'Class';
  return {
    id,
    type,
    name,
    repository: repositoryName,
    kind: symbol ? 'function' : null,
    qualified_name: symbol ? name : null,
    language: symbol ? 'javascript' : null,
    path: symbol ? 'lib.js' : null,
    line: symbol ? 3 : null,
    end_line: symbol ? 9 : null,
    signature: symbol ? `${name}(ctx)` : null,
    doc: null,
    exported: symbol,
    properties: { commits: 3, nested: { list: ['ü', null, true, 1.5] } },
  };
}

/** An edge; what is not given is as plain as can be. */
export function edge(type: EdgeType, from: string, to: string, more: Partial<GraphEdge> = {}): GraphEdge {
  return { type, from, to, weight: 1, confidence: 1, strategy: 'import', path: null, line: null, ...more };
}

function sortNodes(nodes: readonly GraphNode[]): GraphNode[] {
  const last = (node: GraphNode) => (node.type === 'Contributor' ? '1' : '0');
  return nodes.toSorted((a, b) => compare(last(a), last(b)) || compare(a.type, b.type) || compare(a.id, b.id));
}

function sortEdges(edges: readonly GraphEdge[]): GraphEdge[] {
  return edges.toSorted((a, b) => compare(a.type, b.type) || compare(a.from, b.from) || compare(a.to, b.to));
}

/** By code point, as the stores do; JavaScript's own order is by UTF-16 unit. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function ids(nodes: AsyncIterable<GraphNode>): Promise<string[]> {
  return (await all(nodes)).map(({ id }) => id);
}

async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) {
    await setImmediate();
    yield item;
  }
}

async function* failing(error: Error): AsyncGenerator<never> {
  yield* [];
  await setImmediate();
  throw error;
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('expected a failure'),
    (error: unknown) => error,
  );
}

import { expect } from 'chai';
import fc from 'fast-check';
import { pageRank } from '../../../loaders/records/page-rank.ts';

describe('pageRank', () => {
  it('gives the values of the textbook example', () => {
    // A → B, C; B → C; C → A; D → C: with a damping of 0.85 known to be 0.3725, 0.1958, 0.3941, 0.0375.
    const rank = pageRank(4, Uint32Array.of(0, 0, 1, 2, 3), Uint32Array.of(1, 2, 2, 0, 2));
    for (const [index, expected] of [0.3725, 0.1958, 0.3941, 0.0375].entries()) {
      expect(rank[index]).to.be.closeTo(expected, 0.002);
    }
  });

  it('sums to 1 whatever the graph, dangling nodes included', () => {
    const edge = fc.tuple(fc.nat(19), fc.nat(19));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 60 }), (edges) => {
        const rank = pageRank(
          20,
          Uint32Array.from(edges, ([from]) => from),
          Uint32Array.from(edges, ([, to]) => to),
        );
        expect(rank.reduce((sum, value) => sum + value, 0)).to.be.closeTo(1, 1e-9);
      }),
    );
  });
});

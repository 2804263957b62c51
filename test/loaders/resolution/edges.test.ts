import { expect } from 'chai';
import fc from 'fast-check';
import { createEdges } from '../../../loaders/resolution/edges.ts';
import type { ResolvedEdge } from '../../../loaders/resolution/resolution.ts';
import { openTemporaryFile } from '../../../loaders/temporary-file.ts';

describe('createEdges', () => {
  it('gives one edge between two places, in order, whichever documents say so and when', () => {
    const small = fc.nat(2);
    const said = fc.record({
      type: fc.constantFrom('CALLS', 'IMPORTS', 'INHERITS'),
      from: small,
      to: small,
      by: small,
    });
    fc.assert(
      fc.property(fc.array(said), (all) => {
        const edges = createEdges(openTemporaryFile());
        const weights = new Map<string, number>();
        for (const document of [0, 1, 2]) {
          for (const { type, from, to, by } of all) {
            // Only of bases others speak, too.
            if (by !== document || (type !== 'INHERITS' && from !== by)) continue;
            edges.add(edgeOf(type, from, to), document);
            weights.set(`${type} ${from} ${to}`, (weights.get(`${type} ${from} ${to}`) ?? 0) + 1);
          }
          edges.endDocument();
        }
        const found = Array.from(edges, ({ type, from, to, weight }) => [
          `${type} ${from.document} ${to.document}`,
          weight,
        ]);
        expect(found).to.deep.equal([...weights].sort(([a], [b]) => (a < b ? -1 : 1)));
      }),
    );
  });
});

function edgeOf(type: ResolvedEdge['type'], from: number, to: number): ResolvedEdge {
  const place = (document: number) => ({ document, definition: 0 });
  return { type, from: place(from), to: place(to), weight: 1, confidence: 1, strategy: 'import', line: 1, name: '' };
}

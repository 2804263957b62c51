import { maxPlaces } from '../../src/model/declared-name.ts';
import type { IndexedDocument } from '../../src/model/search-document.ts';

/** So much of what the others say is kept. */
const maxText = 2_000;
const maxWords = 60;

/**
 * One document for all functions or classes of a qualified name in a file: overloads, a property's accessors, alternatives by
 * platform. It is the first of them, and found by what any says. Those of a file must follow one another.
 */
export function* withOverloads(documents: Iterable<IndexedDocument>): Generator<IndexedDocument> {
  let path: string | null = null;
  let ofFile = new Map<string, IndexedDocument[]>();
  for (const document of documents) {
    if (document.path !== path) {
      yield* merged(ofFile);
      ofFile = new Map();
      path = document.path;
    }
    const { id, type, kind, name, qualified_name } = document;
    const isSymbol = (type === 'Function' || type === 'Class') && name !== '';
    const key = isSymbol && path !== null ? JSON.stringify([type, kind, qualified_name ?? name]) : id;
    const before = ofFile.get(key);
    if (before === undefined) ofFile.set(key, [document]);
    else before.push(document);
  }
  yield* merged(ofFile);
}

function* merged(groups: ReadonlyMap<string, readonly IndexedDocument[]>): Generator<IndexedDocument> {
  for (const [first, ...others] of groups.values()) {
    if (first === undefined) continue;
    yield others.length === 0 ? first : together(first, others);
  }
}

function together(first: IndexedDocument, others: readonly IndexedDocument[]): IndexedDocument {
  const all = [first, ...others];
  const doc = all.find((each) => each.doc !== null)?.doc ?? null;
  const said = new Set(
    all.flatMap((each) => [each.details, each === first ? null : each.signature, each.doc === doc ? null : each.doc]),
  );
  const details = [...said].filter((text) => text !== null).join(' ');
  const words = new Set(all.flatMap((each) => each.words ?? []));
  return {
    ...first,
    doc,
    details: details === '' ? null : details.slice(0, maxText).toWellFormed(),
    frameworks: [...new Set(all.flatMap((each) => each.frameworks))],
    exported: all.some((each) => each.exported),
    centrality: Math.max(...all.map((each) => each.centrality)),
    ...(words.size === 0 ? {} : { words: [...words].slice(0, maxWords).sort() }),
    overloads: {
      count: others.length,
      places: others.slice(0, maxPlaces).map(({ id, line, signature }) => ({ id, line, signature })),
    },
  };
}

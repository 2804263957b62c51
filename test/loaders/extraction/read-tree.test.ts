import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { Language as Grammar, Parser, type Node as ParsedNode } from 'web-tree-sitter';
import { namesOf, readTree, startParser } from '../../../loaders/extraction/read-tree.ts';
import type { Node } from '../../../loaders/facts/syntax-tree.ts';
import { languages } from '../../../loaders/languages/index.ts';

/** Something of it can be read in each language, and something can't in each. */
const source = `# “Größe” 🎈
import os, { a as b } from "x.y";
package main; use crate::z;
@mark(1)
public abstract class Shape<T extends Round> extends Base implements Other {
  /** What it is. */
  private final size: number = 3.5;
  async area(self, first = [1, 2, ...rest], *args: str) -> T { return this.first?.area(\`\${first}\`) ?? "é\\n"; }
}
def area(shape: Shape, *, scale=2):
    """Says it."""
    for x in [y for y in shape if y]: yield (lambda z: z)(x)

function f(a: string) { if (a === 'b') { return <div class="x">{a}</div>; } else switch (a) { case 1: break; default: } }
func (s *Shape) Area(w, h float64) (float64, error) { defer s.close(); return w * h, nil }
fn area<'a>(s: &'a mut Shape) -> Result<f64> { match s { Some(x) => x?, _ => vec![1] } }
`;

/** What these can't read hides the rest from them. */
const own: Readonly<Record<string, string>> = {
  php: '<?php function sum(array $xs): int { foreach ($xs as $x) { $sum += $x->size ?? 1; } return f($sum, ...$xs); } ?>\n',
  kotlin:
    'class Box(val size: Int = 3) { fun twice(n: Int): Int { if (n > 1) { return size * n } else { return f(1) } } }\n',
};

/** In their grammars a node has fields of what it hides, which the parser knows and its cursor, by which trees are read, does not. */
const hiding: readonly string[] = ['lua', 'swift'];

describe('a tree read out of the parser', () => {
  before(startParser);

  for (const { id, grammar } of languages)
    for (const [what, text] of Object.entries({ 'a file': (own[id] ?? '').repeat(3) + source, 'an empty file': '' }))
      it(`says what the parser says: ${what} in ${id}`, async () => {
        const loaded = await Grammar.load(fileURLToPath(import.meta.resolve(grammar)));
        const parser = new Parser();
        const tree = parser.setLanguage(loaded).parse(text);
        if (!tree) throw new Error('It was not parsed.');
        const names = namesOf(loaded);
        const root = readTree(tree, text, names);
        const inherits = hiding.includes(id);
        expect(compare(root, tree.rootNode, { fields: loaded.fields, inherits })).to.equal(
          tree.rootNode.descendantCount,
        );
        const types = ['identifier', 'string', 'comment'];
        expect(root.descendantsOfType(types).map(said)).to.deep.equal(tree.rootNode.descendantsOfType(types).map(said));
        tree.delete();
        parser.delete();
      });
});

/** Compares a node and all below it; returns how many. */
function compare(
  node: Node,
  parsed: ParsedNode,
  grammar: { fields: readonly (string | null)[]; inherits: boolean },
): number {
  expect(said(node)).to.deep.equal(said(parsed));
  for (const field of grammar.fields) {
    if (field === null) continue;
    const first = parsed.childForFieldName(field);
    if (grammar.inherits && first && !ownFields(parsed).has(field)) continue;
    expect(node.childForFieldName(field)?.text, field).to.equal(first?.text);
    if (first)
      expect(node.childrenForFieldName(field).map(typeOf)).to.deep.equal(
        parsed.childrenForFieldName(field).map(typeOf),
      );
  }
  return parsed.children.reduce((sum, child, index) => {
    const own = node.children[index];
    if (!own) throw new Error(`${node.type} lacks its child ${index}.`);
    return sum + compare(own, child, grammar);
  }, 1);
}

/** The fields that the cursor names. */
function ownFields(parsed: ParsedNode): Set<string> {
  const fields = new Set<string>();
  const cursor = parsed.walk();
  for (let goes = cursor.gotoFirstChild(); goes; goes = cursor.gotoNextSibling())
    if (cursor.currentFieldName !== null) fields.add(cursor.currentFieldName);
  cursor.delete();
  return fields;
}

function said(node: Node | ParsedNode) {
  const { type, text, isNamed, startIndex, endIndex, startPosition, endPosition, namedChildCount } = node;
  return [
    [type, text, isNamed, startIndex, endIndex, startPosition, endPosition, namedChildCount],
    [node.parent, node.previousNamedSibling, node.firstNamedChild, node.namedChild(1)].map((each) => each?.text),
    [node.children, node.namedChildren].map((each) => each.map(typeOf)),
  ];
}

const typeOf = ({ type }: { type: string }) => type;

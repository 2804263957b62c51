import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import type { EcmascriptFile, Place } from './file.ts';
import { plainExpr } from './values.ts';

/** `<Page title={x}>…</Page>` calls `Page`. */
export function jsx(file: EcmascriptFile, node: Node, place: Place): Expr {
  const tag = node.childForFieldName('open_tag') ?? node;
  const name = tag.childForFieldName('name');
  const isComponent = name && (name.type !== 'identifier' || /^\p{Lu}/u.test(name.text));
  const callee = isComponent ? plainExpr(name, place) : null;
  if (name && callee) {
    const { owner: caller, scope } = place;
    file.addCall({ callee, args: [], isNew: false, caller, scope, line: file.line(name) });
  }
  for (const child of [...tag.namedChildren, ...(tag === node ? [] : node.namedChildren)]) {
    if (child.id === name?.id || child.id === tag.id || skipped.has(child.type)) continue;
    if (child.type === 'jsx_attribute') for (const inner of child.namedChildren.slice(1)) file.visit(inner, place);
    else file.visit(child, place);
  }
  return unknown;
}

const skipped: ReadonlySet<string> = new Set(['jsx_closing_element', 'jsx_text', 'comment']);

import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import { type DeclarationReader, declarations } from './declarations.ts';
import { exportStatement } from './exports.ts';
import { type EcmascriptFile, literal, type Place, type StatementReader } from './file.ts';
import { returned } from './functions.ts';
import { importStatement } from './imports.ts';
import { declareTypedefs } from './jsdoc.ts';
import { narrowed } from './narrowing.ts';
import { bindPattern } from './patterns.ts';
import { assignPattern } from './targets.ts';
import { typePlace } from './types.ts';

const all: StatementReader = (file, node, place) => file.visitAll(node, place);

const block: StatementReader = (file, node, place) => file.visitAll(node, placeInBlock(file, node, place));

const declares =
  (declaration: DeclarationReader): StatementReader =>
  (file, node, place) => {
    declaration(file, node, place, false);
  };

/** By node type. */
export const statements: Readonly<Record<string, StatementReader>> = {
  ...Object.fromEntries(Object.entries(declarations).map(([type, reader]) => [type, declares(reader)])),
  comment(file, node, place) {
    if (file.isJavascript && node.text.includes('@typedef')) declareTypedefs(file, node, typePlace(place));
  },
  import_statement: importStatement,
  export_statement: exportStatement,
  ambient_declaration(file, node, place) {
    for (const child of node.namedChildren) {
      // A block is `declare global`: its names are not this file's.
      if (child.type === 'statement_block') file.visitAll(child, { ...place, scope: file.addScope(place.scope) });
      else file.visit(child, place);
    }
  },
  return_statement(file, node, place) {
    const [value] = node.namedChildren;
    if (value) returned(file, value, place, false);
  },
  statement_block: block,
  switch_body: block,
  for_statement: block,
  for_in_statement: forIn,
  catch_clause(file, node, place) {
    const inner = { ...place, scope: file.addScope(place.scope) };
    const parameter = node.childForFieldName('parameter');
    if (parameter) bindPattern(file, parameter, unknown, inner, inner);
    const body = node.childForFieldName('body');
    if (body) file.visitAll(body, inner);
  },
  if_statement(file, node, place) {
    const condition = node.childForFieldName('condition');
    const consequence = node.childForFieldName('consequence');
    const alternative = node.childForFieldName('alternative');
    if (condition) file.expression(condition, place, null);
    if (consequence) file.visit(consequence, narrowed(file, condition, place));
    if (alternative) file.visit(alternative, place);
  },
  expression_statement: all,
  else_clause: all,
  labeled_statement: all,
  program: all,
};

const blockDeclarations: ReadonlySet<string> = new Set([
  'lexical_declaration',
  'class_declaration',
  'function_declaration',
  'switch_case',
]);

/** A block has a scope of its own only where it declares something. */
function placeInBlock(file: EcmascriptFile, node: Node, place: Place): Place {
  const hasOwn = node.namedChildren.some(({ type }) => blockDeclarations.has(type));
  return hasOwn ? { ...place, scope: file.addScope(place.scope) } : place;
}

function forIn(file: EcmascriptFile, node: Node, place: Place): void {
  const inner = { ...place, scope: file.addScope(place.scope) };
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  const object = right ? file.expression(right, place, null) : unknown;
  const isOf = node.childForFieldName('operator')?.text === 'of';
  const value: Expr = isOf ? { kind: 'iterate', object } : literal;
  const declared = node.childForFieldName('kind');
  const target = declared?.text === 'var' ? { ...inner, scope: place.hoist } : inner;
  if (left && declared) bindPattern(file, left, value, target, inner);
  else if (left) assignPattern(file, left, value, place);
  const body = node.childForFieldName('body');
  if (body) file.visit(body, inner);
}

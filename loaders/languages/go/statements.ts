import type { Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { readType } from './declarations.ts';
import { forEachDocumented } from './documentation.ts';
import { expression, expressions } from './expressions.ts';
import { unknown } from '../reading/facts-builder.ts';
import type { Frame, GoFile } from './file.ts';
import { namesOf, typeOf } from './types.ts';

/** What stands right of the names in a declaration. */
interface Given {
  values: readonly Expr[];
  type: TypeExpr | null;
}

type Reader = (file: GoFile, node: Node, frame: Frame) => void;

const inBlock: Reader = (file, node, frame) => file.block(frame, (inner) => readStatements(file, node, inner));

/** How each kind of statement is read; what is not here is an expression. */
const readers: Readonly<Record<string, Reader>> = {
  comment: () => {},
  block: inBlock,
  expression_case: inBlock,
  default_case: inBlock,
  if_statement: inBlock,
  expression_switch_statement: inBlock,
  select_statement: inBlock,
  communication_case: inBlock,
  for_statement: inBlock,
  type_switch_statement: (file, node, frame) => file.block(frame, (inner) => readTypeSwitch(file, node, inner)),
  range_clause: readRange,
  short_var_declaration: readShortDeclaration,
  receive_statement: readShortDeclaration,
  var_spec: readVariables,
  const_declaration: readConstants,
  type_declaration: (file, node, frame) =>
    forEachDocumented(node, file.text, (spec, doc) => readType(file, spec, frame, doc)),
  statement_list: readStatements,
  var_spec_list: readStatements,
  var_declaration: readStatements,
  expression_statement: readStatements,
  expression_list: readStatements,
  labeled_statement: readStatements,
  assignment_statement: readStatements,
  return_statement: readStatements,
  go_statement: readStatements,
  defer_statement: readStatements,
  send_statement: readStatements,
  inc_statement: readStatements,
  dec_statement: readStatements,
  for_clause: readStatements,
  ERROR: readStatements,
};

/** A statement, a declaration that is no function, or an expression that stands alone. */
export function readStatement(file: GoFile, node: Node, frame: Frame): void {
  const reader = readers[node.type];
  if (reader) reader(file, node, frame);
  else expression(file, node, frame);
}

/** All that a node holds, one after another. */
export function readStatements(file: GoFile, node: Node, frame: Frame): void {
  for (const child of node.namedChildren) readStatement(file, child, frame);
}

/** Values of the right side are read before the names of the left one are declared: `c := c.clone()` is of the outer `c`. */
function readShortDeclaration(file: GoFile, node: Node, frame: Frame): void {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  const values = right ? expressions(file, right, frame) : [];
  if (!left) return;
  if (node.type === 'receive_statement' && !declares(file, left, right)) return readStatements(file, left, frame);
  // What this block has declared already is only assigned to.
  declare(file, namesIn(left), values, null, frame, ({ declared }, name) => !declared.has(name));
}

function readRange(file: GoFile, node: Node, frame: Frame): void {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  const object = right ? expression(file, right, frame) : unknown;
  if (!left) return;
  if (!declares(file, left, right)) return readStatements(file, left, frame);
  const names = namesIn(left);
  const values: Expr[] = [
    { kind: 'iterate', object },
    { kind: 'index', object },
  ];
  declare(file, names, values.slice(0, names.length), null, frame);
}

/** A constant without a value repeats the one before it, also its type: `const (Red Color = iota; Green)`. */
function readConstants(file: GoFile, node: Node, frame: Frame): void {
  let before: Given = { values: [], type: null };
  for (const spec of node.namedChildren) {
    if (spec.type === 'const_spec') before = readSpec(file, spec, frame, before);
  }
}

function readVariables(file: GoFile, node: Node, frame: Frame): void {
  readSpec(file, node, frame, { values: [], type: null });
}

function readSpec(file: GoFile, node: Node, frame: Frame, before: Given): Given {
  const type = node.childForFieldName('type');
  const value = node.childForFieldName('value');
  const given: Given =
    type || value
      ? { values: value ? expressions(file, value, frame) : [], type: type ? typeOf(file, type, frame) : null }
      : before;
  declare(file, namesOf(node, 'identifier'), given.values, given.type, frame);
  return given;
}

function readTypeSwitch(file: GoFile, node: Node, frame: Frame): void {
  const alias = node.childForFieldName('alias')?.namedChildren[0];
  const initializer = node.childForFieldName('initializer');
  const valueNode = node.childForFieldName('value');
  if (initializer) readStatement(file, initializer, frame);
  const value = valueNode ? expression(file, valueNode, frame) : unknown;
  for (const branch of node.namedChildren) {
    if (branch.type !== 'type_case' && branch.type !== 'default_case') continue;
    file.block(frame, (inner) => {
      const [first, ...others] = branch.childrenForFieldName('type').filter((type) => type.isNamed);
      const isOfOneType = first && others.length === 0 && file.text(first) !== 'nil';
      const bound = isOfOneType ? { type: typeOf(file, first, inner) } : { value };
      if (alias) file.bind(inner, file.text(alias), file.line(alias), bound);
      for (const body of branch.namedChildren) if (body.type === 'statement_list') readStatements(file, body, inner);
    });
  }
}

function declare(
  file: GoFile,
  names: readonly Node[],
  values: readonly Expr[],
  type: TypeExpr | null,
  frame: Frame,
  isNew: (frame: Frame, name: string) => boolean = () => true,
): void {
  const wanted = names.filter((name) => isNew(frame, file.text(name)));
  for (const name of wanted) {
    const at = names.indexOf(name);
    const value = values.length === names.length ? values[at] : partOf(values[0], at);
    file.bind(frame, file.text(name), file.line(name), { ...(value ? { value } : {}), type });
  }
}

/** One of several values that one expression gives; the second of `v, ok := m[k]` is no more than a boolean. */
function partOf(value: Expr | undefined, at: number): Expr | undefined {
  if (value?.kind === 'result') return { kind: 'index', object: value, at };
  return at === 0 ? value : undefined;
}

function namesIn(list: Node): Node[] {
  return list.namedChildren.filter(({ type }) => type !== 'comment');
}

/** `:=` and not `=`. */
function declares(file: GoFile, left: Node, right: Node | null): boolean {
  return file.source.slice(left.endIndex, right?.startIndex).includes(':=');
}

import type { DeclaredKind } from '../../../src/model/declared-name.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, type DeclaredRules, fieldAs, namesAs } from '../reading/declared-names.ts';

/** What declares names in C and C++; macros are found in the source as it is written, as no tree has all of them. */
export const declared: DeclaredRules = {
  local: [
    'function_definition',
    'compound_statement',
    'lambda_expression',
    'parameter_list',
    'template_parameter_list',
  ],
  readers: {
    declaration: (node) => declarators(node, isConstant(node) ? 'constant' : 'variable'),
    field_declaration: (node) => declarators(node, isConstant(node) && isStatic(node) ? 'constant' : 'field'),
    type_definition: (node) => declarators(node, 'type_alias'),
    alias_declaration: fieldAs('type_alias'),
    enumerator: fieldAs('enum_member'),
  },
  *inText(source) {
    for (const { 0: directive, 1: name = '', index } of source.matchAll(
      /^[ \t]*#[ \t]*define[ \t]+([\p{L}_$][\p{L}\p{N}_$]*)/gmu,
    ))
      yield { kind: 'macro', name, index: index + directive.length - 1 };
  },
};

/** A const pointer is a constant, a pointer to what is const is none. */
function isConstant(node: Node): boolean {
  if (qualifiers(node).some((each) => each === 'constexpr' || each === 'constinit')) return true;
  const [first] = node.childrenForFieldName('declarator');
  const pointer = first?.type === 'init_declarator' ? first.childForFieldName('declarator') : first;
  return qualifiers(pointer?.type === 'pointer_declarator' ? pointer : node).includes('const');
}

const qualifiers = (node: Node) =>
  node.namedChildren.filter(({ type }) => type === 'type_qualifier').map(({ text }) => text);
const isStatic = (node: Node) =>
  node.namedChildren.some(({ type, text }) => type === 'storage_class_specifier' && text === 'static');

function declarators(node: Node, kind: DeclaredKind): Declared[] {
  return node.childrenForFieldName('declarator').flatMap((each) =>
    namesAs(
      kind,
      namesIn(each).filter(({ text }) => !reserved.test(text)),
    ),
  );
}

/** What only an unknown macro before it makes a name. */
const reserved = /^(?:void|bool|char|short|int|long|float|double|signed|unsigned|const|static|struct|union|enum)$/;

const inner: ReadonlySet<string> = new Set([
  'reference_declarator',
  'parenthesized_declarator',
  'attributed_declarator',
]);

/** What a declarator names; nothing where that is a function. */
function namesIn(declarator: Node): Node[] {
  let node: Node | null = declarator;
  while (node) {
    const next: Node | null =
      node.childForFieldName('declarator') ?? (inner.has(node.type) ? node.firstNamedChild : null);
    if (node.type === 'function_declarator' && next?.type !== 'parenthesized_declarator') return [];
    if (node.type === 'structured_binding_declarator') return node.namedChildren;
    if (next === null) return [lastName(node)];
    node = next;
  }
  return [];
}

/** `name` of `Class::name`. */
function lastName(node: Node): Node {
  let last = node;
  for (let next: Node | null = node; next?.type === 'qualified_identifier'; next = next.childForFieldName('name'))
    last = next;
  return last.type === 'qualified_identifier' ? (last.childForFieldName('name') ?? last) : last;
}

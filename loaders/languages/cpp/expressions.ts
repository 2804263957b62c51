import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr } from '../../facts/fact.ts';
import { readLambda } from '../reading/functions.ts';
import {
  blockOf,
  firstOf,
  named,
  partsOf,
  type Place,
  type Reader,
  skipped,
  type SourceFile,
  unknown,
} from '../reading/source-file.ts';
import { assigned, eitherBranch, nameHere, returned, selfHere } from '../reading/usual-readers.ts';
import { categoryOf, isInConstMethod, noteConstness, receiverIsConstant } from './constness.ts';
import { nameIn, parametersOf } from './declarations.ts';
import { plainName, templateArguments, typeOf, valueNamed } from './names.ts';

/** May a class that is being read make this in front of its constructor's body: itself, or one of its bases? */
function isMadeIn(file: SourceFile, name: string, { type }: Place): boolean {
  if (type < 0) return true;
  const own = file.definition(type);
  const last = (whole: string) => whole.slice(Math.max(whole.lastIndexOf(':'), whole.lastIndexOf('.')) + 1);
  const bases = own.bases.map(({ expr }) =>
    expr.kind === 'typed' && expr.type.kind === 'reference' ? last(expr.type.name.replace(/<.*/, '')) : null,
  );
  return own.name === name || bases.some((base) => base === null || base === last(name));
}

/** What statements and expressions stand for. */
export const readers: Readonly<Record<string, Reader>> = {
  identifier: nameHere,
  qualified_identifier: (file, node, place) => valueNamed(file, node, place),
  template_function: (file, node, place) => valueNamed(file, node, place),
  this: selfHere,
  parenthesized_expression: firstOf,
  pointer_expression: firstOf,
  compound_statement: blockOf,
  attribute_declaration: skipped,
  preproc_def: skipped,
  preproc_function_def: skipped,
  field_expression(file, node, place) {
    const object = file.read(node.childForFieldName('argument'), place);
    const name = plainName(file, node.childForFieldName('field'));
    const category = categoryOf(file, node);
    const member: Expr = {
      kind: 'member',
      object,
      name,
      ...(receiverIsConstant(file, node, place) ? { ofConst: true as const } : {}),
      ...(category ? { category } : {}),
    };
    if (name !== 'first' && name !== 'second') return member;
    // A pair has these, and so may a class.
    return { kind: 'union', options: [{ kind: 'index', object, at: name === 'first' ? 0 : 1 }, member], first: true };
  },
  subscript_expression: (file, node, place) => {
    for (const part of partsOf(node).slice(1)) file.read(part, place);
    return { kind: 'index', object: file.read(node.childForFieldName('argument'), place) };
  },
  call_expression: call,
  new_expression(file, node, place) {
    const type = typeOf(file, node.childForFieldName('type'), place);
    const args = partsOf(node.childForFieldName('arguments'));
    if (type.kind !== 'reference') return { kind: 'typed', type };
    const callee: Expr = { kind: 'name', name: type.name, scope: type.scope, isType: true };
    return file.call(place, node, callee, args, { isNew: true, ...(type.args.length > 0 ? { types: type.args } : {}) });
  },
  compound_literal_expression(file, node, place) {
    const type = typeOf(file, node.childForFieldName('type'), place);
    file.read(node.childForFieldName('value'), place);
    if (type.kind !== 'reference' || node.childForFieldName('type')?.type === 'type_descriptor')
      return { kind: 'typed', type };
    return file.call(place, node, { kind: 'name', name: type.name, scope: type.scope, isType: true }, [], {
      isNew: true,
    });
  },
  cast_expression(file, node, place) {
    file.read(node.childForFieldName('value'), place);
    return { kind: 'typed', type: typeOf(file, node.childForFieldName('type'), place) };
  },
  conditional_expression: eitherBranch,
  assignment_expression: assigned,
  lambda_expression(file, node, place) {
    const list = node.childForFieldName('declarator')?.childForFieldName('parameters');
    return readLambda(file, node, place, (inside) => parametersOf(file, list, inside), node.childForFieldName('body'));
  },
  string_literal: literal('char'),
  char_literal: literal('char'),
  true: literal('bool'),
  false: literal('bool'),
  number_literal: (file, node, place) => {
    const isWhole = !/^(?!0[xX]).*[.eE]/.test(file.text(node));
    return { kind: 'typed', type: named(isWhole ? 'int' : 'double', place) };
  },
  // A field's value, or what a base, or the class itself, is constructed of.
  field_initializer(file, node, place) {
    const [target, ...values] = partsOf(node);
    const name = plainName(file, target);
    const isField = name.endsWith('_') || name.startsWith('m_') || name === '' || !isMadeIn(file, name, place);
    if (isField || !target) for (const part of values) file.readAll(part, place);
    else {
      const callee: Expr = { kind: 'name', name, scope: place.scope, isType: true };
      file.call(place, target, callee, values.flatMap(partsOf), { isNew: true });
    }
    return unknown;
  },
  for_statement: blockOf,
  if_statement: blockOf,
  while_statement: blockOf,
  switch_statement: blockOf,
  for_range_loop(file, node, place) {
    const object = file.read(node.childForFieldName('right'), place);
    const inside = file.block(place);
    const declarator = node.childForFieldName('declarator');
    const type = typeOf(file, node.childForFieldName('type'), place);
    const list =
      declarator?.type === 'structured_binding_declarator'
        ? declarator
        : partsOf(declarator).find((part) => part.type === 'structured_binding_declarator');
    const iterated: Expr = { kind: 'iterate', object };
    for (const [at, part] of partsOf(list).entries()) {
      noteConstness(file, inside, file.text(part), node);
      file.bind(inside, file.text(part), part, { value: { kind: 'index', object: iterated, at } });
    }
    const name = list ? null : nameIn(declarator);
    if (name) noteConstness(file, inside, file.text(name), node);
    if (name) file.bind(inside, file.text(name), name, type.kind === 'unknown' ? { value: iterated } : { type });
    file.read(node.childForFieldName('body'), inside);
    return unknown;
  },
  catch_clause(file, node, place) {
    const inside = file.block(place);
    for (const { name, node: named, type = null } of parametersOf(file, node.childForFieldName('parameters'), inside)) {
      file.bind(inside, name, named, { type });
    }
    file.read(node.childForFieldName('body'), inside);
    return unknown;
  },
  return_statement: returned,
};

function literal(type: string): Reader {
  return (_, __, place) => ({ kind: 'typed', type: named(type, place) });
}

function call(file: SourceFile, node: Node, place: Place): Expr {
  const callee = node.childForFieldName('function');
  const args = partsOf(node.childForFieldName('arguments'));
  const name = plainName(file, callee);
  const last = name.slice(name.lastIndexOf(':') + 1);
  const typed = templateOf(callee);
  const types = typed ? templateArguments(file, typed, place) : [];
  const [type] = types;
  if (
    type &&
    /^(?:static|dynamic|const|reinterpret|static_pointer|dynamic_pointer|down|polymorphic)_cast$|^(?:cast|dyn_cast)$/.test(
      last,
    )
  ) {
    file.readAll(node.childForFieldName('arguments'), place);
    return { kind: 'typed', type };
  }
  if (type?.kind === 'reference' && /^(?:make_(?:unique|shared|ref|optional)|MakeUnique|MakeShared)$/.test(last)) {
    const made: Expr = { kind: 'name', name: type.name, scope: type.scope, isType: true };
    if (name.startsWith('std::')) return file.call(place, node, made, args, { isNew: true });
    // A function of the repository's own has the name before the library's.
    const own = file.read(callee, place);
    const result = file.call(place, node, { kind: 'union', options: [own, made], first: true }, args, { types });
    // Whatever it says of what it gives, that is an instance.
    return { kind: 'union', options: [result, { kind: 'typed', type }], first: true };
  }
  const field = callee?.type === 'field_expression' ? callee.childForFieldName('field') : callee;
  const read = file.read(callee, place);
  const value: Expr = read.kind === 'name' && isInConstMethod(file, place) ? { ...read, ofConst: true } : read;
  const made = file.call(place, node, value, args, {
    line: file.line(field ?? node),
    ...(types.length > 0 ? { types } : {}),
  });
  // What a smart pointer gives, and what is moved, is the object itself.
  if (value.kind === 'member' && /^(?:get|lock|value|operator->)$/.test(value.name) && args.length === 0) {
    return { kind: 'union', options: [made, value.object], first: true };
  }
  if (/^(?:std::)?(?:move|forward|ref|cref|addressof)$/.test(name)) {
    return (made.kind === 'result' ? file.facts.calls[made.call]?.args[0] : undefined) ?? unknown;
  }
  return made;
}

function templateOf(node: Node | null | undefined): Node | null {
  if (!node) return null;
  if (node.type === 'template_function' || node.type === 'template_method') return node;
  if (node.type === 'qualified_identifier') return templateOf(node.childForFieldName('name'));
  return node.type === 'field_expression' ? templateOf(node.childForFieldName('field')) : null;
}

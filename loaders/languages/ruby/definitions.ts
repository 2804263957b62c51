import type { Node } from '../../facts/syntax-tree.ts';
import type { Base, Expr, TypeExpr } from '../../facts/fact.ts';
import { declareParameters, type NamedParameter } from '../reading/functions.ts';
import { lastOf, named, partsOf, type Place, type Reader, type SourceFile, unknown } from '../reading/source-file.ts';

/** Member under which a class keeps its constructor. */
const constructorName = 'new()';

/** What declares something. */
export const readers: Readonly<Record<string, Reader>> = {
  class: (file, node, place) => typeDeclaration(file, node, place),
  module: (file, node, place) => typeDeclaration(file, node, place),
  method: (file, node, place) => methodDeclaration(file, node, place, false),
  singleton_method: (file, node, place) => methodDeclaration(file, node, place, true),
  singleton_class(file, node, place) {
    for (const part of partsOf(node.childForFieldName('body'))) {
      if (part.type === 'method') methodDeclaration(file, part, place, true);
      else file.read(part, place);
    }
    return unknown;
  },
  alias(file, node, place) {
    const [name, of] = ['name', 'alias'].map((field) => file.text(node.childForFieldName(field)).replace(/^:/, ''));
    aliased(file, name ?? '', of ?? '', place);
    return unknown;
  },
};

/** `class A::B` is a constant of `A`, wherever it is written. */
function typeDeclaration(file: SourceFile, node: Node, place: Place): Expr {
  const nameNode = node.childForFieldName('name');
  const isScoped = nameNode?.type === 'scope_resolution';
  const scope = isScoped ? nameNode.childForFieldName('scope') : null;
  const last = isScoped ? nameNode.childForFieldName('name') : nameNode;
  const path = scope ? file.text(scope).replace(/^::/, '').replaceAll('::', '.') : '';
  const superclass = node.childForFieldName('superclass');
  const definition = declareClass(file, node, place, last, path, partsOf(superclass)[0]);
  lastOf(file, node.childForFieldName('body') ?? node, file.enter(definition, place));
  return unknown;
}

/** Declares a class or module; the caller reads what is in it. */
export function declareClass(
  file: SourceFile,
  node: Node,
  place: Place,
  nameNode: Node | null,
  path: string,
  superclass: Node | undefined,
): number {
  const name = file.text(nameNode);
  const around = place.type >= 0 ? file.definition(place.type).qualifiedName : '';
  const qualifiedName = [around, path, name].filter(Boolean).join('.');
  const definition = file.define(
    { kind: 'class', name, qualifiedName, isPart: true, isStatic: true },
    node,
    place,
    nameNode,
  );
  const own = file.definition(definition);
  if (node.type === 'module') own.isMixin = true;
  if (superclass) own.bases.push(baseOf(file, superclass, place, 'extends'));
  if (path !== '') own.receiver = named(path, place);
  else if (place.type >= 0) {
    file.member(place.type, name, { definition, isStatic: true });
    const around = file.definition(place.type);
    // By convention, what a mixin's inner module of this name has is its classes' own.
    if (around.isMixin && name === 'ClassMethods')
      around.bases.unshift({
        expr: { kind: 'definition', definition },
        line: file.line(node),
        how: 'implements',
        isUnwritten: true,
        isOfClass: true,
      });
  } else file.bind(file.top, name, nameNode ?? node, { definition });
  return definition;
}

function baseOf(file: SourceFile, node: Node, place: Place, how: Base['how']): Base {
  return { expr: file.read(node, place), line: file.line(node), how };
}

function methodDeclaration(file: SourceFile, node: Node, place: Place, isStatic: boolean): Expr {
  const nameNode = node.childForFieldName('name');
  const written = file.text(nameNode);
  // `def x=(v)` is called by an assignment.
  const name = nameNode?.type === 'setter' ? `${written.replace(/(?<!\s)\s*=$/, '')}=` : written;
  const ofClass = place.type >= 0;
  const isConstructor = ofClass && !isStatic && name === 'initialize';
  const kind = !ofClass ? 'function' : isConstructor ? 'constructor' : 'method';
  const definition = file.define({ kind, name, isStatic }, node, place, nameNode);
  if (!ofClass) file.bind(place, name, nameNode ?? node, { definition });
  file.member(place.type, name, { definition, isStatic });
  if (isConstructor) file.member(place.type, constructorName, { definition });
  const inside = file.enter(definition, place);
  const parameters = parametersOf(file, node.childForFieldName('parameters'), inside);
  const [first] = parameters;
  // What Ruby calls where a class is inherited from, with the new class.
  if (first && ofClass && isStatic && name === 'inherited')
    first.type = { kind: 'typeof', value: { kind: 'definition', definition: place.type } };
  declareParameters(file, definition, inside, parameters);
  const body = node.childForFieldName('body');
  if (first && ofClass && isStatic && /^(?:included|prepended|extended)$/.test(name))
    mixedIn(file, body, first.name, place);
  if (body) file.returns(inside, file.read(body, inside));
  return unknown;
}

/** What a mixin gives to those that mix it in besides itself: `base.extend Finders`, `base.send :include, Shell`. */
function mixedIn(file: SourceFile, body: Node | null, base: string, place: Place): void {
  const mixin = file.definition(place.type);
  for (const call of partsOf(body).filter(({ type }) => type === 'call')) {
    if (file.text(call.childForFieldName('receiver')) !== base) continue;
    const args = partsOf(call.childForFieldName('arguments'));
    const how = file.text(call.childForFieldName('method'));
    const isSent = /^(?:__send__|public_send|send)$/.test(how);
    const mixes = isSent ? file.text(args[0]).replace(/^:/, '') : how;
    if (!/^(?:include|prepend|extend)$/.test(mixes)) continue;
    for (const arg of args.slice(isSent ? 1 : 0))
      if (/^(?:constant|scope_resolution)$/.test(arg.type) && file.text(arg) !== 'ClassMethods')
        mixin.bases.push({
          ...baseOf(file, arg, place, 'implements'),
          isUnwritten: true,
          ...(mixes === 'extend' ? { isOfClass: true } : {}),
        });
  }
}

/** The first `yield` says what a method's block is handed. */
export function yields(file: SourceFile, definition: number, handed: readonly Expr[]): void {
  const parameters = handed.map((value): TypeExpr => ({ kind: 'typeof', value }));
  takesBlock(file, definition, { kind: 'function', parameters, returns: null });
}

/** The block that a method takes is its last parameter; what is known of it first, holds. */
export function takesBlock(file: SourceFile, definition: number, type: TypeExpr): void {
  const { parameters } = file.definition(definition);
  if (parameters.at(-1)?.name === blockName) return;
  parameters.push({ name: blockName, type, default: null, rest: false, optional: true });
}

/** Name of the parameter that takes a method's block. */
const blockName = '&';

/** Parameters with the nodes that name them; those in parentheses are only declared. */
export function parametersOf(file: SourceFile, list: Node | null, place: Place): NamedParameter[] {
  return partsOf(list).flatMap((part): NamedParameter[] => {
    if (part.type === 'destructured_parameter') {
      for (const inner of partsOf(part)) file.bind(place, file.text(inner), inner, {});
      return [{ name: '', node: part }];
    }
    const nameNode = part.type === 'identifier' ? part : part.childForFieldName('name');
    if (!nameNode || part.type === 'block_parameter') {
      if (nameNode) file.bind(place, file.text(nameNode), nameNode, {});
      return [];
    }
    const value = part.childForFieldName('value');
    const rest = part.type.endsWith('splat_parameter');
    const known = value ? file.read(value, place) : null;
    return [
      { name: file.text(nameNode), node: nameNode, rest, optional: rest || part.type !== 'identifier', default: known },
    ];
  });
}

/** What a call in a class's body declares: accessors, mixins, aliases, methods by name. */
export function declaredBy(
  file: SourceFile,
  name: string,
  args: readonly Node[],
  block: Node | null,
  place: Place,
): boolean {
  if (place.type < 0 || place.definition !== place.type) return false;
  const own = file.definition(place.type);
  const symbol = (node: Node | undefined): string => file.text(node).replace(/^:|^["']|["']$/g, '');
  switch (name) {
    case 'include':
    case 'prepend':
    case 'extend': {
      const bases = args.filter(({ type }) => type !== 'self').map((arg) => baseOf(file, arg, place, 'implements'));
      // Of a class that mixes this in there is one instance, which it gives.
      if (args.some((arg) => /^(?:::)?Singleton$/.test(file.text(arg))))
        file.member(place.type, 'instance', { value: instanceOf(place.type), isStatic: true });
      // What is mixed in last is asked first, and before what the class extends.
      own.bases.unshift(...bases);
      return true;
    }
    case 'attr_reader':
    case 'attr_accessor':
    case 'attr_writer':
    case 'attr':
    case 'cattr_reader':
    case 'cattr_accessor':
    case 'mattr_reader':
    case 'mattr_accessor':
    case 'class_attribute':
      for (const arg of args) if (arg.type !== 'pair') accessor(file, name, symbol(arg), place);
      return true;
    case 'alias_method':
      aliased(file, symbol(args[0]), symbol(args[1]), place);
      return true;
    case 'define_method': {
      if (!args[0] || !block) return false;
      const definition = file.define({ kind: 'method', name: symbol(args[0]) }, args[0], place, args[0]);
      file.definition(definition).endLine = block.endPosition.row + 1;
      file.member(place.type, symbol(args[0]), { definition });
      const inside = file.enter(definition, place);
      declareParameters(file, definition, inside, parametersOf(file, block.childForFieldName('parameters'), inside));
      file.returns(inside, file.read(block.childForFieldName('body'), inside));
      return true;
    }
    default:
      return false;
  }
}

/** What is read and written by a name of its own is kept in the variable of that name. */
function accessor(file: SourceFile, how: string, name: string, { type }: Place): void {
  const object: Expr = { kind: 'self', definition: type };
  if (!how.endsWith('reader') && how !== 'attr')
    file.member(type, `@${name}`, { value: { kind: 'assigned', definition: type, name: `${name}=` } });
  if (how !== 'attr_writer') file.member(type, name, { value: { kind: 'member', object, name: `@${name}` } });
}

/** What `new` makes of a class of this file. */
function instanceOf(definition: number): Expr {
  return { kind: 'call', callee: { kind: 'definition', definition }, args: [], isNew: true };
}

function aliased(file: SourceFile, name: string, of: string, place: Place): void {
  if (place.type < 0) return;
  const known = file.definition(place.type).members.find((member) => member.name === of);
  // By another name, `new` still makes one of the class.
  const value: Expr =
    of === 'new'
      ? { kind: 'definition', definition: place.type }
      : { kind: 'member', object: { kind: 'self', definition: place.type }, name: of };
  file.member(place.type, name, known ? { definition: known.definition, value: known.value } : { value });
}

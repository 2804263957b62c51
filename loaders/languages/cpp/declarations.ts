import type { Node } from '../../facts/syntax-tree.ts';
import type { ClassKind, Definition, Expr, TypeExpr } from '../../facts/fact.ts';
import { declareParameters, type NamedParameter } from '../reading/functions.ts';
import { sideOf } from '../reading/sides.ts';
import { named, partsOf, type Place, type Reader, type SourceFile, unknown } from '../reading/source-file.ts';
import { noteConstness, qualifiersOf } from './constness.ts';
import { innermost, namespaceOf, plainName, prefixesAt, typeOf } from './names.ts';

/** What declares something. */
export const readers: Readonly<Record<string, Reader>> = {
  namespace_definition: namespace,
  namespace_alias_definition: () => unknown,
  using_declaration: using,
  template_declaration: template,
  linkage_specification(file, node, place) {
    const body = node.childForFieldName('body');
    if (body?.type === 'declaration_list') file.readAll(body, place);
    else file.read(body, place);
    return unknown;
  },
  class_specifier: (file, node, place) => typeSpecifier(file, node, place, 'class', []),
  struct_specifier: (file, node, place) => typeSpecifier(file, node, place, 'struct', []),
  union_specifier: (file, node, place) => typeSpecifier(file, node, place, 'struct', []),
  enum_specifier: (file, node, place) => typeSpecifier(file, node, place, 'enum', []),
  function_definition: (file, node, place) => functionDefinition(file, node, place, []),
  inline_method_definition: (file, node, place) => functionDefinition(file, node, place, []),
  field_declaration: (file, node, place) => declaration(file, node, place),
  declaration: (file, node, place) => declaration(file, node, place),
  type_definition(file, node, place) {
    const type = node.childForFieldName('type');
    const names = node.childrenForFieldName('declarator').map((part) => nameIn(part));
    const isNameless =
      type !== null && type.childForFieldName('name') === null && type.childForFieldName('body') !== null;
    const [first] = names;
    // `typedef struct { … } Name;` is a struct of this name.
    if (isNameless && first)
      typeSpecifier(file, type, place, type.type === 'enum_specifier' ? 'enum' : 'struct', [], first);
    else {
      file.read(type, place);
      for (const name of names) if (name) alias(file, node, name, type, place);
    }
    return unknown;
  },
  alias_declaration(file, node, place) {
    const name = node.childForFieldName('name');
    if (name) alias(file, node, name, node.childForFieldName('type'), place);
    return unknown;
  },
  // A function that a class befriends and defines stands in the namespace around.
  friend_declaration(file, node, place) {
    const defined = partsOf(node).find(({ type }) => type === 'function_definition');
    return defined ? functionDefinition(file, defined, { ...place, definition: -1, type: -1 }, []) : unknown;
  },
};

/** The scope right in the file's, whose names other files do not see. */
export const ownScope = 1;

/** How many namespaces without a name are around what is being read: it is the file's own. */
const nameless = new WeakMap<SourceFile, number>();
const isNameless = (file: SourceFile) => (nameless.get(file) ?? 0) > 0;

/** What a file has classes for that are templates' for certain arguments, by name and arguments as written. */
const specialized = new WeakMap<SourceFile, Set<string>>();

/** The name under which a template's class for certain arguments is found beside that of the template. */
const nameWithArguments = (file: SourceFile, node: Node, around: string) =>
  around + file.text(node).replace(/\s/g, '').replaceAll('::', ':');

function namespace(file: SourceFile, node: Node, place: Place) {
  const name = file.text(node.childForFieldName('name')).replace(/\s|inline/g, '');
  // What stands in an inline namespace stands in the one around it.
  if (node.firstChild?.type === 'inline') {
    file.readAll(node.childForFieldName('body'), place);
    return unknown;
  }
  if (name === '') {
    nameless.set(file, (nameless.get(file) ?? 0) + 1);
    file.readAll(node.childForFieldName('body'), place);
    nameless.set(file, (nameless.get(file) ?? 1) - 1);
    return unknown;
  }
  const inside = file.block(place);
  const scope = file.facts.scopes[inside.scope];
  const around = namespaceOf(file, place);
  if (scope) {
    scope.prefixes = prefixesOf(around, name);
  }
  file.readAll(node.childForFieldName('body'), inside);
  return unknown;
}

/** What is written apart from its class or namespace lies where `using namespace` may have led to. */
function bindAtTop(file: SourceFile, around: string, name: string, node: Node, definition: number, place: Place): void {
  const prefixes = name.includes('::') ? prefixesAt(file, place) : [];
  for (const prefix of new Set([around, ...prefixes])) file.bind(file.top, prefix + name, node, { definition });
}

/** What is seen in its file only: a namespace may be opened there several times, and each sees what the others have. */
function bindOwn(file: SourceFile, around: string, name: string, node: Node, definition: number): void {
  const own: Place = { ...file.top, scope: ownScope };
  const parts = around.split('::').slice(0, -1);
  for (let from = 0; from <= parts.length; from++)
    file.bind(own, [...parts.slice(from), name].join('::'), node, { definition });
}

/** Of `a::b` in a namespace: what may stand before a name there, the innermost first. */
function prefixesOf(around: string, name: string): string[] {
  const parts = name.split('::');
  return parts.map((_, index) => `${around}${parts.slice(0, parts.length - index).join('::')}::`);
}

/** `using namespace a::b;`, `using a::B;` */
function using(file: SourceFile, node: Node, place: Place) {
  const [target] = partsOf(node);
  const name = plainName(file, target);
  const scope = file.facts.scopes[place.scope];
  if (!scope) return unknown;
  if (node.children.some(({ type }) => type === 'namespace'))
    scope.prefixes = [
      ...new Set([...(scope.prefixes ?? ['']), ...prefixesAt(file, place).map((prefix) => `${prefix}${name}::`)]),
    ];
  else if (place.type < 0 && name.includes('::')) {
    const last = name.slice(name.lastIndexOf(':') + 1);
    file.bind(place, last, node, { value: { kind: 'name', name, scope: 0 } });
    // A header's namespace gives it to other files as its own.
    const around = place.definition < 0 ? namespaceOf(file, place) : '';
    const from = name.startsWith('::') ? file.top.scope : place.scope;
    if (around !== '' && isHeader(file) && !isNameless(file))
      file.bind(file.top, around + last, node, {
        value: { kind: 'name', name: name.replace(/^::/, ''), scope: from },
        isHandedOn: true,
      });
  }
  return unknown;
}

/** The type parameters of a template belong to what it declares. */
function template(file: SourceFile, node: Node, place: Place) {
  const parameters = partsOf(node.childForFieldName('parameters')).flatMap((part): Definition['typeParameters'] => {
    const name =
      part.childForFieldName('name') ?? (part.type === 'type_parameter_declaration' ? partsOf(part)[0] : null);
    return part.type.includes('type_parameter') && name ? [{ name: file.text(name), bound: null }] : [];
  });
  const declared = partsOf(node).at(-1);
  switch (declared?.type) {
    case 'class_specifier':
      return typeSpecifier(file, declared, place, 'class', parameters);
    case 'struct_specifier':
      return typeSpecifier(file, declared, place, 'struct', parameters);
    case 'function_definition':
      return functionDefinition(file, declared, place, parameters);
    default:
      return file.read(declared, place);
  }
}

function typeSpecifier(
  file: SourceFile,
  node: Node,
  place: Place,
  kind: ClassKind,
  typeParameters: Definition['typeParameters'],
  nameNode: Node | null = node.childForFieldName('name'),
) {
  const body = node.childForFieldName('body');
  // Without a body it only says that there is one.
  if (!body || !nameNode) {
    file.readAll(body, place);
    return unknown;
  }
  const written = plainName(file, nameNode);
  const name = written.slice(written.lastIndexOf(':') + 1);
  const around =
    place.type >= 0 ? `${file.definition(place.type).qualifiedName.replaceAll('.', '::')}::` : namespaceOf(file, place);
  const qualifiedName = `${around}${written}`.replaceAll('::', '.');
  const definition = file.define({ kind, name, qualifiedName, typeParameters }, node, place, nameNode);
  const isOwn = isNameless(file);
  if (nameNode.type === 'template_type') {
    const names = specialized.get(file) ?? new Set();
    specialized.set(file, names.add(nameWithArguments(file, nameNode, around)));
    file.bind(file.top, nameWithArguments(file, nameNode, around), nameNode, { definition });
  }
  if (!isOwn) bindAtTop(file, around, written, nameNode, definition, place);
  if (place.type >= 0) file.member(place.type, name, { definition, isStatic: true });
  else if (place.definition >= 0) file.bind(place, name, nameNode, { definition });
  else if (isOwn) bindOwn(file, around, name, nameNode, definition);
  const inside = file.enter(definition, place);
  // What is only declared in it may be written apart from it.
  const scope = file.facts.scopes[inside.scope];
  if (scope) scope.prefixes = ['', `${around}${written}::`];
  const own = file.definition(definition);
  const clause = partsOf(node).find(({ type }) => type === 'base_class_clause');
  own.bases = partsOf(clause)
    .filter(({ type }) => type !== 'access_specifier' && type !== 'virtual')
    .map((part) => ({
      expr: { kind: 'typed', type: baseOf(file, part, around, inside) },
      line: file.line(part),
      how: 'extends',
    }));
  for (const part of partsOf(body)) {
    if (part.type === 'enumerator') {
      const type: TypeExpr = { kind: 'definition', definition };
      file.member(definition, file.text(part.childForFieldName('name')), { type, isStatic: true });
    } else file.read(part, inside);
  }
  return unknown;
}

/** A base; of a template, the class for just these arguments, if the file has one. */
function baseOf(file: SourceFile, node: Node, around: string, inside: Place): TypeExpr {
  const name = node.type === 'template_type' ? nameWithArguments(file, node, around) : '';
  return specialized.get(file)?.has(name) ? named(name, inside) : typeOf(file, node, inside);
}

const isSpecialized = (node: Node | null | undefined) => node?.childForFieldName('name')?.type === 'template_type';

function alias(file: SourceFile, node: Node, nameNode: Node, typeNode: Node | null, place: Place): void {
  const name = file.text(nameNode);
  const type = typeOf(file, typeNode, place);
  // `typedef struct Foo Foo;` says nothing new.
  if (type.kind === 'unknown' || (type.kind === 'reference' && type.name === name)) return;
  if (place.type >= 0) {
    file.member(place.type, name, { type, isStatic: true, isAlias: true });
    // From outside it is named with its class, unless others can't name that, or it is for certain arguments of a template.
    const isNamed = !isNameless(file) && !isSpecialized(node.parent?.parent);
    const whole = `${file.definition(place.type).qualifiedName.replaceAll('.', '::')}::${name}`;
    if (isNamed) file.bind(file.top, whole, node, { type });
    return;
  }
  const key = place.definition >= 0 ? name : namespaceOf(file, place) + name;
  file.bind(place.definition >= 0 ? place : file.top, key, node, { type });
}

function functionDefinition(file: SourceFile, node: Node, place: Place, typeParameters: Definition['typeParameters']) {
  const declarator = functionIn(node.childForFieldName('declarator'));
  const nameNode = declarator?.childForFieldName('declarator') ?? node.childForFieldName('declarator');
  if (!nameNode) return unknown;
  const { whole, name, scopeName } = namesOf(file, node, declarator, nameNode);
  const ofClass = place.type >= 0 && place.definition === place.type;
  const owner = ofClass ? file.definition(place.type).name : scopeName.slice(scopeName.lastIndexOf(':') + 1);
  const isMethod = ofClass || scopeName !== '';
  const body = node.childForFieldName('body');
  const isStatic = isDeclaredStatic(file, node);
  const namespaceName = namespaceOf(file, place);
  const definition = file.define(
    {
      kind: name === owner ? 'constructor' : isMethod ? 'method' : 'function',
      name,
      ...(ofClass ? {} : { qualifiedName: `${namespaceName}${whole}`.replaceAll('::', '.') }),
      isStatic: isStatic && ofClass,
      exported: !isStatic || ofClass,
      isAbstract: !body,
      typeParameters,
      ...qualifiersOf(file, node, declarator),
      ...sideOf(file, node),
    },
    node,
    ofClass ? place : { ...place, definition: -1, type: -1 },
    innermost(nameNode),
  );
  const own = file.definition(definition);
  const inside = { ...file.enter(definition, place), self: scopeName === '' ? null : named(scopeName, place) };
  // Apart from its class, it still sees what stands in it and around it.
  const scope = file.facts.scopes[inside.scope];
  if (scope && scopeName !== '')
    scope.prefixes = ['', ...prefixesAt(file, place).flatMap((prefix) => prefixesOf(prefix, scopeName))];
  if (ofClass) file.member(place.type, name === owner ? 'new()' : name, { definition, isStatic });
  else {
    if (inside.self?.kind === 'reference') own.receiver = inside.self;
    // A constructor that is written apart from its class has no name of its own: `A::A` in a method of A is the class.
    if (name !== owner || !isMethod) bindFunction(file, place, whole, nameNode, definition, isStatic);
  }
  declareParameters(file, definition, inside, parametersOf(file, declarator?.childForFieldName('parameters'), inside));
  own.returnType = resultOf(file, node, declarator, inside);
  for (const part of partsOf(node)) if (part.type === 'field_initializer_list') file.read(part, inside);
  file.read(body, inside);
  return unknown;
}

/** A function outside of classes is seen by all files, or in its own only. */
function bindFunction(
  file: SourceFile,
  place: Place,
  name: string,
  node: Node,
  definition: number,
  isStatic: boolean,
): void {
  const around = namespaceOf(file, place);
  if (isSeenHereOnly(file, isStatic)) bindOwn(file, around, name, node, definition);
  else bindAtTop(file, around, name, node, definition, place);
}

/** A function's name as it is written, `Scope::name`, and its parts. */
function namesOf(file: SourceFile, node: Node, declarator: Node | null, nameNode: Node) {
  const isCast = nameNode.type === 'operator_cast' || declarator?.type === 'operator_cast';
  const whole = isCast ? 'operator' : (testName(file, node, declarator) ?? plainName(file, nameNode));
  const at = whole.lastIndexOf('::');
  return { whole, name: whole.slice(at < 0 ? 0 : at + 2), scopeName: at > 0 ? whole.slice(0, at) : '' };
}

/** What is static is seen in its file only, unless others include that; so is what stands in a nameless namespace. */
function isSeenHereOnly(file: SourceFile, isStatic: boolean): boolean {
  return isNameless(file) || (isStatic && !isHeader(file));
}

/** Other files include it. */
const isHeader = ({ path }: SourceFile) => /\.(?:h|hh|hpp|hxx|inc|inl|ipp|tcc|tpp|txx)$/.test(path);

function isDeclaredStatic(file: SourceFile, node: Node): boolean {
  return partsOf(node).some((part) => part.type === 'storage_class_specifier' && file.text(part) === 'static');
}

/** `TEST_F(Suite, Case) { … }`: a function that a macro declares has the name that its arguments give it. */
function testName(file: SourceFile, node: Node, declarator: Node | null): string | null {
  const name = file.text(declarator?.childForFieldName('declarator'));
  if (node.childForFieldName('type') || !/^[A-Z][A-Z0-9_]+$/.test(name)) return null;
  const words = partsOf(declarator?.childForFieldName('parameters')).map(file.text);
  return words.length > 0 && words.every((word) => /^\w+$/.test(word)) ? words.join('_') : null;
}

function resultOf(file: SourceFile, node: Node, declarator: Node | null, place: Place): TypeExpr | null {
  const trailing = partsOf(declarator).find(({ type }) => type === 'trailing_return_type');
  const type = typeOf(file, trailing ? partsOf(trailing)[0] : node.childForFieldName('type'), place);
  // What the compiler infers is what the function gives.
  return type.kind === 'unknown' ? null : type;
}

/** The function among the pointers and references around it. */
function functionIn(node: Node | null): Node | null {
  if (!node || node.type === 'function_declarator' || node.type === 'operator_cast') return node;
  if (!node.type.endsWith('_declarator')) return null;
  return functionIn(node.childForFieldName('declarator') ?? partsOf(node).at(-1) ?? null);
}

/** The name in a declarator. */
export function nameIn(node: Node | null | undefined): Node | null {
  if (!node) return null;
  if (node.type.endsWith('identifier')) return node;
  return nameIn(
    node.childForFieldName('declarator') ?? partsOf(node).find(({ type }) => /declarator$|identifier$/.test(type)),
  );
}

/** Parameters with the nodes that name them. */
export function parametersOf(file: SourceFile, list: Node | null | undefined, place: Place): NamedParameter[] {
  const parts = partsOf(list).filter(({ type }) => type.endsWith('parameter_declaration'));
  if (parts.length === 1 && file.text(parts[0]) === 'void') return [];
  return parts.map((part) => {
    const declarator = part.childForFieldName('declarator');
    const name = nameIn(declarator);
    noteConstness(file, place, file.text(name), part);
    const isFunction = functionIn(declarator) !== null;
    const type: TypeExpr = isFunction
      ? { kind: 'function', returns: typeOf(file, part.childForFieldName('type'), place) }
      : typeOf(file, part.childForFieldName('type'), place);
    const rest = part.type === 'variadic_parameter_declaration';
    return {
      name: file.text(name),
      node: name ?? part,
      type: elementsOf(declarator, type),
      rest,
      optional: rest || part.type === 'optional_parameter_declaration',
    };
  });
}

/** An array of it, where the declarator says so. */
function elementsOf(declarator: Node | null, type: TypeExpr): TypeExpr {
  return declarator?.type === 'array_declarator' ? { kind: 'array', element: type } : type;
}

/** Fields, variables and prototypes; what a class is made of may be declared with them. */
function declaration(file: SourceFile, node: Node, place: Place) {
  const typeNode = node.childForFieldName('type');
  if (typeNode?.childForFieldName('body')) file.read(typeNode, place);
  const written = typeOf(file, typeNode, place);
  const isStatic = isDeclaredStatic(file, node);
  const ofClass = place.type >= 0 && place.definition === place.type;
  const isPure = file.text(node.childForFieldName('default_value')) === '0' || /=\s*0\s*;$/.test(file.text(node));
  for (const declarator of node.childrenForFieldName('declarator')) {
    const callable = functionIn(
      declarator.type === 'init_declarator' ? declarator.childForFieldName('declarator') : declarator,
    );
    const isPointer = callable?.childForFieldName('declarator')?.type === 'parenthesized_declarator';
    if (callable && ofClass && isPure && !isPointer) {
      functionDefinition(file, node, place, []);
      continue;
    }
    const type = callable ? callableType(file, node, callable, place) : elementsOf(declarator, written);
    const known = type.kind === 'unknown' ? null : type;
    if (ofClass) file.member(place.type, file.text(nameIn(declarator)), { type: known, isStatic });
    // A prototype is none: the function itself is elsewhere.
    else if (callable && !isPointer && isConstruction(file, callable, written, place))
      constructWith(file, callable, written, place);
    else if (!callable || isPointer) variable(file, node, declarator, place, { written, known, isStatic });
  }
  return unknown;
}

/** `Writer out(file, compact);` in a body: the grammar takes it for a function's declaration. */
function isConstruction(file: SourceFile, callable: Node, type: TypeExpr, place: Place): boolean {
  const args = partsOf(callable.childForFieldName('parameters'));
  return (
    type.kind === 'reference' &&
    place.definition >= 0 &&
    file.facts.language === 'cpp' &&
    callable.childForFieldName('declarator')?.type === 'identifier' &&
    args.length > 0 &&
    args.every(
      (arg) =>
        arg.type === 'parameter_declaration' &&
        partsOf(arg).length === 1 &&
        arg.childForFieldName('type')?.type === 'type_identifier',
    )
  );
}

function constructWith(file: SourceFile, callable: Node, type: TypeExpr, place: Place): void {
  if (type.kind !== 'reference') return;
  const args = partsOf(callable.childForFieldName('parameters')).map((arg): Expr => ({
    kind: 'name',
    name: file.text(arg),
    scope: place.scope,
  }));
  const callee: Expr = { kind: 'name', name: type.name, scope: type.scope, isType: true };
  file.call(place, callable, callee, [], { isNew: true, args });
  const name = callable.childForFieldName('declarator');
  if (!name) return;
  noteConstness(file, place, file.text(name), callable);
  file.bind(place, file.text(name), name, { type });
}

/** The type of a function that is declared here and written elsewhere, or of what points to one. */
function callableType(file: SourceFile, node: Node, callable: Node, place: Place): TypeExpr {
  const returns = resultOf(file, node, callable, place);
  const parameters = parametersOf(file, callable.childForFieldName('parameters'), place);
  return { kind: 'function', parameters: parameters.map((one) => one.type ?? null), returns };
}

/** One variable: `written` is the type in front of all of a declaration, `known` its own. */
function variable(
  file: SourceFile,
  node: Node,
  declarator: Node,
  place: Place,
  { written, known, isStatic }: { written: TypeExpr; known: TypeExpr | null; isStatic: boolean },
): void {
  const name = nameIn(declarator);
  const valueNode = declarator.childForFieldName('value') ?? node.childForFieldName('value');
  const value = made(file, valueNode, written, declarator, place);
  if (!name || !valueNode) construct(file, written, declarator, place);
  const isLocal = place.definition >= 0 || isStatic;
  const inner = declarator.childForFieldName('declarator');
  const list = [declarator, inner].find((one) => one?.type === 'structured_binding_declarator');
  if (list) {
    for (const [at, part] of partsOf(list).entries()) {
      noteConstness(file, place, file.text(part), node);
      file.bind(place, file.text(part), part, { value: { kind: 'index', object: value, at } });
    }
  } else if (name) {
    if (isLocal) noteConstness(file, place, file.text(name), node);
    const whole = isLocal ? file.text(name) : namespaceOf(file, place) + plainName(file, name);
    file.bind(isLocal ? place : file.top, whole, name, known ? { type: known } : { value });
  }
}

/** `Foo x(1);` and `Foo x{1};` call the constructor. */
function made(file: SourceFile, node: Node | null, type: TypeExpr, declarator: Node, place: Place) {
  if (!node) return unknown;
  if (node.type !== 'argument_list' && node.type !== 'initializer_list') return file.read(node, place);
  if (type.kind !== 'reference') return file.read(node, place);
  return file.call(
    place,
    declarator,
    { kind: 'name', name: type.name, scope: type.scope, isType: true },
    partsOf(node),
    { isNew: true },
  );
}

/** A local object without arguments is constructed, too; a pointer or reference is none. */
function construct(file: SourceFile, type: TypeExpr, declarator: Node, place: Place): void {
  if (
    type.kind !== 'reference' ||
    place.definition < 0 ||
    declarator.type !== 'identifier' ||
    file.facts.language !== 'cpp'
  )
    return;
  file.call(place, declarator, { kind: 'name', name: type.name, scope: type.scope, isType: true }, [], { isNew: true });
}

import type { Definition, Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { defaultsOf, expression, operand } from './expressions.ts';
import { bindParameters, readParameters } from './parameters.ts';
import { decoratorName, docOf, lineOf, oneLine } from './syntax.ts';
import { annotationOf, typeParameters } from './types.ts';
import { called } from './values.ts';
import { bind, define, functionFrame, inside, type Walk } from './walk.ts';

/** A function or method; `run` walks its body. */
export function functionDefinition(
  walk: Walk,
  node: Node,
  decorators: readonly Node[],
  run: (body: Node) => void,
): void {
  const name = node.childForFieldName('name');
  const body = node.childForFieldName('body');
  if (!name || !body) return;
  const { frame } = walk;
  const index = walk.facts.definitions.length;
  const marks = decorators.map(decoratorName);
  const list = node.childForFieldName('parameters');
  const returned = node.childForFieldName('return_type');
  const written = readParameters(list);
  const defaults = defaultsOf(walk, written);

  const isMethod = frame.kind === 'class';
  const isClassMethod =
    isMethod && (marks.includes('classmethod') || /^__(new|init_subclass|class_getitem)__$/.test(name.text));
  const isStatic = isClassMethod || (isMethod && marks.includes('staticmethod'));
  const scope = walk.addScope(isMethod ? frame.flow.root : frame.flow.closure(), index);
  const definition = define(walk, {
    kind: !isMethod ? 'function' : name.text === '__init__' ? 'constructor' : 'method',
    name: name.text,
    line: lineOf(name),
    endLine: node.endPosition.row + 1,
    scope,
    isStatic,
    isAbstract: marks.includes('overload'),
    isProperty: marks.some((mark) => mark.endsWith('property')),
    isAsync: node.children[0]?.type === 'async',
    signature: oneLine(`${name.text}${list?.text ?? '()'}${returned ? ` -> ${returned.text}` : ''}`),
    doc: docOf(body),
  });

  // A property's setter and deleter carry its name, but the name still means the property.
  if (!marks.some((mark) => /\.(setter|deleter)$/.test(mark))) {
    if (isMethod) walk.addMember(frame.owner, name.text, { definition: index, isStatic });
    bind(walk, name.text, { definition: index }, lineOf(name));
  }

  const [first] = written;
  const hasSelf = isMethod && first?.star === '' && (!isStatic || isClassMethod);
  const self = hasSelf ? { name: first.name, class: frame.owner, isClass: isClassMethod } : null;
  inside(walk, { kind: 'function', function: index, owner: index, self, scope }, () => {
    const receiver: Expr = { kind: 'self', definition: index };
    if (self) bind(walk, self.name, { value: receiver }, lineOf(name));
    const parameters = self ? written.slice(1) : written;
    definition.parameters = bindParameters(walk, parameters, defaults, index, frame.flow.current);
    const { type, names } = annotationOf(walk, returned);
    const mentioned = written.flatMap(({ annotation }) => annotationOf(walk, annotation).names);
    definition.typeParameters = typeParameters(walk, node, [...mentioned, ...names]);
    definition.returnType = type;
    if (self && names.some((used) => /(^|\.)Self$/.test(used))) {
      definition.returnType = null;
      definition.returns.push(isClassMethod ? called(receiver) : receiver);
    }
    run(body);
  });
}

/** A class; `run` walks its body. */
export function classDefinition(walk: Walk, node: Node, run: (body: Node) => void): void {
  const name = node.childForFieldName('name');
  const body = node.childForFieldName('body');
  if (!name || !body) return;
  const { frame } = walk;
  const index = walk.facts.definitions.length;
  const scope = walk.addScope(functionFrame(frame).flow.closure(), index);
  const superclasses = node.childForFieldName('superclasses');
  const definition = define(walk, {
    kind: 'class',
    name: name.text,
    line: lineOf(name),
    endLine: node.endPosition.row + 1,
    scope,
    signature: oneLine(`${name.text}${superclasses?.text ?? ''}`),
    doc: docOf(body),
  });
  if (frame.kind === 'class') walk.addMember(frame.owner, name.text, { definition: index, isStatic: true });
  const bases = (superclasses?.namedChildren ?? []).filter(({ type }) => type !== 'comment');
  // A base is looked up around the class; only what stands in its brackets may be the class's own type parameters.
  const plain = bases.map((base) =>
    base.type === 'subscript' ? null : expression(walk, base.childForFieldName('value') ?? base),
  );
  inside(walk, { kind: 'class', function: frame.function, owner: index, self: null, scope }, () => {
    const mentioned: string[] = [];
    bases.forEach((base, at) => {
      if (base.type === 'keyword_argument') return;
      const expr = plain[at] ?? genericBase(walk, base, mentioned);
      definition.bases.push({ expr, line: lineOf(base), how: expr.kind === 'typed' ? 'subscripts' : 'extends' });
    });
    definition.typeParameters = typeParameters(walk, node, mentioned);
    run(body);
    if (bases.some(({ text }) => /^(?:\w+\.)?NamedTuple$/.test(text))) definition.returnType = fieldsOf(definition);
  });
  bind(walk, name.text, { definition: index }, lineOf(name));
}

/** A named tuple is unpacked into its fields, in their order. */
function fieldsOf({ members }: Definition): TypeExpr {
  return { kind: 'tuple', elements: members.flatMap(({ type }) => type ?? []) };
}

/** `Base[T]`: the base with what its type parameters stand for. */
function genericBase(walk: Walk, node: Node, mentioned: string[]): Expr {
  const { type, names } = annotationOf(walk, node);
  mentioned.push(...names);
  return type ? { kind: 'typed', type } : operand(walk, node.namedChildren[0]);
}

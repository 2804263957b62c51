import type { Node } from 'web-tree-sitter';
import type {
  Base,
  Binding,
  Call,
  Definition,
  Export,
  Expr,
  FileFacts,
  Import,
  Member,
  Parameter,
  Scope,
  TypeExpr,
} from '../../facts/fact.ts';
import { readAnnotation } from './annotation.ts';
import { createFlow } from './flow.ts';
import type { Flow } from './flow.ts';

/** Where the walk stands: the innermost function (lambdas included), what owns new definitions, and the names' flow. */
interface Frame {
  function: number;
  owner: number;
  kind: 'module' | 'class' | 'function';
  flow: Flow;
  /** Names declared `global` or `nonlocal`, and the frame they belong to. */
  elsewhere: Map<string, Frame>;
  outer: Frame | null;
  /** In a method: the name of its first parameter and the class that it fills. */
  self: { name: string; class: number; isClass: boolean } | null;
}

const unknown: Expr = { kind: 'unknown' };

/** Methods that put something into a container, and which argument it is. */
const additions: Readonly<Record<string, number>> = {
  append: 0,
  appendleft: 0,
  add: 0,
  extend: 0,
  insert: 1,
  setdefault: 1,
};
/** Modules whose generic names mean containers in annotations. */
const typingModules = new Set(
  'typing typing_extensions collections collections.abc builtins contextvars queue asyncio weakref functools'.split(
    ' ',
  ),
);
const maxReturns = 12;
const maxElements = 50;

/** Facts of one Python file. */
export function extract(root: Node, source: string, _path: string): FileFacts {
  const definitions: Definition[] = [];
  const scopes: Scope[] = [{ parent: -1, definition: -1, bindings: [] }];
  const imports: Import[] = [];
  const exports: Export[] = [];
  const calls: Call[] = [];
  const own = new Set<string>();
  /** Type variables of the file, by name. */
  const typeVariables = new Map<string, TypeExpr | null>();
  /** What `__all__` lists; null where the file has none. */
  let listed: Set<string> | null = null;

  /** What methods put into the containers that fields hold. */
  const puts: { class: number; name: string; value: Expr }[] = [];

  const moduleFrame: Frame = {
    function: -1,
    owner: -1,
    kind: 'module',
    flow: createFlow(scopes, 0, false),
    elsewhere: new Map(),
    outer: null,
    self: null,
  };
  let frame = moduleFrame;

  // Types ------------------------------------------------------------------------------------------------------------

  const annotationOf = (node: Node | null): { type: TypeExpr | null; names: readonly string[] } =>
    node ? readAnnotation(node.text, frame.flow.current, own) : { type: null, names: [] };

  const named = (name: string): Expr => ({ kind: 'typed', type: { kind: 'reference', name, scope: 0, args: [] } });

  /** An instance of the class that an expression names: `except Error as e`, `isinstance(x, Class)`. */
  const instanceOf = (node: Node): TypeExpr | null => {
    if (node.type === 'tuple') {
      const options = node.namedChildren.map(instanceOf).filter((type) => type !== null);
      return options.length > 0 ? { kind: 'union', options } : null;
    }
    if (node.type === 'parenthesized_expression')
      return node.namedChildren[0] ? instanceOf(node.namedChildren[0]) : null;
    if (node.type === 'binary_operator') return readAnnotation(node.text, frame.flow.current, own).type;
    if (node.type !== 'identifier' && node.type !== 'attribute') return null;
    return readAnnotation(node.text, frame.flow.current, own).type;
  };

  // Names ------------------------------------------------------------------------------------------------------------

  const bind = (name: string, part: Partial<Binding>, line: number): void => {
    const target = frame.elsewhere.get(name) ?? frame;
    target.flow.bind({ name, definition: -1, import: -1, value: null, type: null, ...part, line });
  };

  const isEnum = (owner: number): boolean =>
    definitions[owner]?.bases.some(
      ({ expr }) => (expr.kind === 'name' || expr.kind === 'member') && /^(Int|Str)?(Enum|Flag)$/.test(expr.name),
    ) ?? false;

  const addMember = (classIndex: number, member: Member): void => {
    definitions[classIndex]?.members.push(member);
  };

  /** Gives a target of an assignment its value; `type` is what an annotation says. */
  const assign = (target: Node, value: Expr | null, type: TypeExpr | null = null): void => {
    switch (target.type) {
      case 'identifier': {
        const name = target.text;
        if (frame.kind === 'class' && !frame.elsewhere.has(name)) {
          const constant = !type && isEnum(frame.owner) ? made({ kind: 'definition', definition: frame.owner }) : value;
          addMember(frame.owner, { name, definition: -1, value: constant, type, isStatic: true });
        }
        // A written type outweighs what is assigned; among the bindings of a flow each has just one meaning.
        bind(name, { value: type ? { kind: 'typed', type } : value }, line(target));
        return;
      }
      case 'attribute': {
        const object = target.childForFieldName('object');
        const attribute = target.childForFieldName('attribute');
        if (!object || !attribute) return;
        const self = object.type === 'identifier' ? selfNamed(object.text) : null;
        if (self) {
          addMember(self.class, { name: attribute.text, definition: -1, value, type, isStatic: self.isClass });
        } else {
          expression(object);
        }
        return;
      }
      case 'subscript': {
        const written = expression(target);
        if (value && written.kind === 'index') put(written.object, value);
        return;
      }
      case 'pattern_list':
      case 'tuple_pattern':
      case 'list_pattern':
      case 'tuple':
      case 'list':
      case 'expression_list': {
        let rest = false;
        target.namedChildren.forEach((child, at) => {
          if (child.type === 'list_splat_pattern' || child.type === 'list_splat') {
            rest = true;
            const inner = child.namedChildren[0];
            if (inner) assign(inner, value && { kind: 'array', elements: [{ kind: 'iterate', object: value }] });
            return;
          }
          assign(child, value && part(value, rest ? null : at));
        });
        return;
      }
      case 'parenthesized_expression':
      case 'as_pattern_target':
        if (target.namedChildren[0]) assign(target.namedChildren[0], value, type);
        return;
      default:
        return;
    }
  };

  const part = (value: Expr, at: number | null): Expr => {
    if (at !== null && value.kind === 'tuple') return value.elements[at] ?? unknown;
    return at === null ? { kind: 'index', object: value } : { kind: 'index', object: value, at };
  };

  const selfNamed = (name: string): { class: number; isClass: boolean } | null => {
    for (let at: Frame | null = frame; at; at = at.outer) {
      if (at.kind === 'function' && at.self) return at.self.name === name ? at.self : null;
      if (at.kind === 'class') return null;
    }
    return null;
  };

  // Expressions: each is visited once, so that each call is noted once ------------------------------------------------

  const expressions = (nodes: readonly (Node | null)[]): void => {
    for (const node of nodes) if (node) expression(node);
  };

  const expression = (node: Node): Expr => {
    switch (node.type) {
      case 'identifier':
        return { kind: 'name', name: node.text, scope: frame.flow.current };
      case 'attribute': {
        const object = node.childForFieldName('object');
        const attribute = node.childForFieldName('attribute');
        return object ? { kind: 'member', object: expression(object), name: attribute?.text ?? '' } : unknown;
      }
      case 'call':
        return call(node);
      case 'subscript': {
        const [object, ...rest] = node.namedChildren;
        if (!object) return unknown;
        const value = expression(object);
        expressions(rest);
        const [key] = rest;
        if (key?.type === 'slice') return value;
        return rest.length === 1 && key?.type === 'integer'
          ? { kind: 'index', object: value, at: Number(key.text) }
          : { kind: 'index', object: value };
      }
      case 'await': {
        const value = node.namedChildren[0];
        return value ? { kind: 'await', value: expression(value) } : unknown;
      }
      case 'parenthesized_expression': {
        const inner = node.namedChildren.find((child) => child.type !== 'comment');
        return inner ? expression(inner) : unknown;
      }
      case 'conditional_expression': {
        const [yes, condition, no] = node.namedChildren.filter((child) => child.type !== 'comment');
        const start = frame.flow.current;
        if (condition) expression(condition);
        if (condition) narrow(condition, true);
        const first = yes ? expression(yes) : unknown;
        frame.flow.current = start;
        if (condition) narrow(condition, false);
        const second = no ? expression(no) : unknown;
        frame.flow.current = start;
        return union([first, second]);
      }
      case 'boolean_operator': {
        const left = node.childForFieldName('left');
        const right = node.childForFieldName('right');
        const first = left ? expression(left) : unknown;
        const start = frame.flow.current;
        const isAnd = node.childForFieldName('operator')?.type === 'and';
        if (left) narrow(left, isAnd);
        const second = right ? expression(right) : unknown;
        frame.flow.current = start;
        return union([first, second]);
      }
      case 'not_operator':
      case 'comparison_operator':
        expressions(node.namedChildren);
        return named('bool');
      case 'string':
      case 'concatenated_string':
        interpolations(node);
        return named(/^[rRfF]*[bB]/.test(source.slice(node.startIndex, node.startIndex + 3)) ? 'bytes' : 'str');
      case 'integer':
        return named('int');
      case 'float':
        return named('float');
      case 'true':
      case 'false':
        return named('bool');
      case 'none':
        return named('None');
      case 'list':
      case 'set':
        return { kind: 'array', elements: elements(node) };
      case 'tuple':
      case 'expression_list':
        return { kind: 'tuple', elements: elements(node) };
      case 'dictionary':
        return dictionary(node);
      case 'list_comprehension':
      case 'set_comprehension':
      case 'generator_expression':
        return { kind: 'array', elements: [comprehension(node)] };
      case 'dictionary_comprehension':
        return comprehension(node);
      case 'lambda':
        return lambda(node);
      case 'named_expression': {
        const name = node.childForFieldName('name');
        const value = node.childForFieldName('value');
        const result = value ? expression(value) : unknown;
        if (name) assign(name, result);
        return result;
      }
      case 'as_pattern': {
        const [value, target] = node.namedChildren;
        const result = value ? expression(value) : unknown;
        if (target) assign(target, result);
        return result;
      }
      case 'list_splat':
      case 'dictionary_splat':
      case 'unary_operator':
        expressions(node.namedChildren);
        return unknown;
      case 'binary_operator': {
        const left = node.childForFieldName('left');
        const right = node.childForFieldName('right');
        const first = left ? expression(left) : unknown;
        if (right) expression(right);
        return isText(first) ? first : unknown;
      }
      case 'yield': {
        const value = node.namedChildren[0];
        const given = value ? expression(value) : unknown;
        const definition = definitions[frame.function];
        if (definition && frame.kind === 'function') {
          definition.isGenerator = true;
          const many = node.children.some((child) => child?.type === 'from');
          addReturn(definition, many ? { kind: 'iterate', object: given } : given);
        }
        return unknown;
      }
      case 'comment':
        return unknown;
      default:
        expressions(node.namedChildren);
        return unknown;
    }
  };

  const elements = (node: Node): Expr[] => {
    const all: Expr[] = [];
    for (const child of node.namedChildren) {
      if (child.type === 'comment') continue;
      const value = expression(child.type === 'list_splat' && child.namedChildren[0] ? child.namedChildren[0] : child);
      all.push(child.type === 'list_splat' ? { kind: 'iterate', object: value } : value);
    }
    return all.slice(0, maxElements);
  };

  const interpolations = (node: Node): void => {
    for (const child of node.namedChildren) {
      if (child.type === 'interpolation') expressions(child.namedChildren);
      else if (child.type === 'string') interpolations(child);
    }
  };

  const dictionary = (node: Node): Expr => {
    const values: Expr[] = [];
    for (const pair of node.namedChildren) {
      if (pair.type !== 'pair') {
        expressions(pair.namedChildren);
        continue;
      }
      const key = pair.childForFieldName('key');
      const value = pair.childForFieldName('value');
      if (key) expression(key);
      if (value) values.push(expression(value));
    }
    return mapOf(values);
  };

  const comprehension = (node: Node): Expr => {
    const outer = frame.flow.current;
    frame.flow.current = scopes.push({ parent: outer, definition: -1, bindings: [] }) - 1;
    let body: Node | null = null;
    for (const child of node.namedChildren) {
      if (child.type === 'for_in_clause') {
        const left = child.childForFieldName('left');
        const right = child.childForFieldName('right');
        const values = right ? expression(right) : unknown;
        if (left) targets(left, { kind: 'iterate', object: values });
      } else if (child.type === 'if_clause') {
        const condition = child.namedChildren[0];
        if (condition) {
          expression(condition);
          narrow(condition, true);
        }
      } else if (child.type !== 'comment') body ??= child;
    }
    let result: Expr = unknown;
    if (body?.type === 'pair') {
      const [key, value] = [body.childForFieldName('key'), body.childForFieldName('value')];
      if (key) expression(key);
      result = mapOf(value ? [expression(value)] : []);
    } else if (body) result = expression(body);
    frame.flow.current = outer;
    return result;
  };

  /** Names of a comprehension live in its own scope only. */
  const targets = (target: Node, value: Expr): void => {
    if (target.type === 'identifier') {
      scopes[frame.flow.current]?.bindings.push({
        name: target.text,
        definition: -1,
        import: -1,
        value,
        type: null,
        line: line(target),
      });
      return;
    }
    target.namedChildren.forEach((child, at) => targets(child, part(value, at)));
  };

  const call = (node: Node): Expr => {
    const callee = node.childForFieldName('function');
    const list = node.childForFieldName('arguments');
    if (!callee) return unknown;
    const target = expression(callee);
    const args: Expr[] = [];
    const nodes: Node[] = [];
    const byName: NonNullable<Call['named']> = [];
    if (list?.type === 'generator_expression') args.push(expression(list));
    else
      for (const child of list?.namedChildren ?? []) {
        if (child.type === 'comment') continue;
        if (child.type === 'keyword_argument') {
          const value = child.childForFieldName('value');
          if (value) byName.push({ name: child.childForFieldName('name')?.text ?? '', value: expression(value) });
        } else {
          nodes.push(child);
          args.push(expression(child));
        }
      }
    const special = builtin(target, args, nodes);
    if (special) return special;
    if (target.kind === 'member') {
      const added = additions[target.name];
      const value = args[added ?? 0];
      if (added !== undefined && value)
        put(target.object, target.name === 'extend' ? { kind: 'iterate', object: value } : value);
    }
    const call =
      calls.push({
        callee: target,
        args,
        ...(byName.length > 0 ? { named: byName } : {}),
        isNew: false,
        caller: frame.function,
        scope: frame.flow.current,
        line: line(callee.type === 'attribute' ? (callee.childForFieldName('attribute') ?? callee) : callee),
      }) - 1;
    return { kind: 'result', call };
  };

  /** Calls of the language's own functions whose value only the arguments tell. */
  const builtin = (callee: Expr, args: readonly Expr[], nodes: readonly Node[]): Expr | null => {
    const name = callee.kind === 'name' || callee.kind === 'member' ? callee.name : '';
    if (own.has(name)) return null;
    const [first, second] = args;
    const [firstNode, secondNode] = nodes;
    if (name === 'cast' && firstNode && second) {
      const text = firstNode.type === 'string' ? firstNode.text : firstNode.text;
      const { type } = readAnnotation(text, frame.flow.current, own);
      return type ? { kind: 'typed', type } : second;
    }
    if (name === 'partial' && first) return first;
    if (['deque', 'OrderedDict', 'defaultdict'].includes(name) && (args.length === 0 || name === 'defaultdict'))
      return name === 'deque' ? { kind: 'array', elements: [] } : mapOf(args[0] ? [{ ...made(args[0]) }] : []);
    if (callee.kind !== 'name') return null;
    switch (name) {
      case 'super':
        return { kind: 'super', definition: methodAround() };
      case 'getattr': {
        const attribute = secondNode?.type === 'string' && /^["'](\w+)["']$/.exec(secondNode.text)?.[1];
        if (!first || !attribute) return null;
        const member: Expr = { kind: 'member', object: first, name: attribute };
        return args[2] ? union([member, args[2]]) : member;
      }
      case 'type':
        return first && args.length === 1 ? { kind: 'member', object: first, name: '__class__' } : null;
      case 'list':
      case 'set':
        return first ? null : { kind: 'array', elements: [] };
      case 'dict':
        return first ? null : mapOf([]);
      case 'next':
      case 'iter':
        return first
          ? { kind: 'call', callee: { kind: 'member', object: first, name: `__${name}__` }, args: [], isNew: false }
          : null;
      case 'staticmethod':
      case 'classmethod':
        return first ?? null;
      case 'property':
        return first ? made(first) : null;
      case 'enumerate':
        return first
          ? {
              kind: 'array',
              elements: [{ kind: 'tuple', elements: [named('int'), { kind: 'iterate', object: first }] }],
            }
          : null;
      case 'zip':
        return {
          kind: 'array',
          elements: [{ kind: 'tuple', elements: args.map((object) => ({ kind: 'iterate', object })) }],
        };
      default:
        return null;
    }
  };

  /** What is put into a container that was written in place: `xs = []` … `xs.append(x)`. */
  const put = (container: Expr, value: Expr): void => {
    if (container.kind === 'name') {
      for (let at: Frame | null = frame; at; at = at.outer) {
        const bindings = at.flow.find(container.name);
        for (const { value: held } of bindings) if (held) fill(held, value);
        if (bindings.length > 0) return;
      }
    } else if (container.kind === 'member' && container.object.kind === 'name') {
      const self = selfNamed(container.object.name);
      if (self) puts.push({ class: self.class, name: container.name, value });
    } else if (container.kind === 'index' && container.object.kind === 'name') {
      for (const { value: held } of frame.flow.find(container.object.name))
        if (held?.kind === 'map') for (const inner of held.values) fill(inner, value);
    }
  };

  const methodAround = (): number => {
    for (let at: Frame | null = frame; at; at = at.outer) if (at.self) return at.function;
    return frame.function;
  };

  // Narrowing --------------------------------------------------------------------------------------------------------

  /** What a condition that is true (or false) tells of names: `isinstance(x, A)`, `not …`, `… and …`. */
  const narrow = (node: Node, holds: boolean): void => {
    for (const { name, type } of told(node, holds))
      frame.flow.narrow({
        name,
        definition: -1,
        import: -1,
        value: { kind: 'typed', type },
        type: null,
        line: line(node),
      });
  };

  const told = (node: Node, holds: boolean): { name: string; type: TypeExpr }[] => {
    switch (node.type) {
      case 'parenthesized_expression':
        return node.namedChildren[0] ? told(node.namedChildren[0], holds) : [];
      case 'not_operator':
        return node.namedChildren[0] ? told(node.namedChildren[0], !holds) : [];
      case 'boolean_operator': {
        const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
        if (!left || !right) return [];
        const [first, second] = [told(left, holds), told(right, holds)];
        if ((node.childForFieldName('operator')?.type === 'and') === holds) return [...first, ...second];
        // One of both: known only where both speak of the same name.
        return first.flatMap(({ name, type }) => {
          const other = second.find((one) => one.name === name);
          return other ? [{ name, type: { kind: 'union', options: [type, other.type] } }] : [];
        });
      }
      case 'call': {
        if (!holds || node.childForFieldName('function')?.text !== 'isinstance') return [];
        const [subject, classes] = node.childForFieldName('arguments')?.namedChildren ?? [];
        const type = subject?.type === 'identifier' && classes ? instanceOf(classes) : null;
        return subject && type ? [{ name: subject.text, type }] : [];
      }
      default:
        return [];
    }
  };

  // Definitions ------------------------------------------------------------------------------------------------------

  const lambda = (node: Node): Expr => {
    const index = definitions.length;
    const scope = scopes.push({ parent: frame.flow.current, definition: index, bindings: [] }) - 1;
    const definition = emptyDefinition('function', '', node, frame.owner, scope, nameInside('<lambda>'));
    definitions.push(definition);
    const inner = enter(index, scope, 'function', null);
    inner.owner = frame.owner;
    const parameterList = node.childForFieldName('parameters');
    const parameters = parameterList ? readParameters(parameterList) : [];
    inside(inner, () => {
      definition.parameters = bindParameters(parameters, index, null);
      const body = node.childForFieldName('body');
      if (body) definition.returns.push(expression(body));
    });
    return { kind: 'definition', definition: index };
  };

  interface RawParameter {
    name: string;
    annotation: Node | null;
    default: Node | null;
    star: '' | '*' | '**';
    line: number;
  }

  const readParameters = (list: Node): RawParameter[] => {
    const all: RawParameter[] = [];
    for (const node of list.namedChildren) {
      const name = parameterName(node);
      if (!name) continue;
      const inner = node.type === 'typed_parameter' ? node.namedChildren[0] : node;
      all.push({
        name: name.text,
        annotation: node.type.startsWith('typed') ? node.childForFieldName('type') : null,
        default: node.type.endsWith('default_parameter') ? node.childForFieldName('value') : null,
        star: inner?.type === 'list_splat_pattern' ? '*' : inner?.type === 'dictionary_splat_pattern' ? '**' : '',
        line: line(name),
      });
    }
    return all;
  };

  /** Parameters as facts, bound in the scope of the function's frame, which is the current one; the receiver is none of them. */
  const bindParameters = (
    raw: readonly (RawParameter & { value?: Expr | null })[],
    index: number,
    self: string | null,
  ): Parameter[] => {
    if (self !== null) {
      const line = raw[0]?.line ?? 0;
      bind(self, { value: { kind: 'self', definition: index } }, line);
    }
    return raw.slice(self === null ? 0 : 1).map((parameter, at) => {
      const annotated = annotationOf(parameter.annotation).type;
      const type: TypeExpr | null =
        parameter.star === '**'
          ? { kind: 'map', key: { kind: 'unknown' }, value: annotated ?? { kind: 'unknown' } }
          : parameter.star === '*' && annotated
            ? { kind: 'array', element: annotated }
            : annotated;
      const passed: Expr = { kind: 'parameter', function: { kind: 'definition', definition: index }, index: at };
      const value: Expr =
        parameter.star === '*'
          ? { kind: 'array', elements: [passed] }
          : parameter.value
            ? union([parameter.value, passed])
            : passed;
      bind(parameter.name, type ? { type } : { value }, parameter.line);
      return {
        name: parameter.name,
        type,
        default: parameter.value ?? null,
        rest: parameter.star === '*',
        optional: parameter.default !== null || parameter.star !== '',
      };
    });
  };

  const functionDefinition = (node: Node, decorators: readonly Node[], body: Node): void => {
    const name = node.childForFieldName('name');
    if (!name) return;
    const index = definitions.length;
    const isMethod = frame.kind === 'class';
    const marks = decorators.map((decorator) => decoratorName(decorator));
    const parameterList = node.childForFieldName('parameters');
    const raw: (RawParameter & { value?: Expr | null })[] = parameterList ? readParameters(parameterList) : [];
    // Defaults are evaluated around the function, not in it.
    for (const parameter of raw) parameter.value = parameter.default ? expression(parameter.default) : null;

    const outer = functionFrame(frame);
    const scope = scopes.push({ parent: outer.flow.closure(), definition: index, bindings: [] }) - 1;
    const isStaticMethod = marks.includes('staticmethod') || (isMethod && name.text === '__new__');
    const isClassMethod =
      isMethod && (marks.includes('classmethod') || /^__(new|init_subclass|class_getitem)__$/.test(name.text));
    const kind = !isMethod ? 'function' : name.text === '__init__' ? 'constructor' : 'method';
    const definition = emptyDefinition(kind, name.text, name, frame.owner, scope, nameInside(name.text));
    definitions.push(definition);
    definition.endLine = node.endPosition.row + 1;
    definition.isStatic = isMethod && (isStaticMethod || isClassMethod);
    definition.isAbstract = marks.includes('overload');
    definition.isProperty = marks.some((mark) => mark.endsWith('property'));
    definition.isAsync = node.children[0]?.type === 'async';
    definition.exported = isExported(name.text);
    const returnNode = node.childForFieldName('return_type');
    definition.signature = oneLine(
      `${name.text}${parameterList?.text ?? '()'}${returnNode ? ` -> ${returnNode.text}` : ''}`,
    );
    definition.doc = docOf(body);

    // A property's setter and deleter carry its name, but the name still means the property.
    const isAccessor = marks.some((mark) => /\.(setter|deleter)$/.test(mark));
    if (!isAccessor) {
      if (isMethod)
        addMember(frame.owner, {
          name: name.text,
          definition: index,
          value: null,
          type: null,
          isStatic: definition.isStatic,
        });
      bind(name.text, { definition: index }, line(name));
    }

    const first = raw[0];
    const hasSelf = isMethod && first !== undefined && first.star === '' && (!isStaticMethod || isClassMethod);
    const self = hasSelf ? { name: first.name, class: frame.owner, isClass: isClassMethod } : null;
    const inner = enter(index, scope, 'function', self);
    inside(inner, () => {
      definition.parameters = bindParameters(raw, index, self?.name ?? null);
      const mentioned = new Set(raw.flatMap((parameter) => annotationOf(parameter.annotation).names));
      const returned = annotationOf(returnNode);
      for (const used of returned.names) mentioned.add(used);
      definition.typeParameters = typeParameters(node, mentioned);
      definition.returnType = returned.type;
      if (returned.names.some((used) => /(^|\.)Self$/.test(used)) && self) {
        definition.returnType = null;
        const instance: Expr = { kind: 'self', definition: index };
        definition.returns = [isClassMethod ? { kind: 'call', callee: instance, args: [], isNew: false } : instance];
      }
      block(body);
    });
    if (definition.isGenerator) definition.returns = definition.returns.filter((value) => value.kind !== 'unknown');
  };

  const classDefinition = (node: Node, body: Node): void => {
    const name = node.childForFieldName('name');
    if (!name) return;
    const index = definitions.length;
    const scope = scopes.push({ parent: frame.flow.current, definition: index, bindings: [] }) - 1;
    const definition = emptyDefinition('class', name.text, name, frame.owner, scope, nameInside(name.text));
    definitions.push(definition);
    definition.endLine = node.endPosition.row + 1;
    definition.exported = isExported(name.text);
    const superclasses = node.childForFieldName('superclasses');
    definition.signature = oneLine(`${name.text}${superclasses?.text ?? ''}`);
    definition.doc = docOf(body);
    const mentioned = new Set<string>();
    for (const base of superclasses?.namedChildren ?? []) {
      if (base.type === 'keyword_argument') {
        const value = base.childForFieldName('value');
        if (value) expression(value);
        continue;
      }
      if (base.type === 'comment') continue;
      if (base.type === 'subscript') {
        for (const used of readAnnotation(base.text, frame.flow.current, own).names) mentioned.add(used);
        const generic = base.childForFieldName('value');
        if (generic) definition.bases.push(baseOf(generic, base));
      } else definition.bases.push(baseOf(base, base));
    }
    definition.typeParameters = typeParameters(node, mentioned);
    if (frame.kind === 'class')
      addMember(frame.owner, { name: name.text, definition: index, value: null, type: null, isStatic: true });
    bind(name.text, { definition: index }, line(name));
    const inner: Frame = { ...frame, owner: index, kind: 'class', elsewhere: new Map(), outer: frame, self: null };
    inner.flow = createFlow(scopes, scope, false);
    inside(inner, () => block(body));
  };

  const baseOf = (node: Node, at: Node): Base => ({ expr: expression(node), line: line(at), how: 'extends' });

  /** `[T: Bound]` behind the name, and the type variables of the file that the signature mentions. */
  const typeParameters = (node: Node, mentioned: ReadonlySet<string>): Definition['typeParameters'] => {
    const all: Definition['typeParameters'] = [];
    for (const child of node.childForFieldName('type_parameters')?.namedChildren ?? []) {
      const [name, bound] = child.text.split(':', 2);
      if (name)
        all.push({ name: name.trim(), bound: bound ? readAnnotation(bound, frame.flow.current, own).type : null });
    }
    for (const name of mentioned) {
      const bound = typeVariables.get(name);
      if (bound !== undefined) all.push({ name, bound });
    }
    return all;
  };

  const enter = (index: number, scope: number, kind: Frame['kind'], self: Frame['self']): Frame => ({
    function: index,
    owner: index,
    kind,
    flow: createFlow(scopes, scope, true),
    elsewhere: new Map(),
    outer: frame,
    self,
  });

  const inside = (inner: Frame, run: () => void): void => {
    const outer = frame;
    frame = inner;
    run();
    inner.flow.finish();
    frame = outer;
  };

  const nameInside = (name: string): string => {
    const owner = definitions[frame.owner];
    return owner ? `${owner.qualifiedName}.${name}` : name;
  };

  const isExported = (name: string): boolean => {
    const isPublic = !name.startsWith('_') || /^__\w+__$/.test(name);
    if (frame.kind === 'module') return listed ? listed.has(name) : isPublic;
    return frame.kind === 'class' && isPublic && (definitions[frame.owner]?.exported ?? false);
  };

  // Statements: true when what follows is not reached -----------------------------------------------------------------

  /** A parameter or the receiver itself rather than its name, so that it is known to be handed back. */
  const handedBack = (value: Expr): Expr => {
    if (value.kind !== 'name') return value;
    const [held, ...others] = frame.flow.find(value.name);
    const isGiven = held?.value?.kind === 'self' || held?.value?.kind === 'parameter';
    return held?.value && isGiven && others.length === 0 ? held.value : value;
  };

  const block = (node: Node | null): boolean => {
    let leaves = false;
    for (const child of node?.namedChildren ?? []) if (statement(child)) leaves = true;
    return leaves;
  };

  const statement = (node: Node): boolean => {
    switch (node.type) {
      case 'expression_statement':
        for (const child of node.namedChildren) simple(child);
        return false;
      case 'function_definition':
      case 'class_definition':
        define(node, []);
        return false;
      case 'decorated_definition': {
        const decorators = node.namedChildren.filter((child) => child.type === 'decorator');
        const definition = node.childForFieldName('definition');
        for (const decorator of decorators) expressions(decorator.namedChildren);
        if (definition) define(definition, decorators);
        return false;
      }
      case 'return_statement': {
        const value = node.namedChildren.find((child) => child.type !== 'comment');
        const result = value ? expression(value) : null;
        const definition = definitions[frame.function];
        if (result && definition && !definition.isGenerator) addReturn(definition, handedBack(result));
        return true;
      }
      case 'raise_statement':
        expressions(node.namedChildren);
        return true;
      case 'break_statement':
      case 'continue_statement':
        return true;
      case 'if_statement':
        return ifStatement(node);
      case 'for_statement': {
        const left = node.childForFieldName('left');
        const right = node.childForFieldName('right');
        const values = right ? expression(right) : unknown;
        frame.flow.loop(() => {
          if (left) assign(left, { kind: 'iterate', object: values });
          block(node.childForFieldName('body'));
        });
        block(node.childForFieldName('alternative'));
        return false;
      }
      case 'while_statement': {
        const condition = node.childForFieldName('condition');
        frame.flow.loop(() => {
          if (condition) {
            expression(condition);
            narrow(condition, true);
          }
          block(node.childForFieldName('body'));
        });
        block(node.childForFieldName('alternative'));
        return false;
      }
      case 'else_clause':
      case 'finally_clause':
        return block(
          node.childForFieldName('body') ?? node.namedChildren.find((child) => child.type === 'block') ?? null,
        );
      case 'try_statement':
        return tryStatement(node);
      case 'with_statement':
        return withStatement(node);
      case 'match_statement':
        return matchStatement(node);
      case 'import_statement':
      case 'import_from_statement':
        importStatement(node);
        return false;
      case 'global_statement':
        for (const child of node.namedChildren) frame.elsewhere.set(child.text, moduleFrame);
        return false;
      case 'nonlocal_statement':
        for (const child of node.namedChildren) {
          const around = frame.outer && functionFrame(frame.outer);
          if (around) frame.elsewhere.set(child.text, around);
        }
        return false;
      case 'assert_statement': {
        expressions(node.namedChildren);
        const condition = node.namedChildren[0];
        if (condition) narrow(condition, true);
        return false;
      }
      case 'type_alias_statement': {
        const [name, value] = node.namedChildren;
        if (name && value) {
          const { type } = annotationOf(value);
          if (type) bind(name.text, { value: { kind: 'typed', type } }, line(name));
        }
        return false;
      }
      case 'block':
        return block(node);
      case 'comment':
      case 'pass_statement':
      case 'future_import_statement':
        return false;
      default:
        expressions(node.namedChildren);
        return false;
    }
  };

  const simple = (node: Node): void => {
    if (node.type === 'assignment') assignment(node);
    else if (node.type === 'augmented_assignment') {
      const right = node.childForFieldName('right');
      const left = node.childForFieldName('left');
      if (left && left.type !== 'identifier') expression(left);
      if (right) expression(right);
      if (frame.kind === 'module' && left?.text === '__all__') listed = collect(right, listed);
    } else expression(node);
  };

  const assignment = (node: Node): void => {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    const annotation = node.childForFieldName('type');
    if (!left) return;
    const type = annotationOf(annotation).type;
    if (frame.kind === 'module' && left.type === 'identifier' && right) {
      if (left.text === '__all__') listed = collect(right, listed);
      const bound = typeVariable(right);
      if (bound !== undefined) typeVariables.set(left.text, bound);
    }
    if (right?.type === 'assignment') {
      assignment(right);
      const inner = right.childForFieldName('left');
      assign(left, inner ? target(inner) : null, type);
      return;
    }
    const value = right ? expression(right) : null;
    const literal = right?.type === 'lambda' && left.type === 'identifier' && value?.kind === 'definition';
    const definition = literal ? definitions[value.definition] : undefined;
    if (definition && right) {
      definition.name = left.text;
      definition.qualifiedName = nameInside(left.text);
      definition.line = line(left);
      definition.signature = oneLine(`${left.text}(${right.childForFieldName('parameters')?.text ?? ''})`);
      definition.exported = isExported(left.text);
    }
    assign(left, value, type);
  };

  /** What an assigned target holds, read again: `a = b = f()`. */
  const target = (node: Node): Expr => {
    if (node.type === 'identifier') return { kind: 'name', name: node.text, scope: frame.flow.current };
    const object = node.childForFieldName('object');
    const attribute = node.childForFieldName('attribute');
    if (node.type === 'attribute' && object && attribute)
      return { kind: 'member', object: target(object), name: attribute.text };
    return unknown;
  };

  /** Bound of a `TypeVar(…)`; undefined where the expression makes none. */
  const typeVariable = (node: Node): TypeExpr | null | undefined => {
    if (
      node.type !== 'call' ||
      !/(^|\.)(TypeVar|ParamSpec|TypeVarTuple)$/.test(node.childForFieldName('function')?.text ?? '')
    )
      return undefined;
    for (const child of node.childForFieldName('arguments')?.namedChildren ?? [])
      if (child.type === 'keyword_argument' && child.childForFieldName('name')?.text === 'bound')
        return readAnnotation(child.childForFieldName('value')?.text ?? '', 0, own).type;
    return null;
  };

  const ifStatement = (node: Node): boolean => {
    const conditions: Node[] = [];
    const branches: (() => boolean)[] = [];
    const add = (condition: Node | null, body: Node | null): void => {
      const before = [...conditions];
      if (condition) conditions.push(condition);
      branches.push(() => {
        for (const other of before) narrow(other, false);
        if (condition) {
          // The first condition is always evaluated; those behind it are, too, in the state that the ones before left.
          expression(condition);
          narrow(condition, true);
        }
        return block(body);
      });
    };
    add(node.childForFieldName('condition'), node.childForFieldName('consequence'));
    let hasElse = false;
    for (const clause of node.namedChildren) {
      if (clause.type === 'elif_clause')
        add(clause.childForFieldName('condition'), clause.childForFieldName('consequence'));
      else if (clause.type === 'else_clause') {
        hasElse = true;
        add(null, clause.childForFieldName('body'));
      }
    }
    if (!hasElse) add(null, null);
    return frame.flow.branches(branches);
  };

  const tryStatement = (node: Node): boolean => {
    const handlers: (() => boolean)[] = [];
    let otherwise: Node | null = null;
    let last: Node | null = null;
    for (const clause of node.namedChildren) {
      if (clause.type === 'except_clause' || clause.type === 'except_group_clause') handlers.push(() => except(clause));
      else if (clause.type === 'else_clause') otherwise = clause;
      else if (clause.type === 'finally_clause') last = clause;
    }
    const leaves = frame.flow.attempt(() => {
      const left = block(node.childForFieldName('body'));
      return otherwise ? statement(otherwise) || left : left;
    }, handlers);
    return (last ? statement(last) : false) || leaves;
  };

  const except = (clause: Node): boolean => {
    let body: Node | null = null;
    for (const child of clause.namedChildren) {
      if (child.type === 'block') body = child;
      else if (child.type === 'as_pattern') {
        const [caught, name] = child.namedChildren;
        if (caught) expression(caught);
        const type = caught ? instanceOf(caught) : null;
        if (name) assign(name, type ? { kind: 'typed', type } : unknown);
      } else if (child.type !== 'comment') expression(child);
    }
    return block(body);
  };

  const withStatement = (node: Node): boolean => {
    const isAsync = node.children[0]?.type === 'async';
    const items = node.namedChildren.find((child) => child.type === 'with_clause')?.namedChildren ?? [];
    for (const item of items) {
      const value = item.childForFieldName('value');
      if (value?.type !== 'as_pattern') {
        if (value) expression(value);
        continue;
      }
      const [manager, name] = value.namedChildren;
      const entered = manager ? expression(manager) : unknown;
      if (name) assign(name, enterContext(entered, isAsync));
    }
    return block(node.childForFieldName('body'));
  };

  /** What `with` binds: what `__enter__` gives. */
  const enterContext = (manager: Expr, isAsync: boolean): Expr => {
    const callee: Expr = { kind: 'member', object: manager, name: isAsync ? '__aenter__' : '__enter__' };
    const entered: Expr = { kind: 'call', callee, args: [], isNew: false };
    return isAsync ? { kind: 'await', value: entered } : entered;
  };

  const matchStatement = (node: Node): boolean => {
    const subject = node.childForFieldName('subject');
    const value = subject ? expression(subject) : unknown;
    const cases = node.childForFieldName('body')?.namedChildren.filter((child) => child.type === 'case_clause') ?? [];
    const branches = cases.map((clause) => (): boolean => {
      for (const child of clause.namedChildren) if (child.type === 'case_pattern') pattern(child, value, subject);
      const guard = clause.childForFieldName('guard');
      if (guard) expressions(guard.namedChildren);
      return block(clause.childForFieldName('consequence'));
    });
    frame.flow.branches([...branches, () => false]);
    return false;
  };

  /** `case Point() as p`, `case x`: names that a pattern binds. */
  const pattern = (node: Node, value: Expr, subject: Node | null): void => {
    const [inner, name] = node.namedChildren;
    if (!inner) return;
    switch (inner.type) {
      case 'as_pattern': {
        const [matched, alias] = inner.namedChildren;
        const type = matched ? patternClass(matched) : null;
        if (alias) assign(alias, type ? { kind: 'typed', type } : value);
        return;
      }
      case 'class_pattern': {
        const type = patternClass(node);
        if (type && subject?.type === 'identifier')
          frame.flow.narrow({
            name: subject.text,
            definition: -1,
            import: -1,
            value: { kind: 'typed', type },
            type: null,
            line: line(node),
          });
        return;
      }
      case 'dotted_name':
        if (!inner.text.includes('.') && !name) bind(inner.text, { value }, line(inner));
        return;
      default:
        return;
    }
  };

  const patternClass = (node: Node): TypeExpr | null => {
    const inner = node.type === 'case_pattern' ? node.namedChildren[0] : node;
    if (inner?.type !== 'class_pattern') return null;
    const name = inner.namedChildren[0];
    return name ? readAnnotation(name.text, frame.flow.current, own).type : null;
  };

  const importStatement = (node: Node): void => {
    const moduleNode = node.childForFieldName('module_name');
    const module = moduleNode?.text.replace(/\s+/g, '') ?? null;
    const at = line(node);
    const add = (from: string, name: string, local: string): void => {
      const index = imports.push({ module: from, name, local, line: at, typeOnly: false }) - 1;
      if (local === '') return;
      if (!typingModules.has(from)) own.add(local);
      if (frame.kind === 'class')
        addMember(frame.owner, { name: local, definition: -1, value: nameHere(local), type: null, isStatic: true });
      bind(local, { import: index }, at);
    };
    for (const child of node.namedChildren) {
      if (moduleNode && child.id === moduleNode.id) continue;
      if (child.type === 'wildcard_import') {
        add(module ?? '', '**', '');
        continue;
      }
      const name = (child.type === 'aliased_import' ? child.childForFieldName('name') : child)?.text.replace(
        /\s+/g,
        '',
      );
      if (!name || child.type === 'comment') continue;
      const alias = child.type === 'aliased_import' ? child.childForFieldName('alias')?.text : undefined;
      if (module !== null) add(module, name, alias ?? name);
      else if (alias !== undefined) add(name, '*', alias);
      else {
        const [top = name] = name.split('.');
        add(top, '*', top);
        if (top !== name) add(name, '*', '');
      }
    }
  };

  const nameHere = (name: string): Expr => ({ kind: 'name', name, scope: frame.flow.current });

  const define = (node: Node, decorators: readonly Node[]): void => {
    const body = node.childForFieldName('body');
    if (!body) return;
    if (node.type === 'class_definition') classDefinition(node, body);
    else if (node.type === 'function_definition') functionDefinition(node, decorators, body);
  };

  // The file ---------------------------------------------------------------------------------------------------------

  for (const child of root.namedChildren) {
    const inner = child.type === 'decorated_definition' ? child.childForFieldName('definition') : child;
    if (inner?.type.endsWith('_definition')) own.add(inner.childForFieldName('name')?.text ?? '');
    const assigned = child.type === 'expression_statement' ? child.namedChildren[0] : null;
    if (assigned?.type === 'assignment' && assigned.childForFieldName('left')?.text === '__all__')
      listed = collect(assigned.childForFieldName('right'), listed);
  }
  for (const child of root.namedChildren) statement(child);
  for (const { class: owner, name, value } of puts)
    for (const member of definitions[owner]?.members ?? [])
      if (member.name === name && member.value) fill(member.value, value);

  return {
    language: 'python',
    lines: root.endPosition.row + (root.endPosition.column > 0 ? 1 : 0),
    syntaxErrors: root.hasError ? countErrors(root) : 0,
    packageName: null,
    definitions,
    scopes,
    imports,
    exports,
    calls,
  };
}

function emptyDefinition(
  kind: Definition['kind'],
  name: string,
  at: Node,
  owner: number,
  scope: number,
  qualifiedName: string,
): Definition {
  return {
    kind,
    name,
    qualifiedName,
    line: line(at),
    endLine: at.endPosition.row + 1,
    owner,
    scope,
    exported: false,
    isStatic: false,
    isAbstract: false,
    isProperty: false,
    signature: null,
    doc: null,
    bases: [],
    typeParameters: [],
    parameters: [],
    returnType: null,
    returns: [],
    isAsync: false,
    isGenerator: false,
    members: [],
  };
}

function addReturn(definition: Definition, value: Expr): void {
  if (definition.returns.length < maxReturns) definition.returns.push(value);
}

/** The frame whose names functions defined here see: a class's own are hidden from them. */
function functionFrame(frame: Frame): Frame {
  let at = frame;
  while (at.kind === 'class' && at.outer) at = at.outer;
  return at;
}

function parameterName(node: Node): Node | null {
  switch (node.type) {
    case 'identifier':
      return node;
    case 'default_parameter':
    case 'typed_default_parameter':
      return node.childForFieldName('name');
    case 'typed_parameter':
    case 'list_splat_pattern':
    case 'dictionary_splat_pattern':
      return node.namedChildren[0] ? parameterName(node.namedChildren[0]) : null;
    default:
      return null;
  }
}

/** `property`, `x.setter`, `contextmanager`: as written, without the module it comes from unless that is a member's name. */
function decoratorName(node: Node): string {
  const inner = node.namedChildren[0];
  const name = (inner?.type === 'call' ? inner.childForFieldName('function') : inner)?.text ?? '';
  return /\.(setter|deleter|getter)$/.test(name) ? name : name.slice(name.lastIndexOf('.') + 1);
}

/** First paragraph of the docstring. */
function docOf(body: Node): string | null {
  const first = body.namedChildren.find((child) => child.type !== 'comment');
  const text = first?.type === 'expression_statement' ? first.namedChildren[0] : null;
  if (text?.type !== 'string') return null;
  const content = text.namedChildren.find((child) => child.type === 'string_content')?.text ?? '';
  const paragraph = content.trim().split(/\n\s*\n/, 1)[0] ?? '';
  return paragraph === '' ? null : oneLine(paragraph);
}

function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .slice(0, 500);
}

function line(node: Node): number {
  return node.startPosition.row + 1;
}

function union(options: Expr[]): Expr {
  const known = options.filter((option) => option.kind !== 'unknown');
  return known.length > 1 ? { kind: 'union', options: known } : (known[0] ?? unknown);
}

/** Adds to what a container written in place holds. */
function fill(container: Expr, value: Expr): void {
  if (container.kind === 'array' && container.elements.length < maxElements) container.elements.push(value);
  if (container.kind === 'map' && container.values.length < maxElements) container.values.push(value);
}

function made(callee: Expr): Expr {
  return { kind: 'call', callee, args: [], isNew: false };
}

function mapOf(values: Expr[]): Expr {
  return { kind: 'map', values: values.slice(0, maxElements) };
}

function isText(value: Expr): boolean {
  return (
    value.kind === 'typed' &&
    value.type.kind === 'reference' &&
    (value.type.name === 'str' || value.type.name === 'bytes')
  );
}

/** Strings of a list: what `__all__` names. */
function collect(node: Node | null, before: ReadonlySet<string> | null): Set<string> {
  const names = new Set(before);
  for (const match of node?.text.matchAll(/["']([^"'\n]+)["']/g) ?? []) if (match[1]) names.add(match[1]);
  return names;
}

function countErrors(root: Node): number {
  return root.descendantsOfType('ERROR').length || 1;
}

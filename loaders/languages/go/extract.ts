import type { Node } from 'web-tree-sitter';
import type { Base, Definition, Expr, FileFacts, Member, Parameter, TypeExpr } from '../../facts/fact.ts';

/**
 * Where names are looked up while a block is read. Go's names hold from their declaration to the end of the block, so a
 * scope is opened at the first declaration, and another one where a name is declared that was used before. The order at the
 * top of a file says nothing.
 */
interface Frame {
  scope: number;
  /** Its scope was opened for it, and is not that of the block around it. */
  opened: boolean;
  /** Index of the definition around it. */
  owner: number;
  declared: Set<string>;
  used: Set<string>;
}

interface Multiple {
  names: readonly Node[];
  values: readonly Expr[];
  type: TypeExpr | null;
}

function newFrame(scope: number, owner: number, opened: boolean): Frame {
  return { scope, opened, owner, declared: new Set(), used: new Set() };
}

const unknown = { kind: 'unknown' } as const;

/** Types of the standard library that hold values of another type. */
const containers: Readonly<Record<string, (args: readonly TypeExpr[]) => TypeExpr>> = {
  'iter.Seq': ([element = unknown]) => ({ kind: 'array', element }),
  'iter.Seq2': ([key = unknown, value = unknown]) => ({ kind: 'map', key, value }),
  'atomic.Pointer': ([element = unknown]) => ({ kind: 'array', element }),
  'unique.Handle': ([element = unknown]) => ({ kind: 'array', element }),
};

/** What one Go file says by itself. */
export function extractGo(root: Node, source: string, _path: string): FileFacts {
  const facts: FileFacts = {
    language: 'go',
    lines: root.endPosition.row + 1,
    syntaxErrors: 0,
    packageName: null,
    definitions: [],
    scopes: [{ parent: -1, definition: -1, bindings: [] }],
    imports: [],
    exports: [],
    calls: [],
  };
  const { definitions, scopes, imports, calls } = facts;
  const file = newFrame(0, -1, true);

  const text = (node: Node) => source.slice(node.startIndex, node.endIndex);
  const line = (node: Node) => node.startPosition.row + 1;

  function openScope(parent: number, definition: number): number {
    return scopes.push({ parent, definition, bindings: [] }) - 1;
  }

  function block(parent: Frame, read: (frame: Frame) => void): void {
    const frame = newFrame(parent.scope, parent.owner, false);
    read(frame);
    for (const name of frame.used) parent.used.add(name);
  }

  function bind(
    frame: Frame,
    name: string,
    at: number,
    to: { definition?: number; import?: number; value?: Expr; type?: TypeExpr | null },
  ) {
    if (name === '_') return;
    if (frame !== file && (!frame.opened || frame.used.has(name))) {
      frame.scope = openScope(frame.scope, -1);
      frame.opened = true;
    }
    frame.declared.add(name);
    scopes[frame.scope]?.bindings.push({
      name,
      definition: to.definition ?? -1,
      import: to.import ?? -1,
      value: to.value ?? null,
      type: to.type ?? null,
      line: at,
    });
  }

  function define(
    kind: Definition['kind'],
    name: Node | null,
    node: Node,
    frame: Frame,
    more: Partial<Definition> & { container?: string },
  ): number {
    const { container, ...rest } = more;
    const own = name ? text(name) : '';
    const around = container ?? qualifiedNameAround(frame.owner);
    return (
      definitions.push({
        kind,
        name: own,
        qualifiedName: own && around ? `${around}.${own}` : own,
        line: line(name ?? node),
        endLine: node.endPosition.row + 1,
        owner: frame.owner,
        scope: -1,
        exported: frame.owner === -1 && isExported(own) && (container === undefined || isExported(container)),
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
        ...rest,
      }) - 1
    );
  }

  function qualifiedNameAround(owner: number): string {
    for (let at = owner; at !== -1; at = definitions[at]?.owner ?? -1) {
      const around = definitions[at];
      if (around?.name) return around.qualifiedName;
    }
    return '';
  }

  // Declarations

  function readFile(): void {
    forEachDocumented(root, (node, doc) => {
      switch (node.type) {
        case 'package_clause':
          facts.packageName = text(node.namedChildren[0] ?? node);
          break;
        case 'import_declaration':
          for (const spec of node.descendantsOfType('import_spec')) if (spec) readImport(spec);
          break;
        case 'function_declaration':
        case 'method_declaration':
          readFunction(node, doc);
          break;
        default:
          read(node, file, doc);
      }
    });
  }

  function readImport(spec: Node): void {
    const path = spec.childForFieldName('path');
    if (!path) return;
    const module = text(path).slice(1, -1);
    const alias = spec.childForFieldName('name');
    const given = alias ? text(alias) : packageNameOf(module);
    const index =
      imports.push({
        module,
        name: given === '.' ? '**' : '*',
        local: given === '.' || given === '_' ? '' : given,
        line: line(spec),
        typeOnly: false,
      }) - 1;
    if (given !== '.' && given !== '_') bind(file, given, line(spec), { import: index });
  }

  function readFunction(node: Node, doc: string | null): void {
    const name = node.childForFieldName('name');
    const body = node.childForFieldName('body');
    if (!name) return;
    const receiver = node
      .childForFieldName('receiver')
      ?.namedChildren.find((child) => child.type === 'parameter_declaration');
    const receiverType = receiver?.childForFieldName('type');
    const receiverName = receiverType ? nameOfType(receiverType) : null;
    const index = define(receiver ? 'method' : 'function', name, node, file, {
      ...(receiverName ? { container: receiverName } : {}),
      signature: oneLine(source.slice(node.startIndex, body?.startIndex ?? node.endIndex)),
      doc,
    });
    const definition = definitions[index];
    if (!definition) return;
    const frame = newFrame(openScope(0, index), index, true);
    definition.scope = frame.scope;
    definition.typeParameters = typeParameters(node.childForFieldName('type_parameters'), frame);
    if (receiver && receiverType) {
      const type = readType(receiverType, frame);
      const named = receiver.childForFieldName('name');
      // The name of the receiver may be that of its type: `func (app app) run()`.
      definition.receiver = type.kind === 'reference' ? { ...type, scope: file.scope } : type;
      if (type.kind === 'reference') {
        definition.typeParameters = type.args.flatMap((arg) =>
          arg.kind === 'reference' ? [{ name: arg.name, bound: null }] : [],
        );
      }
      if (named) declare(frame, text(named), line(named), definition.receiver);
    } else if (definition.name !== 'init' && definition.name !== '_') {
      bind(file, definition.name, definition.line, { definition: index });
    }
    readSignature(node, definition, frame, definition.typeParameters.length > 0 ? frame : file);
    if (body) readStatements(body, frame);
  }

  /** A parameter or result: it opens no scope of its own. */
  function declare(frame: Frame, name: string, at: number, type: TypeExpr | null): void {
    frame.declared.add(name);
    if (name !== '_')
      scopes[frame.scope]?.bindings.push({ name, definition: -1, import: -1, value: null, type, line: at });
  }

  /** Its types are looked up in `outer`: in `func(table *table.Table)` the type is the package's. */
  function readSignature(node: Node, definition: Definition, frame: Frame, outer: Frame): void {
    const list = node.childForFieldName('parameters');
    const result = node.childForFieldName('result');
    definition.parameters = list ? parameters(list, outer) : [];
    for (const [at, { name, type }] of definition.parameters.entries()) {
      if (name)
        declare(
          frame,
          name,
          definition.line,
          definition.parameters[at]?.rest && type ? { kind: 'array', element: type } : type,
        );
    }
    definition.returnType = resultType(result, outer);
    if (result?.type === 'parameter_list') {
      for (const { name, type } of parameters(result, outer)) if (name) declare(frame, name, definition.line, type);
    }
  }

  function parameters(list: Node, frame: Frame): Parameter[] {
    return list.namedChildren.flatMap((child): Parameter[] => {
      if (child.type !== 'parameter_declaration' && child.type !== 'variadic_parameter_declaration') return [];
      const typeNode = child.childForFieldName('type');
      const type = typeNode ? readType(typeNode, frame) : null;
      const names = child.childrenForFieldName('name').filter((name) => name.type === 'identifier');
      const rest = child.type === 'variadic_parameter_declaration';
      const one = (name: string) => ({ name, type, default: null, rest, optional: false });
      return names.length > 0 ? names.map((name) => one(text(name))) : [one('')];
    });
  }

  function resultType(result: Node | null, frame: Frame): TypeExpr | null {
    if (!result) return null;
    if (result.type !== 'parameter_list') return readType(result, frame);
    const types = parameters(result, frame).map(({ type }) => type ?? unknown);
    return types.length === 1 ? (types[0] ?? null) : types.length === 0 ? null : { kind: 'tuple', elements: types };
  }

  function typeParameters(list: Node | null, frame: Frame): Definition['typeParameters'] {
    return (list?.namedChildren ?? []).flatMap((child) => {
      const bound = child.childForFieldName('type')?.namedChildren[0];
      return child
        .childrenForFieldName('name')
        .filter((name) => name.type === 'identifier')
        .map((name) => ({ name: text(name), bound: bound ? readType(bound, frame) : null }));
    });
  }

  function readTypeSpec(spec: Node, frame: Frame, doc: string | null): void {
    const name = spec.childForFieldName('name');
    const type = spec.childForFieldName('type');
    if (!name || !type) return;
    const generic = spec.childForFieldName('type_parameters');
    const kind = type.type === 'struct_type' ? 'struct' : type.type === 'interface_type' ? 'interface' : 'type';
    const head = kind === 'type' ? text(spec) : `${source.slice(spec.startIndex, type.startIndex)}${kind}`;
    const index = define(kind, name, spec, frame, { signature: oneLine(`type ${head}`), doc });
    const definition = definitions[index];
    if (!definition) return;
    bind(frame, definition.name, definition.line, { definition: index });
    const inner = newFrame(frame.scope, index, false);
    if (generic) {
      inner.scope = definition.scope = openScope(frame.scope, index);
      definition.typeParameters = typeParameters(generic, inner);
    }
    readTypeBody(type, definition, inner);
  }

  function readTypeBody(type: Node, definition: Definition, frame: Frame): void {
    if (type.type === 'struct_type') {
      for (const field of type.namedChildren[0]?.namedChildren ?? []) readField(field, definition, frame);
    } else if (type.type === 'interface_type') {
      forEachDocumented(type, (element, doc) => readInterfaceElement(element, definition, frame, doc));
    } else {
      definition.returnType = readType(type, frame);
    }
  }

  function readField(field: Node, definition: Definition, frame: Frame): void {
    const typeNode = field.childForFieldName('type');
    if (field.type !== 'field_declaration' || !typeNode) return;
    const type = readType(typeNode, frame);
    const member = (name: string): Member => ({ name, definition: -1, value: null, type, isStatic: false });
    const names = field.childrenForFieldName('name');
    definition.members.push(
      ...names.filter((name) => name.type === 'field_identifier').map((name) => member(text(name))),
    );
    if (names.length > 0) return;
    const base = baseOf(typeNode, frame);
    if (base) definition.bases.push(base);
    definition.members.push(member(nameOfType(typeNode)));
  }

  function readInterfaceElement(element: Node, definition: Definition, frame: Frame, doc: string | null): void {
    if (element.type === 'type_elem') {
      const [only, ...others] = element.namedChildren;
      const base = only && others.length === 0 ? baseOf(only, frame) : null;
      if (base) definition.bases.push(base);
      return;
    }
    const name = element.childForFieldName('name');
    if (element.type !== 'method_elem' || !name) return;
    const index = define('method', name, element, frame, {
      isAbstract: true,
      exported: definition.exported && isExported(text(name)),
      signature: oneLine(text(element)),
      doc,
    });
    const method = definitions[index];
    const list = element.childForFieldName('parameters');
    if (!method) return;
    method.parameters = list ? parameters(list, frame) : [];
    method.returnType = resultType(element.childForFieldName('result'), frame);
    definition.members.push({ name: method.name, definition: index, value: null, type: null, isStatic: false });
  }

  function baseOf(node: Node, frame: Frame): Base | null {
    const type = readType(node, frame);
    if (type.kind !== 'reference') return null;
    if (type.args.length > 0) return { expr: { kind: 'typed', type }, line: line(node), how: 'embeds' };
    const [first = '', second] = type.name.split('.');
    const name: Expr = { kind: 'name', name: first, scope: frame.scope };
    return {
      expr: second === undefined ? name : { kind: 'member', object: name, name: second },
      line: line(node),
      how: 'embeds',
    };
  }

  // Types

  function nameOfType(node: Node): string {
    switch (node.type) {
      case 'pointer_type':
      case 'parenthesized_type':
        return nameOfType(node.namedChildren[0] ?? node);
      case 'generic_type':
        return nameOfType(node.childForFieldName('type') ?? node);
      case 'qualified_type':
        return text(node.childForFieldName('name') ?? node);
      default:
        return node.namedChildCount > 0 ? '' : text(node);
    }
  }

  function use(frame: Frame, name: string): void {
    frame.used.add(name);
  }

  function readType(node: Node, frame: Frame): TypeExpr {
    const inner = (field: string): TypeExpr => {
      const child = node.childForFieldName(field);
      return child ? readType(child, frame) : unknown;
    };
    switch (node.type) {
      case 'type_identifier':
      case 'identifier': {
        const name = text(node);
        use(frame, name);
        return { kind: 'reference', name, scope: frame.scope, args: [] };
      }
      case 'qualified_type':
      case 'selector_expression': {
        const name = text(node).replace(/\s/g, '');
        use(frame, name.slice(0, name.indexOf('.')));
        return { kind: 'reference', name, scope: frame.scope, args: [] };
      }
      case 'generic_type': {
        const type = inner('type');
        if (type.kind !== 'reference') return type;
        const args = typeArguments(node.childForFieldName('type_arguments'), frame);
        return containers[type.name]?.(args) ?? { ...type, args };
      }
      case 'pointer_type':
      case 'parenthesized_type':
      case 'type_constraint':
        return node.namedChildren[0] ? readType(node.namedChildren[0], frame) : unknown;
      case 'type_elem': {
        const options = node.namedChildren.map((child) => readType(child, frame));
        return options.length === 1 ? (options[0] ?? unknown) : { kind: 'union', options };
      }
      case 'slice_type':
      case 'array_type':
      case 'implicit_length_array_type':
        return { kind: 'array', element: inner('element') };
      case 'channel_type':
        return { kind: 'array', element: inner('value') };
      case 'map_type':
        return { kind: 'map', key: inner('key'), value: inner('value') };
      case 'function_type': {
        const list = node.childForFieldName('parameters');
        return {
          kind: 'function',
          parameters: list ? parameters(list, frame).map(({ type }) => type) : [],
          returns: resultType(node.childForFieldName('result'), frame),
        };
      }
      case 'struct_type':
      case 'interface_type':
        return inPlace(node, frame);
      default:
        return unknown;
    }
  }

  function inPlace(node: Node, frame: Frame): TypeExpr {
    const body = node.type === 'struct_type' ? node.namedChildren[0] : node;
    if (!body || body.namedChildCount === 0) return unknown;
    const index = define(node.type === 'struct_type' ? 'struct' : 'interface', null, node, frame, {});
    const definition = definitions[index];
    if (definition) readTypeBody(node, definition, { ...frame, owner: index });
    return { kind: 'definition', definition: index };
  }

  function typeArguments(node: Node | null, frame: Frame): TypeExpr[] {
    return (node?.namedChildren ?? []).map((child) => readType(child, frame));
  }

  // Statements

  function readStatements(node: Node, frame: Frame): void {
    for (const child of node.namedChildren) read(child, frame);
  }

  function read(node: Node, frame: Frame, doc: string | null = null): void {
    switch (node.type) {
      case 'comment':
        return;
      case 'statement_list':
      case 'var_spec_list':
        return readStatements(node, frame);
      case 'block':
      case 'expression_case':
      case 'default_case':
      case 'if_statement':
      case 'expression_switch_statement':
      case 'select_statement':
      case 'communication_case':
      case 'for_statement':
        return block(frame, (inner) => readStatements(node, inner));
      case 'type_switch_statement':
        return block(frame, (inner) => readTypeSwitch(node, inner));
      case 'range_clause':
        return readRange(node, frame);
      case 'short_var_declaration':
      case 'receive_statement':
        return readShortDeclaration(node, frame);
      case 'var_spec':
        readVariables(node, frame, null);
        return;
      case 'type_declaration':
        return forEachDocumented(node, (spec, own) => readTypeSpec(spec, frame, own ?? doc));
      case 'const_declaration':
        return readConstants(node, frame);
      case 'var_declaration':
      case 'expression_statement':
      case 'labeled_statement':
      case 'expression_list':
      case 'assignment_statement':
      case 'return_statement':
      case 'go_statement':
      case 'defer_statement':
      case 'send_statement':
      case 'inc_statement':
      case 'dec_statement':
      case 'for_clause':
      case 'ERROR':
        return readStatements(node, frame);
      default:
        expr(node, frame);
    }
  }

  /** Values of the right side before the names of the left one are declared: `c := c.clone()` reads the outer `c`. */
  function readShortDeclaration(node: Node, frame: Frame): void {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    const values = right ? expressions(right, frame) : [];
    if (!left) return;
    const isDeclaration =
      node.type === 'short_var_declaration' || source.slice(left.endIndex, right?.startIndex).includes(':=');
    if (!isDeclaration) return readStatements(left, frame);
    const names = left.namedChildren.filter(({ type }) => type !== 'comment');
    declareAll({ names, values, type: null }, frame, true);
  }

  /** A constant without a value repeats the one before it, also its type: `const (Red Color = iota; Green)`. */
  function readConstants(node: Node, frame: Frame): void {
    let type: TypeExpr | null = null;
    for (const spec of node.namedChildren) if (spec.type === 'const_spec') type = readVariables(spec, frame, type);
  }

  function readVariables(node: Node, frame: Frame, inherited: TypeExpr | null): TypeExpr | null {
    const typeNode = node.childForFieldName('type');
    const value = node.childForFieldName('value');
    const type = typeNode ? readType(typeNode, frame) : value ? null : inherited;
    const values = value ? expressions(value, frame) : [];
    const names = node.childrenForFieldName('name').filter((name) => name.type === 'identifier');
    declareAll({ names, values, type }, frame, false);
    return type;
  }

  function declareAll({ names, values, type }: Multiple, frame: Frame, keepDeclared: boolean): void {
    const fresh = names.map((name) => !(keepDeclared && frame.declared.has(text(name))));
    for (const [at, name] of names.entries()) {
      if (!fresh[at]) continue;
      const value = values.length === names.length ? values[at] : part(values[0], at);
      bind(frame, text(name), line(name), { ...(value ? { value } : {}), type });
    }
  }

  /** One of several values that one expression gives; the second of `v, ok := …` is no more than a boolean. */
  function part(value: Expr | undefined, at: number): Expr | undefined {
    if (!value) return undefined;
    if (value.kind === 'result') return { kind: 'index', object: value, at };
    return at === 0 ? value : unknown;
  }

  function readRange(node: Node, frame: Frame): void {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    const object = right ? expr(right, frame) : unknown;
    if (!left) return;
    if (!source.slice(left.endIndex, right?.startIndex).includes(':=')) return readStatements(left, frame);
    const values: Expr[] = [
      { kind: 'iterate', object },
      { kind: 'index', object },
    ];
    const names = left.namedChildren;
    declareAll({ names, values: values.slice(0, names.length), type: null }, frame, false);
  }

  function readTypeSwitch(node: Node, frame: Frame): void {
    const alias = node.childForFieldName('alias')?.namedChildren[0];
    const initializer = node.childForFieldName('initializer');
    if (initializer) read(initializer, frame);
    const valueNode = node.childForFieldName('value');
    const value = valueNode ? expr(valueNode, frame) : unknown;
    for (const child of node.namedChildren) {
      if (child.type !== 'type_case' && child.type !== 'default_case') continue;
      block(frame, (inner) => {
        const types = child.childrenForFieldName('type').filter((type) => type.isNamed);
        const only = types.length === 1 && types[0] && text(types[0]) !== 'nil' ? readType(types[0], inner) : null;
        if (alias) bind(inner, text(alias), line(alias), only ? { type: only } : { value });
        for (const statement of child.namedChildren)
          if (statement.type === 'statement_list') readStatements(statement, inner);
      });
    }
  }

  // Expressions

  function expressions(list: Node, frame: Frame): Expr[] {
    const nodes =
      list.type === 'expression_list' ? list.namedChildren.filter(({ type }) => type !== 'comment') : [list];
    return nodes.map((node) => expr(node, frame));
  }

  function expr(node: Node, frame: Frame): Expr {
    const field = (name: string): Expr => {
      const child = node.childForFieldName(name);
      return child ? expr(child, frame) : unknown;
    };
    const typed = (name: string): Expr => {
      const child = node.childForFieldName(name);
      return child ? { kind: 'typed', type: readType(child, frame) } : unknown;
    };
    switch (node.type) {
      case 'identifier':
        use(frame, text(node));
        return { kind: 'name', name: text(node), scope: frame.scope };
      case 'selector_expression':
        return { kind: 'member', object: field('operand'), name: text(node.childForFieldName('field') ?? node) };
      case 'parenthesized_expression':
        return node.namedChildren[0] ? expr(node.namedChildren[0], frame) : unknown;
      case 'unary_expression': {
        const operand = field('operand');
        return source.startsWith('<-', node.startIndex) ? { kind: 'index', object: operand } : operand;
      }
      case 'binary_expression': {
        const left = field('left');
        const right = field('right');
        return /[=<>]$|^[<>]|&&|\|\|/.test(operator(node)) ? unknown : left.kind === 'unknown' ? right : left;
      }
      case 'index_expression': {
        const object = field('operand');
        field('index');
        return { kind: 'index', object };
      }
      case 'slice_expression': {
        const object = field('operand');
        for (const part of ['start', 'end', 'capacity']) field(part);
        return object;
      }
      case 'type_assertion_expression':
        field('operand');
        return typed('type');
      case 'type_conversion_expression':
        return conversion(node, frame);
      case 'type_instantiation_expression':
        return node.namedChildren[0] ? nameExpr(node.namedChildren[0], frame) : unknown;
      case 'composite_literal': {
        const body = node.childForFieldName('body');
        const value = typed('type');
        if (body) literal(body, frame);
        return value;
      }
      case 'literal_value':
        literal(node, frame);
        return unknown;
      case 'func_literal':
        return functionLiteral(node, frame);
      case 'call_expression':
        return call(node, frame);
      case 'slice_type':
      case 'array_type':
      case 'map_type':
      case 'channel_type':
      case 'pointer_type':
      case 'generic_type':
      case 'qualified_type':
      case 'type_identifier':
      case 'struct_type':
      case 'interface_type':
      case 'function_type':
        return { kind: 'typed', type: readType(node, frame) };
      default:
        for (const child of node.namedChildren) read(child, frame);
        return unknown;
    }
  }

  function operator(node: Node): string {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    return left && right ? source.slice(left.endIndex, right.startIndex).trim() : '';
  }

  /** Keys of a literal name fields, or are values of a map or array; a name alone is a field. */
  function literal(body: Node, frame: Frame): void {
    for (const element of body.namedChildren) {
      if (element.type === 'keyed_element') {
        const key = element.childForFieldName('key')?.namedChildren[0];
        const value = element.childForFieldName('value')?.namedChildren[0];
        if (key && key.type !== 'identifier') expr(key, frame);
        if (value) expr(value, frame);
      } else {
        expr(element.type === 'literal_element' ? (element.namedChildren[0] ?? element) : element, frame);
      }
    }
  }

  function functionLiteral(node: Node, outer: Frame): Expr {
    const index = define('function', null, node, outer, {});
    const definition = definitions[index];
    const body = node.childForFieldName('body');
    if (!definition) return unknown;
    const frame = newFrame(openScope(outer.scope, index), index, true);
    definition.scope = frame.scope;
    readSignature(node, definition, frame, outer);
    if (body) readStatements(body, frame);
    for (const name of frame.used) use(outer, name);
    return { kind: 'definition', definition: index };
  }

  function call(node: Node, frame: Frame): Expr {
    const target = node.childForFieldName('function');
    const list = node.childForFieldName('arguments');
    const types = typeArguments(node.childForFieldName('type_arguments'), frame);
    if (!target) return unknown;
    const args = (list?.namedChildren ?? []).flatMap((arg) =>
      arg.type === 'comment'
        ? []
        : [expr(arg.type === 'variadic_argument' ? (arg.namedChildren[0] ?? arg) : arg, frame)],
    );
    const name = target.type === 'identifier' ? text(target) : '';
    if ((name === 'new' || name === 'make') && list?.namedChildren[0]) {
      return { kind: 'typed', type: readType(list.namedChildren[0], frame) };
    }
    const callee = expr(target, frame);
    if (target.type === 'index_expression') types.push(...typeArgumentOf(target, frame));
    return pushCall(node, callee.kind === 'index' ? ofOneType(callee.object) : callee, args, types, frame);
  }

  /** `make[User]()` looks like `handlers[i]()` to the parser. */
  function typeArgumentOf(node: Node, frame: Frame): TypeExpr[] {
    const index = node.childForFieldName('index');
    const inner = index?.type === 'unary_expression' ? index.childForFieldName('operand') : index;
    if (!inner) return [];
    const type = readType(inner, frame);
    return type.kind === 'unknown' ? [] : [type];
  }

  function pushCall(node: Node, callee: Expr, args: Expr[], types: TypeExpr[], frame: Frame): Expr {
    const typed = types.length > 0 ? { types } : {};
    const call = calls.push({
      callee,
      args,
      ...typed,
      isNew: false,
      caller: frame.owner,
      scope: frame.scope,
      line: line(node),
    });
    return { kind: 'result', call: call - 1 };
  }

  /** `T(x)` where the parser sees a type; `max[int](x)` and `handlers[i](x)` look the same to it as `List[int](x)`. */
  function conversion(node: Node, frame: Frame): Expr {
    const type = node.childForFieldName('type');
    const operand = node.childForFieldName('operand');
    const args = operand ? [expr(operand, frame)] : [];
    if (!type) return unknown;
    if (type.type !== 'generic_type') return { kind: 'typed', type: readType(type, frame) };
    const named = type.childForFieldName('type');
    const types = typeArguments(type.childForFieldName('type_arguments'), frame);
    const object = named ? nameExpr(named, frame) : unknown;
    return pushCall(node, ofOneType(object), args, types, frame);
  }

  /** What is called in `make[User](x)` or `handlers[i](x)`: of another package, `errors.AsType[T]`, it is more likely the first. */
  function ofOneType(object: Expr): Expr {
    const { object: owner } = object.kind === 'member' ? object : { object: null };
    const ofPackage = owner?.kind === 'name' && imports.some(({ local }) => local === owner.name);
    return ofPackage ? object : { kind: 'index', object };
  }

  /** A type's name as a value, where the parser took a function for a type. */
  function nameExpr(node: Node, frame: Frame): Expr {
    if (node.type === 'generic_type') return nameExpr(node.childForFieldName('type') ?? node, frame);
    if (node.type === 'qualified_type') {
      const [object = '', name = ''] = text(node).split('.');
      use(frame, object);
      return { kind: 'member', object: { kind: 'name', name: object, scope: frame.scope }, name };
    }
    if (node.type !== 'type_identifier' && node.type !== 'identifier') return expr(node, frame);
    use(frame, text(node));
    return { kind: 'name', name: text(node), scope: frame.scope };
  }

  // Comments

  /** Children that are no comments, each with the first paragraph of the comment right above it. */
  function forEachDocumented(parent: Node, visit: (node: Node, doc: string | null) => void): void {
    let comments: Node[] = [];
    for (const node of parent.namedChildren) {
      if (node.type !== 'comment') {
        const last = comments.at(-1);
        visit(
          node,
          last && last.endPosition.row + 1 === node.startPosition.row ? firstParagraph(comments.map(text)) : null,
        );
        comments = [];
      } else if (comments.at(-1)?.endPosition.row === node.startPosition.row - 1) {
        comments.push(node);
      } else {
        comments = [node];
      }
    }
  }

  readFile();
  return facts;
}

/** The name that a package most likely has, by its path: `gopkg.in/yaml.v3` is `yaml`, `example.com/go-redis/v9` is `redis`. */
export function packageNameOf(path: string): string {
  const parts = path.split('/');
  const last = parts.at(-1) ?? path;
  const named = /^v\d+$/.test(last) && parts.length > 1 ? (parts.at(-2) ?? last) : last;
  return named
    .replace(/\.v\d+$/, '')
    .replace(/^go-|[-.]go$/, '')
    .replace(/[^\p{L}\p{N}_]/gu, '_');
}

function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

function oneLine(code: string): string {
  return code.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/,? \)/g, ')').trim();
}

function firstParagraph(comments: readonly string[]): string | null {
  const lines = comments
    .flatMap((comment) => comment.replace(/^\/\*+|\*+\/$/g, '').split('\n'))
    .filter((line) => !/^\/\/(?:[a-z]+:|nolint|export )/.test(line))
    .map((line) => line.replace(/^\s*(?:\/\/|\*)?\s?/, '').trimEnd());
  const start = lines.findIndex((line) => line !== '');
  if (start === -1) return null;
  const end = lines.findIndex((line, at) => at > start && line === '');
  return lines.slice(start, end === -1 ? lines.length : end).join(' ');
}

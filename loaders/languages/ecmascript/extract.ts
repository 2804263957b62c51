import type { Definition, Expr, FileFacts, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { settleAssignments } from './assignments.ts';
import { Builder, commentOf, docOf, lineOf, literal, type Position, signatureOf, unknownExpr } from './builder.ts';
import { declareTypedefs, type JsdocTypes, jsdocType, jsdocTypes } from './jsdoc.ts';
import {
  isThis,
  memberName,
  methodSignature,
  parametersOf,
  typeExpr,
  typeMembers,
  typeParametersOf,
  type TypePlace,
} from './types.ts';

/** More results or elements than these say nothing new. */
const mostReturns = 8;
const mostElements = 8;
/** Expressions nested deeper than this are data or generated; following them further would exhaust the stack. */
const deepest = 400;

/** The facts of one JavaScript or TypeScript file. */
export function extractEcmascript(language: string, root: Node, source: string): FileFacts {
  const builder = new Builder(language, source);
  const top: Position = { scope: 0, hoist: 0, owner: -1, self: { kind: 'module' }, method: -1 };
  let depth = 0;
  visitAll(root, top);
  settleAssignments(builder);
  return builder.facts(root.endPosition.row + 1);

  // ---- statements

  function visitAll(node: Node, place: Position): void {
    for (const child of node.namedChildren) visit(child, place);
  }

  /** A statement; what is none is an expression whose value nobody takes. */
  function visit(node: Node, place: Position): void {
    switch (node.type) {
      case 'comment':
        if (language === 'javascript' && node.text.includes('@typedef'))
          declareTypedefs(builder, node, typePlace(place));
        return;
      case 'import_statement':
        return importStatement(node, place);
      case 'export_statement':
        return exportStatement(node, place);
      case 'lexical_declaration':
      case 'variable_declaration':
        for (const child of node.namedChildren) {
          if (child.type === 'variable_declarator') {
            declare(
              child,
              node.type === 'variable_declaration' ? { ...place, scope: place.hoist } : place,
              place,
              false,
            );
          }
        }
        return;
      case 'function_declaration':
      case 'generator_function_declaration':
      case 'function_signature':
        functionDeclaration(node, place, false);
        return;
      case 'class_declaration':
      case 'abstract_class_declaration':
        classDefinition(node, node.childForFieldName('name'), null, place, true);
        return;
      case 'interface_declaration':
      case 'type_alias_declaration':
        typeDeclaration(node, place, false);
        return;
      case 'enum_declaration':
        enumDeclaration(node, place, false);
        return;
      case 'internal_module':
      case 'module':
        namespace(node, place, false);
        return;
      case 'ambient_declaration':
        return ambient(node, place);
      case 'return_statement': {
        const [value] = node.namedChildren;
        if (value) returned(value, place, false);
        return;
      }
      case 'statement_block':
      case 'switch_body':
      case 'for_statement':
        return visitAll(node, blockPosition(node, place));
      case 'for_in_statement':
        return forIn(node, place);
      case 'catch_clause': {
        const inner = { ...place, scope: builder.scope(place.scope, -1) };
        const parameter = node.childForFieldName('parameter');
        if (parameter) bindPattern(parameter, unknownExpr, inner, inner);
        const body = node.childForFieldName('body');
        if (body) visitAll(body, inner);
        return;
      }
      case 'if_statement':
        return ifStatement(node, place);
      case 'expression_statement':
      case 'else_clause':
      case 'labeled_statement':
      case 'program':
        return visitAll(node, place);
      default:
        expression(node, place, null);
    }
  }

  /** A block has a scope of its own only where it declares something. */
  function blockPosition(node: Node, place: Position): Position {
    const declares = node.namedChildren.some(
      ({ type }) =>
        type === 'lexical_declaration' ||
        type === 'class_declaration' ||
        type === 'function_declaration' ||
        type === 'switch_case',
    );
    return declares ? { ...place, scope: builder.scope(place.scope, -1) } : place;
  }

  function returned(value: Node, place: Position, always: boolean): void {
    const owner = place.owner >= 0 ? builder.definition(place.owner) : null;
    const expr = expression(value, place, owner?.returnType ? { kind: 'typed', type: owner.returnType } : null);
    if (owner && (always || !owner.isGenerator)) note(owner, expr);
  }

  function note(owner: Definition, expr: Expr): void {
    if (expr.kind !== 'unknown' && expr !== literal && owner.returns.length < mostReturns) owner.returns.push(expr);
  }

  function forIn(node: Node, place: Position): void {
    const inner = { ...place, scope: builder.scope(place.scope, -1) };
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    const object = right ? expression(right, place, null) : unknownExpr;
    const isOf = node.childForFieldName('operator')?.text === 'of';
    const value: Expr = isOf ? { kind: 'iterate', object } : literal;
    const declared = node.childForFieldName('kind');
    if (left && declared)
      bindPattern(left, value, declared.text === 'var' ? { ...inner, scope: place.hoist } : inner, inner);
    else if (left) assignPattern(left, value, place);
    const body = node.childForFieldName('body');
    if (body) visit(body, inner);
  }

  function ifStatement(node: Node, place: Position): void {
    const condition = node.childForFieldName('condition');
    const consequence = node.childForFieldName('consequence');
    const alternative = node.childForFieldName('alternative');
    if (condition) expression(condition, place, null);
    if (consequence) visit(consequence, narrowed(condition, place));
    if (alternative) visit(alternative, place);
  }

  /** Where `x instanceof C` holds `x` is a `C`, and where `isC(x)` does it is what that predicate says. */
  function narrowed(condition: Node | null, place: Position): Position {
    const found = condition ? tests(condition, place) : [];
    if (found.length === 0) return place;
    const scope = builder.scope(place.scope, -1);
    for (const { name, value } of found) builder.bind(scope, name.text, lineOf(name), { value });
    return { ...place, scope };
  }

  function tests(condition: Node, place: Position): { name: Node; value: Expr }[] {
    if (condition.type === 'parenthesized_expression') {
      return condition.namedChildren.flatMap((inner) => tests(inner, place));
    }
    if (condition.type === 'call_expression' && language !== 'javascript') {
      const test = condition.childForFieldName('function');
      const name = condition.childForFieldName('arguments')?.namedChildren[0];
      const callee = test && name?.type === 'identifier' ? plainExpr(test, place) : null;
      if (!callee || !name) return [];
      return [{ name, value: { kind: 'tested', test: callee, value: nameExpr(name.text, place) } }];
    }
    if (condition.type !== 'binary_expression') return [];
    const left = condition.childForFieldName('left');
    const right = condition.childForFieldName('right');
    if (!left || !right) return [];
    const operator = condition.childForFieldName('operator')?.text;
    if (operator === '&&') return [...tests(left, place), ...tests(right, place)];
    const callee = operator === 'instanceof' && left.type === 'identifier' ? plainExpr(right, place) : null;
    return callee ? [{ name: left, value: { kind: 'call', callee, args: [], isNew: true } }] : [];
  }

  /** A name or a chain of names, without walking into it. */
  function plainExpr(node: Node, place: Position): Expr | null {
    if (node.type === 'identifier') return { kind: 'name', name: node.text, scope: place.scope };
    if (node.type !== 'member_expression') return null;
    const object = node.childForFieldName('object');
    const inner = object && plainExpr(object, place);
    return inner ? { kind: 'member', object: inner, name: node.childForFieldName('property')?.text ?? '' } : null;
  }

  // ---- modules

  function importStatement(node: Node, place: Position): void {
    const clause = node.namedChildren.find(({ type }) => type === 'import_clause' || type === 'import_require_clause');
    const from = (node.childForFieldName('source') ?? clause?.childForFieldName('source'))?.text.slice(1, -1);
    if (from === undefined) return;
    const line = lineOf(node);
    const typeOnly = node.children.some(({ type }) => type === 'type');
    if (!clause) {
      builder.import(from, '', '', line);
      return;
    }
    const add = (name: string, local: Node | null | undefined) => {
      if (!local) return;
      const index = builder.import(from, name, local.text, lineOf(local), typeOnly);
      builder.bind(place.scope, local.text, lineOf(local), { import: index });
    };
    if (clause.type === 'import_require_clause') add('*', clause.namedChildren[0]);
    else {
      for (const child of clause.namedChildren) {
        if (child.type === 'identifier') add('default', child);
        else if (child.type === 'namespace_import') add('*', child.namedChildren[0]);
        else if (child.type === 'named_imports') {
          for (const one of child.namedChildren) {
            const name = one.childForFieldName('name');
            if (name) add(unquoted(name), one.childForFieldName('alias') ?? name);
          }
        }
      }
    }
  }

  function unquoted(node: Node): string {
    return node.type === 'string' ? node.text.slice(1, -1) : node.text;
  }

  function exportStatement(node: Node, place: Position): void {
    const line = lineOf(node);
    const from = node.childForFieldName('source')?.text.slice(1, -1) ?? null;
    const isDefault = node.children.some(({ type }) => type === 'default');
    if (from !== null) builder.import(from, '', '', line);
    const declaration = node.childForFieldName('declaration');
    const value = node.childForFieldName('value');
    if (declaration) {
      for (const [name, index] of declared(declaration, place)) {
        if (index >= 0) builder.definition(index).exported = true;
        builder.export(isDefault ? 'default' : name, line, {
          value:
            index >= 0 && isDefault
              ? { kind: 'definition', definition: index }
              : { kind: 'name', name, scope: place.scope },
        });
      }
      return;
    }
    if (value) {
      const expr = expression(value, place, null, { name: 'default', node: value });
      if (expr.kind === 'definition') builder.definition(expr.definition).exported = true;
      builder.export('default', line, { value: expr });
      return;
    }
    if (node.children.some(({ type }) => type === '=')) {
      const [assigned] = node.namedChildren;
      if (assigned) builder.export('=', line, { value: expression(assigned, place, null) });
      return;
    }
    for (const child of node.namedChildren) {
      if (child.type === 'namespace_export') {
        const name = child.namedChildren[0];
        if (name) builder.export(unquoted(name), line, { from, imported: '*' });
      } else if (child.type === 'export_clause') {
        for (const one of child.namedChildren) {
          const name = one.childForFieldName('name');
          if (!name) continue;
          const outside = unquoted(one.childForFieldName('alias') ?? name);
          if (from === null) {
            builder.export(outside, lineOf(one), { value: { kind: 'name', name: unquoted(name), scope: place.scope } });
          } else builder.export(outside, lineOf(one), { from, imported: unquoted(name) });
        }
      }
    }
    if (from !== null && node.children.some(({ type }) => type === '*')) builder.export('*', line, { from });
  }

  /** Declares what stands behind `export`; gives its names with their definitions, -1 for values. */
  function declared(node: Node, place: Position): [string, number][] {
    const name = node.childForFieldName('name')?.text ?? 'default';
    switch (node.type) {
      case 'lexical_declaration':
      case 'variable_declaration':
        return node.namedChildren.flatMap((child) =>
          child.type === 'variable_declarator' ? declare(child, place, place, true) : [],
        );
      case 'function_declaration':
      case 'generator_function_declaration':
      case 'function_signature':
        return [[name, functionDeclaration(node, place, true)]];
      case 'class_declaration':
      case 'abstract_class_declaration':
        return [[name, classDefinition(node, node.childForFieldName('name'), null, place, true)]];
      case 'interface_declaration':
      case 'type_alias_declaration':
        return [[name, typeDeclaration(node, place, true)]];
      case 'enum_declaration':
        return [[name, enumDeclaration(node, place, true)]];
      case 'internal_module':
      case 'module':
        return [[name, namespace(node, place, true)]];
      case 'ambient_declaration':
        return node.namedChildren.flatMap((child) => declared(child, place));
      default:
        visit(node, place);
        return [];
    }
  }

  function ambient(node: Node, place: Position): void {
    for (const child of node.namedChildren) {
      // A block is `declare global`: its names are not this file's.
      if (child.type === 'statement_block') visitAll(child, { ...place, scope: builder.scope(place.scope, -1) });
      else visit(child, place);
    }
  }

  // ---- declarations

  function typePlace(place: Position): TypePlace {
    return { scope: place.scope, owner: place.owner, self: place.self.kind === 'self' ? place.self.definition : -1 };
  }

  /** One declarator; gives its names with their definitions. */
  function declare(node: Node, target: Position, place: Position, exported: boolean): [string, number][] {
    const pattern = node.childForFieldName('name');
    const valueNode = node.childForFieldName('value');
    const typeNode = node.childForFieldName('type');
    if (!pattern) return [];
    const type = typeNode ? typeExpr(builder, typeNode, typePlace(place)) : statedType(node, place);
    const expected: Expr | null = type ? { kind: 'typed', type } : null;
    if (pattern.type !== 'identifier') {
      const value = valueNode ? expression(valueNode, place, expected) : unknownExpr;
      return bindPattern(pattern, type ? { kind: 'typed', type } : value, target, place).map((name) => [name, -1]);
    }
    const name = pattern.text;
    const value = valueNode ? expression(valueNode, place, expected, { name, node: pattern }) : null;
    const line = lineOf(pattern);
    if (value?.kind === 'definition') {
      const definition = builder.definition(value.definition);
      if (definition.kind !== 'object') {
        definition.exported ||= exported;
        builder.bind(target.scope, name, line, { definition: value.definition });
        return [[name, value.definition]];
      }
    }
    if (value?.kind === 'import') {
      const wanted = builder.imports[value.import];
      if (wanted) wanted.local = name;
      builder.bind(target.scope, name, line, { import: value.import });
    } else builder.bind(target.scope, name, line, { value, type: type?.kind === 'unknown' ? null : type });
    return [[name, -1]];
  }

  function functionDeclaration(node: Node, place: Position, exported: boolean): number {
    const name = node.childForFieldName('name');
    const index = defineFunction(node, 'function', name?.text ?? 'default', name ?? node, place, null, null);
    builder.definition(index).exported = exported;
    if (name) builder.bind(place.scope, name.text, lineOf(name), { definition: index });
    return index;
  }

  function typeDeclaration(node: Node, place: Position, exported: boolean): number {
    const name = node.childForFieldName('name') ?? node;
    const isInterface = node.type === 'interface_declaration';
    const index = builder.define(isInterface ? 'interface' : 'type', name.text, node, name, place.owner);
    const definition = builder.definition(index);
    const scope = builder.scope(place.scope, index);
    const inner: TypePlace = { scope, owner: index, self: index };
    builder.bind(place.scope, name.text, lineOf(name), { definition: index });
    const body = node.childForFieldName('body');
    const value = node.childForFieldName('value');
    Object.assign(definition, {
      scope,
      exported,
      signature: signatureOf(source, node, body ?? value),
      doc: docOf(commentOf(node)),
      typeParameters: typeParametersOf(builder, node.childForFieldName('type_parameters'), inner),
    });
    if (body) typeMembers(builder, body, index, inner);
    if (value?.type === 'object_type') typeMembers(builder, value, index, inner);
    else if (value) definition.returnType = typeExpr(builder, value, inner);
    const heritage = node.namedChildren.find(({ type }) => type === 'extends_type_clause' || type === 'extends_clause');
    for (const base of heritage?.namedChildren ?? []) {
      definition.bases.push({
        expr: { kind: 'typed', type: typeExpr(builder, base, inner) },
        line: lineOf(base),
        how: 'extends',
      });
    }
    return index;
  }

  function enumDeclaration(node: Node, place: Position, exported: boolean): number {
    const name = node.childForFieldName('name') ?? node;
    const index = builder.define('enum', name.text, node, name, place.owner);
    Object.assign(builder.definition(index), {
      exported,
      signature: signatureOf(source, node, node.childForFieldName('body')),
      doc: docOf(commentOf(node)),
    });
    builder.bind(place.scope, name.text, lineOf(name), { definition: index });
    const body = node.childForFieldName('body');
    for (const child of body?.namedChildren ?? []) {
      const member = child.childForFieldName('name') ?? child;
      if (member.type === 'comment') continue;
      builder.member(index, memberName(member), { value: literal, isStatic: true });
      const value = child.childForFieldName('value');
      if (value) expression(value, place, null);
    }
    return index;
  }

  /** A namespace is an object whose members are what it exports. */
  function namespace(node: Node, place: Position, exported: boolean): number {
    const name = node.childForFieldName('name') ?? node;
    const body = node.childForFieldName('body');
    let inner = place;
    let outermost = -1;
    for (const part of name.type === 'string' ? [name.text] : name.text.split('.')) {
      const index = builder.define('object', part, node, name, inner.owner);
      Object.assign(builder.definition(index), { exported, doc: docOf(commentOf(node)) });
      if (outermost < 0) {
        outermost = index;
        builder.bind(place.scope, part, lineOf(name), { definition: index });
      } else builder.member(inner.owner, part, { definition: index });
      const scope = builder.scope(inner.scope, index);
      builder.definition(index).scope = scope;
      inner = { ...inner, scope, hoist: scope, owner: index };
    }
    const before = builder.exports.length;
    if (body) visitAll(body, inner);
    // What a namespace exports is its own, not the file's.
    for (const { name: member, value } of builder.exports.splice(before)) {
      if (value) builder.member(inner.owner, member, { value });
    }
    return outermost;
  }

  // ---- functions

  function defineFunction(
    node: Node,
    kind: 'function' | 'method' | 'constructor',
    name: string,
    nameNode: Node,
    place: Position,
    self: Expr | null,
    expected: Expr | null,
  ): number {
    const index = builder.define(kind, name, node, nameNode, place.owner);
    const definition = builder.definition(index);
    const scope = builder.scope(place.scope, index);
    const isArrow = node.type === 'arrow_function';
    const loose: Extract<Expr, { kind: 'self' }> = { kind: 'self', definition: index };
    if (!isArrow && self === null && kind === 'function') builder.selves.push(loose);
    const inContext: Expr | null = expected && { kind: 'parameter', function: expected, index: -1 };
    const own: Expr = isArrow
      ? place.self
      : (self ?? (inContext && kind === 'function' ? either([loose, inContext]) : loose));
    const inner: Position = {
      scope,
      hoist: scope,
      owner: index,
      self: own,
      method: isArrow ? place.method : kind === 'function' ? -1 : index,
    };
    const body = node.childForFieldName('body');
    const types = { ...typePlace(inner), owner: index };
    const parameters = node.childForFieldName('parameters');
    const single = node.childForFieldName('parameter');
    const returnType = node.childForFieldName('return_type');
    Object.assign(definition, {
      scope,
      isAbstract: body === null,
      isAsync: node.children.some(({ type }) => type === 'async'),
      isGenerator: node.type.startsWith('generator') || node.children.some(({ type }) => type === '*'),
      typeParameters: typeParametersOf(builder, node.childForFieldName('type_parameters'), types),
      parameters: single
        ? [{ name: single.text, type: null, default: null, rest: false, optional: false }]
        : parametersOf(builder, parameters, types),
      returnType: returnType ? typeExpr(builder, returnType, types) : null,
    });
    if (name !== '') {
      const comment = commentOf(node);
      Object.assign(definition, { signature: signatureOf(source, node, body), doc: docOf(comment) });
      describe(definition, typesIn(comment), types);
    }
    if (node.type === 'function_expression' || node.type === 'generator_function') {
      const ownName = node.childForFieldName('name');
      if (ownName) builder.bind(scope, ownName.text, lineOf(ownName), { definition: index });
    }
    if (single) {
      builder.bind(scope, single.text, lineOf(single), {
        value: expected ? { kind: 'parameter', function: expected, index: 0 } : null,
      });
    }
    const nodes = (parameters?.namedChildren ?? []).filter(({ type }) => type !== 'comment' && type !== 'decorator');
    const declaredSelf = nodes.find(isThis)?.childForFieldName('type');
    if (declaredSelf) inner.self = { kind: 'typed', type: typeExpr(builder, declaredSelf, types) };
    nodes
      .filter((child) => !isThis(child))
      .forEach((child, place) => bindParameter(child, place, definition, inner, expected));
    if (body?.type === 'statement_block') visitAll(body, inner);
    else if (body) returned(body, inner, true);
    return index;
  }

  /** JavaScript's types are in its doc comments; TypeScript's are not. */
  function typesIn(comment: string | null): JsdocTypes | null {
    return language === 'javascript' ? jsdocTypes(comment) : null;
  }

  function describe(definition: Definition, tags: JsdocTypes | null, types: TypePlace): void {
    if (!tags) return;
    for (const parameter of definition.parameters) {
      const text = tags.parameters.get(parameter.name);
      if (text !== undefined && !parameter.type) parameter.type = described(text, types);
    }
    if (tags.returns !== null) definition.returnType = described(tags.returns, types);
  }

  function described(text: string, types: TypePlace): TypeExpr | null {
    const type = jsdocType(builder, text, types);
    return type.kind === 'unknown' ? null : type;
  }

  /** The `@type` of the statement that a node begins. */
  function statedType(node: Node, place: Position): TypeExpr | null {
    if (language !== 'javascript') return null;
    const text = jsdocTypes(commentOf(node))?.type;
    return text === null || text === undefined ? null : described(text, typePlace(place));
  }

  function bindParameter(
    node: Node,
    index: number,
    definition: Definition,
    inner: Position,
    expected: Expr | null,
  ): void {
    const pattern = node.childForFieldName('pattern') ?? node.childForFieldName('left') ?? node;
    const defaultNode = node.childForFieldName('value') ?? node.childForFieldName('right');
    const parameter = definition.parameters[index];
    for (const child of node.namedChildren) if (child.type === 'decorator') visitAll(child, inner);
    const type = parameter?.type ?? null;
    const initial = defaultNode ? expression(defaultNode, inner, type ? { kind: 'typed', type } : null) : null;
    if (parameter) parameter.default = initial;
    const fromContext: Expr | null = expected ? { kind: 'parameter', function: expected, index } : null;
    const options = [fromContext, initial].filter((one) => one !== null);
    const value: Expr | null = options.length > 1 ? either(options, true) : (options[0] ?? null);
    const known = type && type.kind !== 'unknown' ? type : null;
    if (pattern.type === 'identifier') builder.bind(inner.scope, pattern.text, lineOf(pattern), { type: known, value });
    else if (pattern.type === 'rest_pattern') {
      const name = pattern.namedChildren[0];
      if (name) {
        builder.bind(inner.scope, name.text, lineOf(name), {
          type: known ?? { kind: 'array', element: { kind: 'unknown' } },
        });
      }
    } else bindPattern(pattern, known ? { kind: 'typed', type: known } : (value ?? unknownExpr), inner, inner);
  }

  // ---- patterns

  /** Binds every name of a pattern; gives the names. */
  function bindPattern(pattern: Node, value: Expr, target: Position, place: Position): string[] {
    const names: string[] = [];
    eachName(pattern, value, place, (name, expr) => {
      if (name.type === 'member_expression' || name.type === 'subscript_expression') return;
      names.push(name.text);
      builder.bind(target.scope, name.text, lineOf(name), { value: expr.kind === 'unknown' ? null : expr });
    });
    return names;
  }

  function assignPattern(pattern: Node, value: Expr, place: Position): void {
    eachName(pattern, value, place, (name, expr) => assign(name, expr, place));
  }

  function eachName(pattern: Node, value: Expr, place: Position, found: (name: Node, value: Expr) => void): void {
    switch (pattern.type) {
      case 'object_pattern':
        for (const child of pattern.namedChildren) {
          if (child.type === 'pair_pattern') {
            const key = child.childForFieldName('key');
            const inner = child.childForFieldName('value');
            if (key && inner) eachName(inner, memberExpr(value, memberName(key)), place, found);
          } else if (child.type === 'rest_pattern') {
            const inner = child.namedChildren[0];
            if (inner) eachName(inner, value, place, found);
          } else if (child.type === 'object_assignment_pattern') {
            const left = child.childForFieldName('left');
            const right = child.childForFieldName('right');
            const initial = right ? expression(right, place, null) : unknownExpr;
            if (left) eachName(left, either([memberExpr(value, left.text), initial], true), place, found);
          } else if (child.type === 'shorthand_property_identifier_pattern') {
            found(child, memberExpr(value, child.text));
          }
        }
        return;
      case 'array_pattern': {
        let at = 0;
        for (const child of pattern.children) {
          if (child.type === ',') at++;
          else if (child.type === 'rest_pattern') {
            const inner = child.namedChildren[0];
            if (inner) eachName(inner, value, place, found);
          } else if (child.isNamed && child.type !== 'comment') {
            eachName(child, value.kind === 'unknown' ? value : { kind: 'index', object: value, at }, place, found);
          }
        }
        return;
      }
      case 'assignment_pattern': {
        const left = pattern.childForFieldName('left');
        const right = pattern.childForFieldName('right');
        const initial = right ? expression(right, place, value.kind === 'unknown' ? null : value) : unknownExpr;
        if (left) eachName(left, either([value, initial], true), place, found);
        return;
      }
      case 'identifier':
      case 'shorthand_property_identifier_pattern':
      case 'member_expression':
      case 'subscript_expression':
        found(pattern, value);
        return;
      case 'rest_pattern':
      case 'non_null_expression':
      case 'parenthesized_expression': {
        const inner = pattern.namedChildren[0];
        if (inner) eachName(inner, value, place, found);
        return;
      }
      default:
    }
  }

  function memberExpr(object: Expr, name: string): Expr {
    return object.kind === 'unknown' ? unknownExpr : { kind: 'member', object, name };
  }

  function either(options: Expr[], first = false): Expr {
    const known = options.filter((option) => option.kind !== 'unknown' && option !== literal);
    if (known.length < 2) return known[0] ?? options[0] ?? unknownExpr;
    return first ? { kind: 'union', options: known, first } : { kind: 'union', options: known };
  }

  // ---- expressions

  /** A value; every call in it is noted once. `naming`: what it is assigned to, which names a function or class. */
  function expression(
    node: Node,
    place: Position,
    expected: Expr | null,
    naming: { name: string; node: Node } | null = null,
  ): Expr {
    if (depth >= deepest) return unknownExpr;
    depth++;
    try {
      return expressionOf(node, place, expected, naming);
    } finally {
      depth--;
    }
  }

  function expressionOf(
    node: Node,
    place: Position,
    expected: Expr | null,
    naming: { name: string; node: Node } | null,
  ): Expr {
    switch (node.type) {
      case 'identifier':
      case 'shorthand_property_identifier':
      case 'undefined':
        return nameExpr(node.text, place);
      case 'this':
        return place.self;
      case 'super':
        return place.method >= 0 ? { kind: 'super', definition: place.method } : unknownExpr;
      case 'string':
      case 'number':
      case 'regex':
      case 'true':
      case 'false':
        return literal;
      case 'template_string':
        visitAll(node, place);
        return literal;
      case 'null':
      case 'comment':
        return unknownExpr;
      case 'non_null_expression': {
        const [inner] = node.namedChildren;
        return inner ? expression(bindingTightest(inner, place), place, expected, naming) : unknownExpr;
      }
      case 'parenthesized_expression':
      case 'satisfies_expression': {
        const inner = node.namedChildren.find(({ type }) => type !== 'comment');
        return inner ? expression(inner, place, expected, naming) : unknownExpr;
      }
      case 'as_expression':
      case 'type_assertion':
        return cast(node, place, expected, naming);
      case 'sequence_expression': {
        let last: Expr = unknownExpr;
        for (const child of node.namedChildren) last = expression(child, place, null);
        return last;
      }
      case 'member_expression':
        return memberExpression(node, place);
      case 'subscript_expression':
        return subscript(node, place);
      case 'call_expression':
        return callExpression(node, place, expected);
      case 'new_expression': {
        const callee = node.childForFieldName('constructor');
        if (!callee) return unknownExpr;
        const made = call(node, expression(callee, place, null), true, place, expected);
        return container(callee.text, builder.calls[made.call]?.types ?? []) ?? made;
      }
      case 'await_expression': {
        const [inner] = node.namedChildren;
        const value = inner ? expression(inner, place, expected) : unknownExpr;
        return value.kind === 'unknown' ? value : { kind: 'await', value };
      }
      case 'yield_expression': {
        const [inner] = node.namedChildren;
        const value = inner ? expression(inner, place, null) : unknownExpr;
        const isAll = node.children.some(({ type }) => type === '*');
        if (place.owner >= 0) note(builder.definition(place.owner), isAll ? { kind: 'iterate', object: value } : value);
        return unknownExpr;
      }
      case 'ternary_expression': {
        const condition = node.childForFieldName('condition');
        if (condition) expression(condition, place, null);
        const yes = node.childForFieldName('consequence');
        const no = node.childForFieldName('alternative');
        return either([
          yes ? expression(yes, narrowed(condition, place), expected) : unknownExpr,
          no ? expression(no, place, expected) : unknownExpr,
        ]);
      }
      case 'binary_expression':
        return binary(node, place, expected);
      case 'assignment_expression':
      case 'augmented_assignment_expression':
        return assignment(node, place);
      case 'array': {
        const elements: Expr[] = [];
        const element: Expr | null = expected && { kind: 'index', object: expected };
        for (const child of node.namedChildren) {
          const isSpread = child.type === 'spread_element';
          const inner = isSpread ? child.namedChildren[0] : child;
          const value = inner && !isPlain(inner) ? expression(inner, place, isSpread ? null : element) : literal;
          if (value.kind !== 'unknown' && elements.length < mostElements) {
            elements.push(isSpread ? { kind: 'iterate', object: value } : value);
          }
        }
        return { kind: 'array', elements: elements.every((one) => one === literal) ? elements.slice(0, 1) : elements };
      }
      case 'object':
        return objectLiteral(node, place, expected, naming !== null);
      case 'arrow_function':
      case 'function_expression':
      case 'generator_function': {
        const ownName = node.childForFieldName('name');
        const name = ownName?.text ?? naming?.name ?? '';
        const definition = defineFunction(
          node,
          'function',
          name,
          ownName ?? naming?.node ?? node,
          place,
          null,
          expected,
        );
        return { kind: 'definition', definition };
      }
      case 'class':
        return {
          kind: 'definition',
          definition: classDefinition(node, node.childForFieldName('name'), naming, place, false),
        };
      case 'jsx_element':
      case 'jsx_self_closing_element':
        return jsx(node, place);
      case 'spread_element': {
        const [inner] = node.namedChildren;
        if (inner) expression(inner, place, null);
        return unknownExpr;
      }
      case 'function_declaration':
      case 'class_declaration':
      case 'lexical_declaration':
      case 'variable_declaration':
      case 'statement_block':
        visit(node, place);
        return unknownExpr;
      default:
        for (const child of node.namedChildren) visit(child, place);
        return unknownExpr;
    }
  }

  /** The language's own containers, also without type arguments. */
  function container(name: string, types: readonly TypeExpr[]): Expr | null {
    const [first = { kind: 'unknown' }, second = { kind: 'unknown' }] = types;
    if (name === 'Map' || name === 'WeakMap')
      return { kind: 'typed', type: { kind: 'map', key: first, value: second } };
    if (name === 'Set' || name === 'WeakSet' || name === 'Array') {
      return { kind: 'typed', type: { kind: 'array', element: first } };
    }
    return null;
  }

  /** The grammar reads `a - b!.c` as `(a - b)!.c`: what `!` belongs to is the last operand; the others are only visited. */
  function bindingTightest(node: Node, place: Position): Node {
    if (node.type === 'unary_expression' || node.type === 'await_expression') {
      const inner = node.namedChildren.at(-1);
      return inner ? bindingTightest(inner, place) : node;
    }
    if (node.type !== 'binary_expression') return node;
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    if (left) expression(left, place, null);
    return right ? bindingTightest(right, place) : node;
  }

  function nameExpr(name: string, place: Position): Expr {
    if (name === 'undefined') return unknownExpr;
    const expr: Extract<Expr, { kind: 'name' }> = { kind: 'name', name, scope: place.scope };
    if (name === 'exports') builder.exportsNames.push(expr);
    return expr;
  }

  function cast(node: Node, place: Position, expected: Expr | null, naming: { name: string; node: Node } | null): Expr {
    const children = node.namedChildren.filter(({ type }) => type !== 'comment');
    const isAs = node.type === 'as_expression';
    const valueNode = isAs ? children[0] : children.at(-1);
    const typeNode = isAs ? children[1] : children[0]?.namedChildren[0];
    const type = typeNode ? typeExpr(builder, typeNode, typePlace(place)) : null;
    const known = type && type.kind !== 'unknown' ? type : null;
    const value = valueNode
      ? expression(valueNode, place, known ? { kind: 'typed', type: known } : expected, naming)
      : unknownExpr;
    if (!typeNode && value.kind === 'array') return { kind: 'tuple', elements: value.elements };
    // `as any` says nothing; what the value is stays the better guess.
    if (!known || value.kind === 'definition')
      return type?.kind === 'unknown' && typeNode?.text === 'any' ? unknownExpr : value;
    return { kind: 'typed', type: known };
  }

  function memberExpression(node: Node, place: Position): Expr {
    const object = node.childForFieldName('object');
    const name = node.childForFieldName('property')?.text ?? '';
    if (!object) return unknownExpr;
    if (object.type === 'identifier' && object.text === 'module' && name === 'exports') return { kind: 'module' };
    const inner = expression(object, place, null);
    if (name === 'constructor') return classAround(inner);
    if (name === 'prototype') return { kind: 'call', callee: inner, args: [], isNew: true };
    return memberExpr(inner, name);
  }

  /** `this.constructor` is the class. */
  function classAround(object: Expr): Expr {
    if (object.kind !== 'self') return unknownExpr;
    const own = builder.definition(object.definition);
    const index = own.kind === 'class' ? object.definition : own.owner;
    return index >= 0 && builder.definition(index).kind === 'class'
      ? { kind: 'definition', definition: index }
      : unknownExpr;
  }

  function subscript(node: Node, place: Position): Expr {
    const objectNode = node.childForFieldName('object');
    const index = node.childForFieldName('index');
    const object = objectNode ? expression(objectNode, place, null) : unknownExpr;
    if (index) expression(index, place, null);
    if (object.kind === 'unknown') return object;
    if (index?.type === 'string') return { kind: 'member', object, name: index.text.slice(1, -1) };
    if (index?.type === 'number') return { kind: 'index', object, at: Number(index.text) };
    if (index?.type === 'identifier') {
      // A symbol's name, or a variable whose value is not known.
      const bySymbol: Expr = { kind: 'member', object, name: `[${index.text}]` };
      return { kind: 'union', options: [bySymbol, { kind: 'index', object }], first: true };
    }
    if (index?.type === 'member_expression') return { kind: 'member', object, name: `[${index.text}]` };
    return { kind: 'index', object };
  }

  function binary(node: Node, place: Position, expected: Expr | null): Expr {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    const operator = node.childForFieldName('operator')?.text ?? '';
    const chooses = operator === '||' || operator === '??';
    const a = left ? expression(left, place, chooses ? expected : null) : unknownExpr;
    const b = right
      ? expression(
          right,
          operator === '&&' ? narrowed(left, place) : place,
          chooses || operator === '&&' ? expected : null,
        )
      : unknownExpr;
    if (chooses) return either([a, b]);
    if (operator === '&&') return b;
    return literal;
  }

  function assignment(node: Node, place: Position): Expr {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    if (!left || !right) return unknownExpr;
    const naming = nameOfTarget(left);
    if (left.type === 'member_expression' || left.type === 'subscript_expression') {
      const object = left.childForFieldName('object');
      const target = object ? expression(left, place, null) : unknownExpr;
      // What the target is known to be tells what a function given to it expects.
      const value = expression(right, place, target.kind === 'unknown' ? null : target, naming);
      store(left, target, value, place, statedType(node, place));
      return value;
    }
    const value = expression(right, place, null, naming);
    if (
      node.type === 'assignment_expression' ||
      /^(?:\|\||&&|\?\?)=$/u.test(node.childForFieldName('operator')?.text ?? '')
    ) {
      assignPattern(left, value, place);
    }
    return value;
  }

  function nameOfTarget(left: Node): { name: string; node: Node } | null {
    if (left.type === 'identifier') return { name: left.text, node: left };
    if (left.type === 'member_expression') {
      const property = left.childForFieldName('property');
      return property ? { name: property.text, node: property } : null;
    }
    if (left.type === 'subscript_expression') {
      const index = left.childForFieldName('index');
      return { name: index?.type === 'string' ? index.text.slice(1, -1) : left.text, node: left };
    }
    return null;
  }

  function assign(name: Node, value: Expr, place: Position): void {
    if (name.type === 'member_expression' || name.type === 'subscript_expression') {
      store(name, expression(name, place, null), value, place);
      return;
    }
    builder.assignments.push({
      target: unknownExpr,
      name: name.text,
      definition: -1,
      value,
      scope: place.scope,
      isStatic: false,
      line: lineOf(name),
    });
  }

  /** `object.name = value`. */
  function store(left: Node, stored: Expr, value: Expr, place: Position, type: TypeExpr | null = null): void {
    const target = stored.kind === 'union' ? (stored.options[0] ?? stored) : stored;
    const property = left.childForFieldName('property') ?? left.childForFieldName('index');
    const line = lineOf(property ?? left);
    const definition = value.kind === 'definition' ? value.definition : -1;
    if (target.kind === 'module') {
      builder.export('=', line, { value });
      return;
    }
    if (target.kind !== 'member' && target.kind !== 'call' && target.kind !== 'index') return;
    const object = target.kind === 'call' ? target.callee : target.object;
    const name = target.kind === 'member' ? target.name : target.kind === 'index' ? '[]' : 'prototype';
    const onPrototype = object.kind === 'call' && object.isNew;
    builder.assignments.push({
      target: onPrototype ? object.callee : object,
      name,
      definition,
      value: type && definition < 0 ? { kind: 'typed', type } : value,
      scope: place.scope,
      isStatic: !onPrototype && object.kind !== 'self',
      line,
    });
  }

  // ---- calls

  function callExpression(node: Node, place: Position, expected: Expr | null): Expr {
    const callee = node.childForFieldName('function');
    if (!callee) return unknownExpr;
    const args = node.childForFieldName('arguments');
    const [first] = args?.namedChildren ?? [];
    const isLoad = callee.type === 'import' || (callee.type === 'identifier' && callee.text === 'require');
    if (isLoad && first?.type === 'string') {
      const index = builder.import(first.text.slice(1, -1), '*', '', lineOf(node));
      return { kind: 'import', import: index };
    }
    const target = expression(callee, place, null);
    if (callee.type === 'super') return call(node, target, true, place);
    const result = call(node, target, false, place, expected);
    return wellKnown(callee, target, result, node, place) ?? result;
  }

  /** Notes a call and what its arguments are. */
  function call(
    node: Node,
    callee: Expr,
    isNew: boolean,
    place: Position,
    expected: Expr | null = null,
  ): Extract<Expr, { kind: 'result' }> {
    const args: Expr[] = [];
    const index =
      builder.calls.push({ callee, args, isNew, caller: place.owner, scope: place.scope, line: lineOf(node) }) - 1;
    const types = node.childForFieldName('type_arguments')?.namedChildren ?? [];
    const noted = builder.calls[index];
    if (types.length > 0 && noted) noted.types = types.map((type) => typeExpr(builder, type, typePlace(place)));
    if (expected?.kind === 'typed' && noted) noted.expected = expected.type;
    const list = node.childForFieldName('arguments');
    if (list?.type === 'template_string') visitAll(list, place);
    else {
      for (const child of list?.namedChildren ?? []) {
        if (child.type === 'comment') continue;
        args.push(expression(child, place, { kind: 'argument', call: index, index: args.length }));
      }
    }
    return { kind: 'result', call: index };
  }

  /** Functions of the language itself that shape objects. */
  function wellKnown(
    callee: Node,
    target: Expr,
    result: Extract<Expr, { kind: 'result' }>,
    node: Node,
    place: Position,
  ): Expr | null {
    if (callee.type !== 'member_expression') return null;
    const name = callee.childForFieldName('property')?.text ?? '';
    const own = builder.calls[result.call];
    const [first, second, third] = own?.args ?? [];
    if (name === 'bind' && target.kind === 'member') return target.object;
    const object = callee.childForFieldName('object')?.text;
    if (!first) return null;
    const line = lineOf(node);
    const shape = (to: Expr, from: Expr, what: string) => {
      const onPrototype = to.kind === 'call' && to.isNew;
      builder.assignments.push({
        target: onPrototype ? to.callee : to,
        name: what,
        definition: -1,
        value: from,
        scope: place.scope,
        isStatic: !onPrototype,
        line,
      });
    };
    if (object === 'Object' || object === 'Reflect') {
      switch (name) {
        case 'freeze':
        case 'seal':
        case 'preventExtensions':
          return first;
        case 'assign':
          for (const from of own?.args.slice(1) ?? []) shape(first, from, '...');
          return first;
        case 'create':
          return inheriting(node, first, place);
        case 'setPrototypeOf':
          if (second) shape(first, second, '__proto__');
          return first;
        case 'defineProperty': {
          const key = node.childForFieldName('arguments')?.namedChildren[1];
          if (key?.type === 'string' && third?.kind === 'definition') {
            for (const { name: part, definition, value } of builder.definition(third.definition).members) {
              if (part === 'value') {
                builder.assignments.push({
                  target: first.kind === 'call' && first.isNew ? first.callee : first,
                  name: key.text.slice(1, -1),
                  definition,
                  value: definition >= 0 ? { kind: 'definition', definition } : (value ?? unknownExpr),
                  scope: place.scope,
                  isStatic: !(first.kind === 'call' && first.isNew),
                  line,
                });
              }
            }
          }
          return first;
        }
        default:
          return null;
      }
    }
    if (name === 'inherits' && second) {
      shape({ kind: 'call', callee: first, args: [], isNew: true }, second, '__proto__');
      return unknownExpr;
    }
    return null;
  }

  /** `Object.create(base)`: an object whose members are also its base's. */
  function inheriting(node: Node, base: Expr, place: Position): Expr {
    const definition = builder.define('object', '', node, node, place.owner);
    if (base.kind !== 'unknown') {
      builder.definition(definition).bases.push({ expr: base, line: lineOf(node), how: 'extends' });
    }
    return { kind: 'definition', definition };
  }

  function jsx(node: Node, place: Position): Expr {
    const tag = node.childForFieldName('open_tag') ?? node;
    const name = tag.childForFieldName('name');
    if (name && (name.type !== 'identifier' || /^\p{Lu}/u.test(name.text))) {
      const callee = plainExpr(name, place);
      if (callee) {
        builder.calls.push({
          callee,
          args: [],
          isNew: false,
          caller: place.owner,
          scope: place.scope,
          line: lineOf(name),
        });
      }
    }
    for (const child of [...tag.namedChildren, ...(tag === node ? [] : node.namedChildren)]) {
      if (child.id === name?.id || child.type === 'jsx_closing_element' || child.id === tag.id) continue;
      if (child.type === 'jsx_text' || child.type === 'comment') continue;
      if (child.type === 'jsx_attribute') {
        for (const inner of child.namedChildren.slice(1)) visit(inner, place);
      } else visit(child, place);
    }
    return unknownExpr;
  }

  // ---- objects and classes

  function objectLiteral(node: Node, place: Position, expected: Expr | null, isNamed: boolean): Expr {
    const children = node.namedChildren.filter(({ type }) => type !== 'comment');
    // Pure data makes no definition, unless functions may be given to it later by its name.
    if (!isNamed && isPlain(node)) return { kind: 'map', values: [] };
    const index = builder.define('object', '', node, node, place.owner);
    // What the place asks for is what `this` is in its methods; where that says nothing it is the object itself.
    const own: Expr = { kind: 'self', definition: index };
    const self: Expr = expected ? { kind: 'union', options: [expected, own], first: true } : own;
    for (const child of children) {
      if (child.type === 'method_definition') {
        const name = child.childForFieldName('name');
        if (!name) continue;
        const key = memberName(name);
        const inContext: Expr | null = expected && { kind: 'member', object: expected, name: key };
        const method = defineFunction(child, 'method', key, name, { ...place, owner: index }, self, inContext);
        objectMethod(child, method, index, key);
      } else if (child.type === 'pair') {
        const keyNode = child.childForFieldName('key');
        const valueNode = child.childForFieldName('value');
        if (!keyNode || !valueNode) continue;
        if (keyNode.type === 'computed_property_name') visitAll(keyNode, place);
        const key = memberName(keyNode);
        const inContext: Expr | null = expected && { kind: 'member', object: expected, name: key };
        const value = property(valueNode, { name: key, node: keyNode }, place, inContext, index, self);
        if (value.kind === 'definition' && builder.definition(value.definition).kind !== 'object') {
          builder.member(index, key, { definition: value.definition });
        } else if (value.kind !== 'unknown' && value !== literal) builder.member(index, key, { value });
      } else if (child.type === 'shorthand_property_identifier') {
        builder.member(index, child.text, { value: { kind: 'name', name: child.text, scope: place.scope } });
      } else if (child.type === 'spread_element') {
        const [inner] = child.namedChildren;
        const value = inner ? expression(inner, place, null) : unknownExpr;
        if (value.kind !== 'unknown') {
          builder.definition(index).bases.push({ expr: value, line: lineOf(child), how: 'embeds' });
        }
      }
    }
    return { kind: 'definition', definition: index };
  }

  /** A function given to a property is the property's method: `this` in it is the object. */
  function property(
    node: Node,
    naming: { name: string; node: Node },
    place: Position,
    expected: Expr | null,
    object: number,
    self: Expr,
  ): Expr {
    if (node.type !== 'function_expression' && node.type !== 'generator_function' && node.type !== 'arrow_function') {
      return expression(node, place, expected, naming);
    }
    const ownName = node.childForFieldName('name');
    const definition = defineFunction(
      node,
      'method',
      ownName?.text ?? naming.name,
      ownName ?? naming.node,
      { ...place, owner: object },
      self,
      expected,
    );
    return { kind: 'definition', definition };
  }

  function isPlain(node: Node | null): boolean {
    if (!node) return true;
    switch (node.type) {
      case 'string':
      case 'number':
      case 'true':
      case 'false':
      case 'null':
      case 'undefined':
      case 'regex':
        return true;
      case 'unary_expression':
        return isPlain(node.childForFieldName('argument'));
      case 'array':
        return node.namedChildren.every(isPlain);
      case 'object':
        return node.namedChildren.every((child) => child.type === 'pair' && isPlain(child.childForFieldName('value')));
      default:
        return false;
    }
  }

  /** A setter is called by an assignment, never by its name. */
  function objectMethod(node: Node, method: number, owner: number, name: string): void {
    const isSetter = node.children.some(({ type }) => type === 'set');
    const isStatic = node.children.some(({ type }) => type === 'static');
    Object.assign(builder.definition(method), {
      isProperty: node.children.some(({ type }) => type === 'get'),
      isStatic,
    });
    if (!isSetter) builder.member(owner, name, { definition: method, isStatic });
  }

  function classDefinition(
    node: Node,
    nameNode: Node | null,
    naming: { name: string; node: Node } | null,
    place: Position,
    bind: boolean,
  ): number {
    const name = nameNode?.text ?? naming?.name ?? '';
    const index = builder.define('class', name, node, nameNode ?? naming?.node ?? node, place.owner);
    const scope = builder.scope(place.scope, index);
    if (nameNode) builder.bind(bind ? place.scope : scope, name, lineOf(nameNode), { definition: index });
    const self: Expr = { kind: 'self', definition: index };
    const inner: Position = { scope, hoist: scope, owner: index, self, method: index };
    const body = node.childForFieldName('body');
    const types = typePlace(inner);
    const definition = builder.definition(index);
    Object.assign(definition, {
      scope,
      isAbstract: node.type === 'abstract_class_declaration',
      signature: signatureOf(source, node, body),
      doc: docOf(commentOf(node)),
      typeParameters: typeParametersOf(builder, node.childForFieldName('type_parameters'), types),
    });
    for (const child of node.namedChildren) if (child.type === 'decorator') visitAll(child, place);
    const heritage = node.namedChildren.find(({ type }) => type === 'class_heritage');
    if (heritage) bases(heritage, definition, { ...place, scope }, types);
    for (const child of body?.namedChildren ?? []) classMember(child, index, inner, types);
    return index;
  }

  function bases(heritage: Node, definition: Definition, place: Position, types: TypePlace): void {
    for (const clause of heritage.namedChildren) {
      if (clause.type === 'extends_clause') {
        const value = clause.childForFieldName('value');
        const args = clause.childForFieldName('type_arguments')?.namedChildren ?? [];
        if (!value) continue;
        const isName = value.type === 'identifier' || value.type === 'member_expression';
        const expr: Expr =
          args.length > 0 && isName
            ? {
                kind: 'typed',
                type: {
                  kind: 'reference',
                  name: value.text,
                  scope: place.scope,
                  args: args.map((arg) => typeExpr(builder, arg, types)),
                },
              }
            : expression(value, place, null);
        definition.bases.push({ expr, line: lineOf(value), how: 'extends' });
      } else if (clause.type === 'implements_clause') {
        for (const type of clause.namedChildren) {
          definition.bases.push({
            expr: { kind: 'typed', type: typeExpr(builder, type, types) },
            line: lineOf(type),
            how: 'implements',
          });
        }
      } else {
        definition.bases.push({ expr: expression(clause, place, null), line: lineOf(clause), how: 'extends' });
      }
    }
  }

  function classMember(node: Node, index: number, inner: Position, types: TypePlace): void {
    const name = node.childForFieldName('name') ?? node.childForFieldName('property');
    const isStatic = node.children.some(({ type }) => type === 'static');
    switch (node.type) {
      case 'method_definition': {
        if (!name) return;
        const key = memberName(name);
        const kind = key === 'constructor' && !isStatic ? 'constructor' : 'method';
        if (name.type === 'computed_property_name') visitAll(name, inner);
        for (const child of node.namedChildren) if (child.type === 'decorator') visitAll(child, inner);
        const position = { ...inner };
        const method = defineFunction(node, kind, key, name, position, null, null);
        builder.definition(method).isStatic = isStatic;
        if (kind === 'constructor') parameterProperties(node, index, method);
        objectMethod(node, method, index, key);
        return;
      }
      case 'abstract_method_signature':
      case 'method_signature':
        if (name) methodSignature(builder, node, name, index, types);
        return;
      case 'public_field_definition':
      case 'field_definition': {
        for (const child of node.namedChildren) if (child.type === 'decorator') visitAll(child, inner);
        if (!name) return;
        const key = memberName(name);
        const typeNode = node.childForFieldName('type');
        const valueNode = node.childForFieldName('value');
        const type = typeNode ? typeExpr(builder, typeNode, types) : statedType(node, inner);
        const place: Position = isStatic ? { ...inner, self: { kind: 'name', name: '', scope: inner.scope } } : inner;
        if (isStatic) place.self = { kind: 'definition', definition: index };
        const value = valueNode
          ? property(valueNode, { name: key, node: name }, place, type && { kind: 'typed', type }, index, place.self)
          : null;
        if (value?.kind === 'definition' && builder.definition(value.definition).kind !== 'object') {
          builder.definition(value.definition).isStatic = isStatic;
          builder.member(index, key, { definition: value.definition, isStatic });
        } else builder.member(index, key, { value, type: type?.kind === 'unknown' ? null : type, isStatic });
        return;
      }
      case 'class_static_block':
        visitAll(node, { ...inner, self: { kind: 'definition', definition: index } });
        return;
      case 'decorator':
        visitAll(node, inner);
        return;
      case 'index_signature': {
        const type = node.childForFieldName('type');
        if (type) builder.member(index, '[]', { type: typeExpr(builder, type, types) });
        return;
      }
      default:
    }
  }

  /** `constructor(private readonly repo: Repo)` makes a field. */
  function parameterProperties(node: Node, index: number, method: number): void {
    const nodes = (node.childForFieldName('parameters')?.namedChildren ?? []).filter(
      (child) => child.type !== 'comment' && child.type !== 'decorator' && !isThis(child),
    );
    nodes.forEach((child, at) => {
      const isField = child.children.some(
        ({ type }) => type === 'accessibility_modifier' || type === 'readonly' || type === 'override_modifier',
      );
      const parameter = builder.definition(method).parameters[at];
      if (isField && parameter?.name) {
        builder.member(index, parameter.name, { type: parameter.type, value: parameter.default });
      }
    });
  }
}

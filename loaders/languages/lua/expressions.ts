import type { Node } from '../../facts/syntax-tree.ts';
import type { Definition, Expr } from '../../facts/fact.ts';
import { oneLine } from '../reading/documentation.ts';
import { declareParameters, type NamedParameter } from '../reading/functions.ts';
import {
  blockOf,
  firstOf,
  partsOf,
  type Place,
  type Reader,
  type SourceFile,
  unknown,
} from '../reading/source-file.ts';
import { nameHere } from '../reading/usual-readers.ts';
import { globals, scopeOf, tableOf, type Tables } from './tables.ts';

/** Functions that call what they are handed first. */
const callsFirst = /^(?:x?pcall|coroutine\.(?:wrap|create))$/;
/** What makes a class, by the usual libraries' names: of a base, or of nothing. */
const makesClass = /^(?:class|[Cc]lass(?:\.new)?|Object\.extend|middleclass)$/;
const makesSubclass = /^(?:extend|subclass|derive)$/;

/** What statements and expressions stand for, in a file that does this with its tables. */
export function readersFor(tables: Tables): Readonly<Record<string, Reader>> {
  return {
    identifier: nameHere,
    parenthesized_expression: firstOf,
    block: blockOf,
    expression_list: (file, node, place) => file.readAll(node, place)[0] ?? unknown,
    dot_index_expression: memberOf('field'),
    method_index_expression: memberOf('method'),
    bracket_index_expression(file, node, place) {
      const object = file.read(node.childForFieldName('table'), place);
      const field = node.childForFieldName('field');
      file.read(field, place);
      const name = field?.type === 'string' ? file.text(field.childForFieldName('content')) : '';
      return name === '' ? { kind: 'index', object } : { kind: 'member', object, name };
    },
    binary_expression(file, node, place) {
      const [left = unknown, right = unknown] = file.readAll(node, place);
      const operator = node.children.find(({ isNamed }) => !isNamed)?.type;
      return operator === 'or' ? { kind: 'union', options: [left, right] } : operator === 'and' ? right : unknown;
    },
    function_call: call,
    function_declaration(file, node, place) {
      const nameNode = node.childForFieldName('name');
      if (nameNode) assign(file, nameNode, declareFunction(file, node, place, nameNode), place, isLocal(node), tables);
      return unknown;
    },
    function_definition: (file, node, place) => declareFunction(file, node, place, null),
    variable_declaration(file, node, place) {
      const [inner] = partsOf(node);
      if (inner?.type === 'assignment_statement') assignment(file, inner, place, true, tables);
      else
        for (const name of partsOf(inner)) if (name.type === 'identifier') file.bind(place, file.text(name), name, {});
      return unknown;
    },
    assignment_statement(file, node, place) {
      assignment(file, node, place, false, tables);
      return unknown;
    },
    table_constructor: (file, node, place) => tableWritten(file, node, place, ''),
    return_statement(file, node, place) {
      const value = firstOf(file, node, place);
      file.returns(place, value);
      return value;
    },
    for_statement(file, node, place) {
      const clause = node.childForFieldName('clause');
      const inside = file.block(place);
      const [names, values] = partsOf(clause);
      const source = file.read(values, place);
      if (clause?.type === 'for_generic_clause') {
        for (const [at, name] of partsOf(names).entries())
          file.bind(inside, file.text(name), name, {
            value: { kind: 'index', object: { kind: 'iterate', object: source }, at },
          });
      } else {
        file.readAll(clause, place);
        const name = clause?.childForFieldName('name');
        if (name) file.bind(inside, file.text(name), name, {});
      }
      file.read(node.childForFieldName('body'), inside);
      return unknown;
    },
  };
}

function memberOf(field: string): Reader {
  return (file, node, place) => ({
    kind: 'member',
    object: file.read(node.childForFieldName('table'), place),
    name: file.text(node.childForFieldName(field)),
  });
}

const isLocal = (node: Node): boolean => node.children[0]?.type === 'local';

/** A function: what it is called follows from where it is put. `nameNode`: where it is declared by its name. */
function declareFunction(file: SourceFile, node: Node, place: Place, nameNode: Node | null): Expr {
  const table = nameNode?.childForFieldName('table');
  const last = nameNode?.childForFieldName('field') ?? nameNode?.childForFieldName('method') ?? nameNode;
  const object = table ? file.read(table, place) : null;
  const owner = object ? tableOf(file, object) : -1;
  const name = file.text(last);
  const kind = owner >= 0 && file.definition(owner).kind === 'class' ? 'method' : 'function';
  const qualifiedName = table && owner < 0 ? file.text(nameNode).replaceAll(':', '.') : undefined;
  const head = file.source.slice(node.startIndex, node.childForFieldName('parameters')?.endIndex ?? node.endIndex);
  const definition = file.define(
    {
      kind,
      name,
      exported: !isLocal(node),
      signature: oneLine(head),
      ...(owner >= 0 ? { owner } : {}),
      ...(qualifiedName ? { qualifiedName } : {}),
    },
    node,
    place,
    last,
  );
  // Its own name is known in it.
  if (nameNode?.type === 'identifier' && isLocal(node)) file.bind(place, name, nameNode, { definition });
  const inside = file.enter(definition, place);
  if (nameNode?.type === 'method_index_expression') {
    const self: Expr = owner >= 0 ? { kind: 'self', definition } : (object ?? unknown);
    file.bind(inside, 'self', nameNode, { value: self });
  }
  declareParameters(file, definition, inside, parametersOf(file, node, inside), place.expected);
  for (const part of partsOf(node.childForFieldName('body'))) file.read(part, inside);
  return { kind: 'definition', definition };
}

/** Its parameters; a first one that is called `self` is the table that the function is put into. */
function parametersOf(file: SourceFile, node: Node, inside: Place): NamedParameter[] {
  const names = partsOf(node.childForFieldName('parameters')).filter(({ type }) => type === 'identifier');
  const [first] = names;
  if (first && file.text(first) === 'self') {
    file.bind(inside, 'self', first, { value: { kind: 'self', definition: inside.definition } });
    names.shift();
  }
  return names.map((name) => ({ name: file.text(name), node: name, optional: true }));
}

function assignment(file: SourceFile, node: Node, place: Place, local: boolean, tables: Tables): void {
  const [targets, values] = partsOf(node);
  const valueNodes = partsOf(values);
  for (const [at, target] of partsOf(targets).entries()) {
    if (target.type === 'attribute') continue;
    const valueNode = valueNodes[at];
    assign(file, target, valueNode ? made(file, target, valueNode, place, tables) : unknown, place, local, tables);
  }
}

/** What is given to a name: a table that functions are put into is a definition, whatever it was made by. */
function made(file: SourceFile, target: Node, node: Node, place: Place, tables: Tables): Expr {
  const name = file.text(target);
  const base = target.type === 'identifier' ? baseOf(file, node) : undefined;
  const isTable = target.type === 'identifier' && (tables.withFunctions.has(name) || base !== undefined);
  if (!isTable || node.type === 'function_definition') {
    return node.type === 'table_constructor' ? tableWritten(file, node, place, name) : file.read(node, place);
  }
  const known = tableOf(file, { kind: 'name', name, scope: place.scope });
  const isMade = node.type !== 'table_constructor';
  if (isMade && known >= 0) return file.read(node, place);
  const isTaken =
    /^require\b/.test(file.text(node)) || node.type === 'dot_index_expression' || node.type === 'identifier';
  // What is another's is its base, so that it stays what that file says.
  const isClass = !isTaken && (tables.classes.has(name) || base !== undefined);
  const value = isMade ? file.read(node, place) : unknown;
  const table = isMade ? unknown : tableWritten(file, node, place, name, isClass ? 'class' : 'object');
  if (table.kind === 'definition') return table;
  const definition = file.define({ kind: isClass ? 'class' : 'object', name, signature: null }, node, place, target);
  const own = file.definition(definition);
  const from = base ? file.read(base, place) : value;
  if (from.kind !== 'unknown')
    own.bases.push({ expr: from, line: file.line(node), how: base ? 'extends' : 'implements' });
  return { kind: 'definition', definition };
}

/** The class that a new one is made of: null where it is made of none, undefined where no class is made. */
function baseOf(file: SourceFile, node: Node): Node | null | undefined {
  if (node.type !== 'function_call') return undefined;
  const callee = node.childForFieldName('name');
  const args = partsOf(node.childForFieldName('arguments'));
  if (file.text(callee) === 'setmetatable') return fieldOf(file, args[1], '__index');
  if (makesClass.test(file.text(callee)))
    return args.find(({ type }) => type === 'identifier' || type === 'dot_index_expression') ?? null;
  const method = callee?.type === 'method_index_expression' ? file.text(callee.childForFieldName('method')) : '';
  return makesSubclass.test(method) ? callee?.childForFieldName('table') : undefined;
}

/** What a table that is written out has under a name, where that is a name itself. */
function fieldOf(file: SourceFile, table: Node | undefined, name: string): Node | undefined {
  const field = partsOf(table).find((one) => file.text(one.childForFieldName('name')) === name);
  const value = field?.childForFieldName('value');
  return value?.type === 'identifier' || value?.type === 'dot_index_expression' ? value : undefined;
}

/** A table that is written out is an object of what is in it where that has names; a list is an array. */
function tableWritten(file: SourceFile, node: Node, place: Place, name: string, as?: 'class' | 'object'): Expr {
  const fields = partsOf(node);
  const keyed = fields.filter((field) => field.childForFieldName('name'));
  if (as === undefined && keyed.length === 0)
    return { kind: 'array', elements: fields.map((field) => firstOf(file, field, place)) };
  const definition = file.define({ kind: as ?? 'object', name, signature: null }, node, place);
  for (const field of fields) {
    const key = field.childForFieldName('name');
    const valueNode = field.childForFieldName('value');
    const inside = { ...place, definition: isFunction(valueNode) ? definition : place.definition };
    const value =
      valueNode?.type === 'table_constructor' && key
        ? tableWritten(file, valueNode, place, file.text(key))
        : file.read(valueNode, inside);
    if (key?.type !== 'identifier' || field.children[0]?.type === '[') continue;
    put(file, definition, key, value);
  }
  return { kind: 'definition', definition };
}

const isFunction = (node: Node | null): boolean => node?.type === 'function_definition';

/** What is put into a table by a name is its member; a function that has no name yet takes this one. */
function put(file: SourceFile, table: number, key: Node, value: Expr): void {
  const name = file.text(key);
  if (name === '__index' && value.kind !== 'unknown') {
    const own = file.definition(table);
    if (tableOf(file, value) !== table) own.bases.push({ expr: value, line: file.line(key), how: 'extends' });
  }
  const given = value.kind === 'definition' ? file.definition(value.definition) : null;
  if (!given || value.kind !== 'definition') {
    if (value.kind !== 'unknown') file.addMember(table, name, { value });
    return;
  }
  if (given.name === '') nameMember(file, table, given, key);
  file.addMember(table, name, { definition: value.definition });
}

function nameMember(file: SourceFile, table: number, given: Definition, key: Node): void {
  const own = file.definition(table);
  given.owner = table;
  given.name = file.text(key);
  given.line = file.line(key);
  given.qualifiedName = [file.qualifiedNameAround(table), given.name].filter(Boolean).join('.');
  if (given.kind === 'function' && own.kind === 'class') given.kind = 'method';
}

/** Gives a name, or a place in a table, what it is assigned. */
function assign(file: SourceFile, target: Node, value: Expr, place: Place, local: boolean, tables: Tables): void {
  if (target.type === 'identifier') {
    const name = file.text(target);
    const given = value.kind === 'definition' ? value.definition : -1;
    if (given >= 0 && file.definition(given).name === '') file.nameFunction(given, target);
    const scope = local ? place.scope : Math.max(scopeOf(file, name, place.scope), 0);
    const isBound = file.facts.scopes[scope]?.bindings.some((one) => one.name === name && one.definition === given);
    if (given >= 0 && isBound) return;
    file.bind({ ...place, scope }, name, target, given >= 0 ? { definition: given } : { value });
    return;
  }
  const tableNode = target.childForFieldName('table');
  const key = target.childForFieldName('field') ?? target.childForFieldName('method');
  const object = file.read(tableNode, place);
  if (!key || target.type === 'bracket_index_expression') return;
  const known = tableOf(file, object);
  const table = known < 0 && tableNode?.type === 'identifier' ? globalTable(file, tableNode, place, tables) : known;
  if (table >= 0) put(file, table, key, value);
  else if (value.kind === 'definition' && file.definition(value.definition).name === '') {
    const given = file.definition(value.definition);
    given.name = file.text(key);
    given.line = file.line(key);
    given.qualifiedName = file.text(target).replaceAll(':', '.');
  }
}

/** A table that another file makes and that this one puts functions into; -1 where the name is this file's own. */
function globalTable(file: SourceFile, node: Node, place: Place, tables: Tables): number {
  const name = file.text(node);
  if (!tables.withFunctions.has(name) || scopeOf(file, name, place.scope) >= 0) return -1;
  const definition = file.define({ kind: 'object', name, signature: null }, node, place);
  file.bind(globals(place), name, node, { definition });
  return definition;
}

function call(file: SourceFile, node: Node, place: Place): Expr {
  const callee = node.childForFieldName('name');
  const args = partsOf(node.childForFieldName('arguments'));
  const name = file.text(callee);
  const [first, second] = args;
  if (name === 'require' && first?.type === 'string') {
    const module = file.text(first.childForFieldName('content'));
    return { kind: 'import', import: file.addImport({ module, name: '*' }, file.line(node)) };
  }
  if (name === 'setmetatable' && first) return withMetatable(file, first, second, place);
  if (callsFirst.test(name) && first && first.type !== 'function_definition') {
    return file.call(place, first, file.read(first, place), args.slice(1));
  }
  const at = callee?.childForFieldName('method') ?? callee?.childForFieldName('field') ?? callee ?? node;
  return file.call(place, at, file.read(callee, place), args);
}

/** `setmetatable(t, Class)` makes an instance; `{ __index = Base }` gives the table a base. */
function withMetatable(file: SourceFile, first: Node, second: Node | undefined, place: Place): Expr {
  const table = file.read(first, place);
  const meta = file.read(second, place);
  const own = tableOf(file, table);
  if (second?.type !== 'table_constructor') {
    if (meta.kind === 'unknown') return table;
    const instance: Expr = { kind: 'call', callee: meta, args: [], isNew: true };
    return { kind: 'union', options: file.text(second) === 'self' ? [meta, table] : [instance, table] };
  }
  const given = tableOf(file, meta);
  if (own >= 0 && given >= 0) {
    file.definition(own).bases.push(...file.definition(given).bases);
    file.definition(own).members.push(...file.definition(given).members.filter(({ name }) => name === '__call'));
  }
  return table;
}

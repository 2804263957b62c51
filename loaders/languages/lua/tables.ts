import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr } from '../../facts/fact.ts';
import type { Place, SourceFile } from '../reading/source-file.ts';

/** What a file does with the tables that it has by a name: into which it puts functions, and which of those have instances. */
export interface Tables {
  readonly withFunctions: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
}

/** Reads what the whole file does with its tables, as a table is made before anything is put into it. */
export function tablesIn(root: Node): Tables {
  const withFunctions = new Set<string>();
  const classes = new Set<string>();
  for (const node of root.descendantsOfType(['function_declaration', 'assignment_statement'])) {
    const isFunction = node.type === 'function_declaration';
    const [list, values] = isFunction ? [] : node.namedChildren;
    const targets = isFunction ? [node.childForFieldName('name')] : (list?.namedChildren ?? []);
    for (const [index, target] of targets.entries()) {
      const table = target?.childForFieldName('table');
      if (table?.type !== 'identifier') continue;
      const isMethod = target?.type === 'method_index_expression';
      const isIndex = target?.childForFieldName('field')?.text === '__index';
      if (isMethod || isIndex) classes.add(table.text);
      if (isFunction || isIndex || values?.namedChildren[index]?.type === 'function_definition')
        withFunctions.add(table.text);
    }
  }
  return { withFunctions, classes };
}

/** The scope that has this name, from the innermost outwards; -1 where none has. */
export function scopeOf(file: SourceFile, name: string, from: number): number {
  const { scopes } = file.facts;
  let scope = from;
  while (scope >= 0 && !scopes[scope]?.bindings.some((one) => one.name === name)) scope = scopes[scope]?.parent ?? -1;
  return scope;
}

/** The table of this file that an expression stands for, by the index of its definition; -1 for none. */
export function tableOf(file: SourceFile, expr: Expr): number {
  switch (expr.kind) {
    case 'definition':
      return expr.definition;
    case 'self':
      return file.definition(expr.definition).owner;
    case 'name': {
      const scope = scopeOf(file, expr.name, expr.scope);
      const bound = file.facts.scopes[scope]?.bindings.find(({ name, definition, value }) =>
        name === expr.name ? definition >= 0 || value?.kind === 'definition' || value?.kind === 'self' : false,
      );
      if (!bound) return -1;
      return bound.definition >= 0 ? bound.definition : tableOf(file, bound.value ?? { kind: 'unknown' });
    }
    case 'member': {
      const object = tableOf(file, expr.object);
      const members = object < 0 ? [] : file.definition(object).members;
      const found = members.find(
        ({ name, definition, value }) => name === expr.name && (definition >= 0 || value?.kind === 'definition'),
      );
      if (!found) return -1;
      return found.definition >= 0 ? found.definition : tableOf(file, found.value ?? { kind: 'unknown' });
    }
    default:
      return -1;
  }
}

/** The place where a global name is declared. */
export function globals(place: Place): Place {
  return { ...place, scope: 0 };
}

import type { DeclaredKind } from '../../../src/model/declared-name.ts';
import type { DeclaredName, Definition } from '../../facts/fact.ts';
import { lineStarts, type GrammarNames, type Node } from '../../facts/syntax-tree.ts';

/** What declares names in one language, by the types of its syntax nodes. */
export interface DeclaredRules {
  /** Functions and the like: what is declared in them is local, and nobody looks there but their own reader. */
  readonly local: readonly string[];
  /** What a node of this type declares. */
  readonly readers: Readonly<Record<string, (node: Node) => readonly Declared[]>>;
  /** A name is declared by its first assignment: the next ones in the same class or file are none. */
  readonly byAssignment?: true;
  /** What no tree has as it is written: macros. Offsets are those of the source. */
  readonly inText?: (source: string) => Iterable<{ kind: DeclaredKind; name: string; index: number }>;
}

/** A name that a node declares. */
export interface Declared {
  kind: DeclaredKind;
  /** The identifier. */
  at: Node;
  /** Where that is not its text. */
  name?: string;
  /** What it belongs to, where no class is around it. */
  around?: string;
}

/** What is no name in any language (a computed key, a path) is left out; so is `_`, by which nothing is found. */
const isName = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N}_$@#!?]{1,256}$/u;

/**
 * The names that a file declares, by the rules of its language, in the order of their lines. What is a function or a class already
 * is none of them.
 */
export function declaredNames(
  root: Node,
  source: string,
  rules: DeclaredRules,
  definitions: readonly Definition[],
): DeclaredName[] {
  const found: (DeclaredName & { index: number })[] = [];
  for (const { kind, at, name = at.text, around = '' } of declaredIn(root, rules))
    if (isName.test(name)) found.push({ kind, name, line: at.startPosition.row + 1, around, index: at.startIndex });
  if (rules.inText) {
    const starts = lineStarts(source);
    let line = 0;
    for (const { kind, name, index } of rules.inText(source)) {
      while ((starts[line] ?? Infinity) <= index) line++;
      found.push({ kind, name, line, around: '', index });
    }
  }
  found.sort((a, b) => a.line - b.line || a.index - b.index);
  const symbols = new Set(
    definitions.filter(({ kind }) => kind !== 'object').map(({ name, line }) => `${line} ${name}`),
  );
  const named = found
    .filter(({ line, name }) => !symbols.has(`${line} ${name}`))
    .map(({ kind, name, line, around }): DeclaredName => ({ kind, name, line, around }));
  putClasses(named, definitions);
  return rules.byAssignment ? firsts(named) : named;
}

/** All in one way over the nodes: those that are local are passed over. */
function* declaredIn(root: Node, rules: DeclaredRules): Generator<Declared> {
  const { tree } = root;
  const steps = stepsOf(tree.names, rules);
  const end = tree.next[root.id] ?? 0;
  for (let id = root.id; id < end;) {
    const step = steps[tree.type[id] ?? 0] ?? 0;
    if ((step & READ) !== 0) {
      const node = root.at(id);
      yield* rules.readers[node.type]?.(node) ?? [];
    }
    id = (step & LOCAL) === 0 ? id + 1 : (tree.next[id] ?? end);
  }
}

const READ = 1;
const LOCAL = 2;
const known = new WeakMap<DeclaredRules, WeakMap<GrammarNames, Uint8Array>>();

/** By type of node: whether to read it, and whether to pass over what is in it. */
function stepsOf(names: GrammarNames, rules: DeclaredRules): Uint8Array {
  const ofRules = known.get(rules) ?? new WeakMap<GrammarNames, Uint8Array>();
  known.set(rules, ofRules);
  const before = ofRules.get(names);
  if (before) return before;
  const { readers, local } = rules;
  const steps = Uint8Array.from(
    names.types,
    (type) => (Object.hasOwn(readers, type) ? READ : 0) | (local.includes(type) ? LOCAL : 0),
  );
  ofRules.set(names, steps);
  return steps;
}

const functions: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'object']);

/** What may stand behind a class on its last line: `typedef struct … { … } name;`. */
const afterClasses: ReadonlySet<DeclaredKind> = new Set(['type_alias', 'variable']);

/** Gives each name the innermost class around its line; both come in the order of lines. */
function putClasses(names: DeclaredName[], definitions: readonly Definition[]): void {
  const classes = definitions
    .filter(({ kind, name }) => name !== '' && !functions.has(kind))
    .toSorted((a, b) => a.line - b.line || b.endLine - a.endLine);
  const open: Definition[] = [];
  let next = 0;
  for (const name of names) {
    for (let each = classes[next]; each && each.line <= name.line; each = classes[++next]) open.push(each);
    while ((open.at(-1)?.endLine ?? Infinity) < name.line) open.pop();
    const isOutside = afterClasses.has(name.kind);
    const around = open.findLast(({ line, endLine }) => !isOutside || name.line < endLine || line === endLine);
    if (name.around === '' && name.kind !== 'macro') name.around = around?.qualifiedName ?? '';
  }
}

function firsts(names: readonly DeclaredName[]): DeclaredName[] {
  const seen = new Set<string>();
  return names.filter(({ kind, name, around }) => {
    const key = `${kind} ${name} ${around}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** A reader of nodes that have the identifier in this field. */
export const fieldAs =
  (kind: DeclaredKind, field = 'name') =>
  (node: Node) =>
    node.childrenForFieldName(field).map((at) => ({ kind, at }));

/** The identifiers as names of this kind. */
export const namesAs = (kind: DeclaredKind, identifiers: readonly (Node | null | undefined)[]): Declared[] =>
  identifiers.flatMap((at) => (at ? [{ kind, at }] : []));

/** Whether it has such a mark or word, or a modifier of this text. */
export const has = (node: Node, word: string): boolean =>
  node.children.some(
    (child) => child.type === word || (child.endIndex - child.startIndex === word.length && child.text === word),
  );

/** Whether constants are written so. */
export const isCapitals = (name: string): boolean => /^_*\p{Lu}[\p{Lu}\p{N}_]*$/u.test(name);

import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr, TypeExpr } from '../../facts/fact.ts';
import { named, type Place, type SourceFile, unknown } from '../reading/source-file.ts';

/** How facts name a method: methods and properties of one class have separate name spaces. */
export function method(name: string): string {
  return `${name}()`;
}

/** Member under which a class keeps its constructor. */
export const constructorName = 'new()';

/** Names that stand for no class. */
const scalars: ReadonlySet<string> = new Set(
  'array bool boolean callable false float int integer iterable mixed never null numeric object resource scalar string true void list key-of value-of class-string positive-int non-empty-string'.split(
    ' ',
  ),
);

/** The file's name for a class or function: one that is written with its namespace becomes an import. */
export function nameOf(file: SourceFile, written: string, node: Node): string {
  const name = written.replace(/\s/g, '');
  if (!name.includes('\\')) return name;
  const whole = name.startsWith('\\') ? name.slice(1) : qualified(file, name);
  const at = whole.lastIndexOf('\\');
  const local = `\\${whole}`;
  const top = file.facts.scopes[0]?.bindings;
  if (!top?.some((one) => one.name === local)) {
    file.importAs(file.top, { module: whole.slice(0, Math.max(at, 0)), name: whole.slice(at + 1), local }, node);
  }
  return local;
}

/** `Alias\Name` by its alias, `namespace\Name` and any other from the namespace that the file is in. */
function qualified({ facts }: SourceFile, name: string): string {
  const [first = '', ...rest] = name.split('\\');
  const alias = facts.imports.find(({ local }) => local === first);
  if (alias) return [alias.module, alias.name, ...rest].filter(Boolean).join('\\');
  return [facts.packageName, ...(first === 'namespace' ? rest : [first, ...rest])].filter(Boolean).join('\\');
}

/** A class by its name as written, also `self`, `static` and `parent`. */
export function typeNamed(file: SourceFile, written: string, node: Node, place: Place): TypeExpr {
  const name = written.trim();
  const lower = name.toLowerCase();
  if (lower === 'self' || lower === 'static' || lower === '$this') {
    return place.type >= 0 ? { kind: 'definition', definition: place.type } : unknown;
  }
  if (scalars.has(lower) || !/^[\\\p{L}_]/u.test(name)) return unknown;
  return named(nameOf(file, name, node), place);
}

/** A class itself by its name as written. */
export function classNamed(file: SourceFile, written: string, node: Node, place: Place): Expr {
  const lower = written.toLowerCase();
  if (lower === 'parent') {
    // Above the class, not above its traits.
    const parent = place.type >= 0 ? file.definition(place.type).bases.find(({ how }) => how === 'extends') : undefined;
    return parent?.expr ?? unknown;
  }
  if (lower === 'self' || lower === 'static') {
    return place.type >= 0 ? { kind: 'definition', definition: place.type } : unknown;
  }
  return { kind: 'name', name: nameOf(file, written, node), scope: place.scope, isType: true };
}

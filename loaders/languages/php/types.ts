import type { Node } from '../../facts/syntax-tree.ts';
import type { TypeExpr } from '../../facts/fact.ts';
import { partsOf, type Place, type SourceFile, unknown } from '../reading/source-file.ts';
import { typeNamed } from './names.ts';

/** A type as written in code. */
export function typeOf(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr {
  switch (node?.type) {
    case 'named_type':
      return typeNamed(file, file.text(node), node, place);
    case 'optional_type':
      return typeOf(file, partsOf(node)[0], place);
    case 'union_type':
    case 'intersection_type':
    case 'type_list':
    case 'disjunctive_normal_form_type':
      return unionOf(partsOf(node).map((part) => typeOf(file, part, place)));
    default:
      return unknown;
  }
}

/** What a doc comment's tag says of a type: `@return Foo[]|null`, `@param Foo $name`, `@var array<string, Foo>`. */
export function documentedType(
  file: SourceFile,
  comment: string,
  tag: 'return' | 'var' | 'param',
  node: Node,
  place: Place,
  name = '',
): TypeExpr | null {
  if (!comment.startsWith('/**')) return null;
  for (const line of comment.split('\n')) {
    const [, found, type = ''] = /@(?:phpstan-|psalm-)?(return|var|param)\s+((?:[^\s<]|<[^>]*>)+)/.exec(line) ?? [];
    // Bounded: a name.
    if (found !== tag || (tag === 'param' && !new RegExp(`\\$${name}\\b`).test(line))) continue;
    const parsed = parse(file, type, node, place);
    return parsed.kind === 'unknown' ? null : parsed;
  }
  return null;
}

function parse(file: SourceFile, text: string, node: Node, place: Place): TypeExpr {
  // Bounded: 1,000 characters.
  const parts = text
    .slice(0, 1_000)
    .replace(/^\?/, '')
    .split(/\|(?![^<]*>)/);
  return unionOf(
    parts.map((part): TypeExpr => {
      if (part.endsWith('[]')) return { kind: 'array', element: parse(file, part.slice(0, -2), node, place) };
      const [, outer = part, inside] = /^([^<]*)<(.*)>$/.exec(part) ?? [];
      if (inside === undefined) return typeNamed(file, part, node, place);
      const element = parse(file, inside.split(',').at(-1)?.trim() ?? '', node, place);
      // A collection class of the repository keeps its own methods.
      return /^(?:array|list|iterable|non-empty-array|non-empty-list|\\?(?:Generator|Traversable|Iterator|IteratorAggregate))$/.test(
        outer,
      )
        ? { kind: 'array', element }
        : typeNamed(file, outer, node, place);
    }),
  );
}

function unionOf(all: TypeExpr[]): TypeExpr {
  const options = all.filter(({ kind }) => kind !== 'unknown');
  return options.length > 1 ? { kind: 'union', options } : (options[0] ?? unknown);
}

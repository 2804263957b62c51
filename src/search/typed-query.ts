import { nodeTypeSchema, type NodeType } from '../model/graph.ts';
import type { SearchQuery } from '../stores/search/port.ts';

/** What a person asks in the search box: text, and what narrows it. */
export type TypedQuery = Pick<
  SearchQuery,
  'text' | 'phrases' | 'without' | 'types' | 'repositories' | 'languages' | 'frameworks' | 'paths'
>;

/** A qualifier of the box, by the filter that it sets. */
export const qualifiers = {
  type: 'types',
  repo: 'repositories',
  language: 'languages',
  lang: 'languages',
  framework: 'frameworks',
  path: 'paths',
} as const satisfies Record<string, keyof TypedQuery>;
type Qualifier = keyof typeof qualifiers;

const typeNames = new Map(nodeTypeSchema.options.map((type) => [type.toLowerCase(), type]));
/** `-name:"quoted value"`, or what stands between spaces. */
const PIECES = /(?<minus>-?)(?:(?<name>[a-z]+):)?"(?<quoted>[^"]*)"(?=\s|$)|(?<bare>\S+)/giu;

/**
 * Reads `type:class repo:koa "quoted phrase" -not`. Whatever is no such syntax (a qualifier that there is not, a lone quote, a
 * dash before no word) is text.
 */
export function typedQuery(box: string): TypedQuery {
  const texts: string[] = [];
  const phrases: string[] = [];
  const without: string[] = [];
  const filters: Partial<Record<(typeof qualifiers)[Qualifier], string[]>> = {};
  for (const { 0: piece, groups = {} } of box.matchAll(PIECES)) {
    const { minus, name, quoted, bare } = groups;
    const [, key = name, value = quoted] = /^([a-z]+):(.*)$/iu.exec(bare ?? '') ?? [];
    const set = key === undefined ? null : filterOf(key.toLowerCase(), value ?? '', quoted === undefined);
    if (set !== null && !minus) {
      // One that has no value yet is still being typed.
      if (set.values.length > 0) (filters[set.filter] ??= []).push(...set.values);
    } else if (quoted !== undefined && name === undefined) {
      (minus ? without : phrases).push(quoted);
      if (!minus) texts.push(quoted);
    } else if (bare !== undefined && /^-[\p{L}\p{N}]/u.test(bare)) {
      without.push(bare.slice(1));
    } else {
      texts.push(piece);
    }
  }
  const { types, ...others } = filters;
  return {
    text: texts.join(' '),
    ...(phrases.length === 0 ? {} : { phrases }),
    ...(without.length === 0 ? {} : { without }),
    ...(types === undefined ? {} : { types: types as NodeType[] }),
    ...others,
  };
}

/** Null where the name is no qualifier or has no such value. */
function filterOf(name: string, value: string, listed: boolean) {
  if (!isQualifier(name)) return null;
  const filter = qualifiers[name];
  const values = (listed ? value.split(',') : [value]).map((each) => each.trim()).filter((each) => each !== '');
  if (filter !== 'types') return { filter, values };
  const types = values.map((each) => typeNames.get(each.toLowerCase()));
  return types.every((type) => type !== undefined) ? { filter, values: types } : null;
}

/** Is this the name of a qualifier? */
export function isQualifier(name: string): name is Qualifier {
  return Object.hasOwn(qualifiers, name);
}

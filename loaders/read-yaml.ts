import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { LineCounter } from 'yaml';

/** Loaded with the first document: each thread that reads code would load it, and most never meet one. */
const yaml = () => (loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml);
let loaded: typeof Yaml | undefined;

/** Deeper than people write; maps, lists and their pairs each count. */
const deepest = 100;
const maxAliases = 100;

/**
 * Parses YAML that may be made to do harm. Throws what is wrong with it: also where it nests too deeply, for keys that are maps take
 * the cube of their depth, or where its aliases grow without end.
 */
export function readYaml(text: string, lineCounter?: LineCounter) {
  const document = yaml().parseDocument(text, {
    logLevel: 'silent',
    uniqueKeys: false,
    prettyErrors: false,
    ...(lineCounter && { lineCounter }),
  });
  const [error] = document.errors;
  if (error) throw error;
  if (isDeep(document.contents)) throw new Error('It is nested too deeply.');
  return { document, value: document.toJS({ maxAliasCount: maxAliases }) as unknown };
}

function isDeep(node: unknown, depth = 0): boolean {
  const { isCollection, isPair } = yaml();
  if (depth > deepest) return true;
  if (isPair(node)) return isDeep(node.key, depth + 1) || isDeep(node.value, depth + 1);
  return isCollection(node) && node.items.some((item) => isDeep(item, depth + 1));
}

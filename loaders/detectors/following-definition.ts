import type { Definition } from '../facts/fact.ts';

/** What an annotation speaks of. */
export interface Following {
  name: string;
  isClass: boolean;
  /** Index of the facts' definition; -1 where the language has no facts. */
  definition: number;
  /** Offsets in the text: where it begins and ends. */
  from: number;
  to: number;
}

const functionKinds: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);
/** Other annotations, then the head of a class or a function, in languages without facts. */
// Bounded: it is asked of 2,000 characters.
const head =
  /^(?:\s|\/\/[^\n]*\n|@[\w.]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?|\[[^\]\n]*\]|#\[[^\]\n]*\]|\))*((?:[\w<>[\]?,.:]+[ \t]+){0,8}?)(?:(class|interface|struct|record|object)[ \t]+(\w+)|(?:fun|fn|function|def)[ \t]+(\w+)|(\w+)[ \t]*\()/;

/** The class or function whose head comes next after an annotation that ends at `end`; null where there is none. */
export function followingDefinition(
  text: string,
  end: number,
  line: number,
  definitions: readonly Definition[],
): Following | null {
  if (definitions.length > 0) return fromFacts(text, line, definitions);
  const match = head.exec(text.slice(end, end + 2_000));
  if (!match) return null;
  const name = match[3] ?? match[4] ?? match[5] ?? '';
  const from = end + match[0].length;
  return { name, isClass: match[2] !== undefined, definition: -1, from, to: endOfBraces(text, from) };
}

function fromFacts(text: string, line: number, definitions: readonly Definition[]): Following | null {
  let next = -1;
  for (const [index, { name, line: at }] of definitions.entries()) {
    if (name === '' || at < line) continue;
    if (next < 0 || at < (definitions[next]?.line ?? 0)) next = index;
  }
  const found = definitions[next];
  if (!found) return null;
  return {
    name: found.name,
    isClass: !functionKinds.has(found.kind),
    definition: next,
    from: offsetOf(text, found.line),
    to: offsetOf(text, found.endLine + 1) - 1,
  };
}

function offsetOf(text: string, line: number): number {
  let at = 0;
  for (let seen = 1; seen < line; seen++) {
    const next = text.indexOf('\n', at);
    if (next === -1) return text.length;
    at = next + 1;
  }
  return at;
}

/** Behind the block in braces that begins next; strings with braces in them are rare enough. */
function endOfBraces(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && --depth <= 0) return at;
    else if (text[at] === ';' && depth === 0) return at;
  }
  return text.length;
}

/** The arguments of a call, from behind its opening bracket (or a comma) to where it closes; the last may be cut off. */
export function argumentsAt(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let quote = '';
  let from = 0;
  let at = 0;
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'" || char === '`') quote = char;
    else if (char === '(' || char === '[' || char === '{') depth += 1;
    else if (char === ')' || char === ']' || char === '}') {
      if (depth === 0) break;
      depth -= 1;
    } else if (char === ',' && depth === 0) {
      found.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  const last = text.slice(from, at).trim();
  return last === '' ? found : [...found, last];
}

const inline = /=>|\bfunction\b|\bfunc\b|\blambda\b|^\s*(?:async\s*)?\||\{/;

/** The name of the function that answers, in what follows an endpoint's path: of the last argument; null where it is written there. */
export function handlerIn(text: string): string | null {
  const last = argumentsAt(text).at(-1);
  if (last === undefined || inline.test(last)) return null;
  const plain = last.replace(/\.(?:as_view|bind)\b[^]*$/, '').replace(/\(\)$/, '');
  // What wraps a handler is given it last: `asyncHandler(users.list)`.
  const name = /(?<![\w$])([A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*)[\s)\]]*$/.exec(plain)?.[1];
  return name ?? null;
}

/** Methods called one after another from `at` on, each with its handler. */
export function methodChain(text: string, at: number): { method: string; handler: string | null }[] {
  const found: { method: string; handler: string | null }[] = [];
  const next = /\s*\.\s*(get|post|put|patch|delete|del|head|options|all)\s*\(/y;
  for (next.lastIndex = at; found.length < 12;) {
    const match = next.exec(text);
    if (!match) break;
    const end = closingBracket(text, next.lastIndex);
    found.push({ method: match[1] ?? '', handler: handlerIn(text.slice(next.lastIndex, end)) });
    next.lastIndex = end + 1;
  }
  return found;
}

/** Where the bracket closes that was opened before `from`; no further than a long function. */
function closingBracket(text: string, from: number): number {
  let depth = 1;
  const end = Math.min(text.length, from + 5_000);
  for (let at = from; at < end; at++) {
    const char = text[at];
    if (char === '"' || char === "'") {
      // Within a line: an apostrophe in a comment ends with it.
      const close = text.indexOf(char, at + 1);
      const lineEnd = text.indexOf('\n', at);
      if (close !== -1 && (lineEnd === -1 || close < lineEnd)) at = close;
    } else if (char === '(') depth += 1;
    else if (char === ')' && --depth === 0) return at;
  }
  return end;
}

/** Where a request goes, as far as the code says it. */
export interface RequestTarget {
  /** Null where it is a setting. */
  host: string | null;
  /** `/users/{}`: what is computed is `{}`. */
  path: string;
}

const literal = /[rRfFbBuU$@]{0,2}(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g;

/**
 * Reads an expression that gives an address: a literal, one with values put in, several put together. Null where it names no path,
 * or none that could be told from another's.
 */
export function requestTarget(expression: string): RequestTarget | null {
  let text = '';
  let end = 0;
  // Bounded: an expression is cut out of at most 600 characters.
  for (const match of expression.matchAll(literal)) {
    // Between literals stands what is computed, unless it is only a call around them.
    if (/[\w)\]]\s*\+\s*$|^\s*\+?\s*[\w.]+\s*\+/.test(expression.slice(end, match.index))) text += '{}';
    text += match[1] ?? match[2] ?? match[3] ?? '';
    end = match.index + match[0].length;
    // Further arguments of a format are no part of it.
    if (!/^\s*\+/.test(expression.slice(end))) break;
  }
  if (/^\s*\+\s*\w/.test(expression.slice(end))) text += '{}';
  // Bounded: likewise.
  const computed = text
    .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}|\{[^{}]*\}|%[-+ #0]*\d*(?:\.\d+)?[sdvqxfi]/g, '{}')
    .replace(/[?#][^]*$/, '');
  const [, host] = /^(?:https?|wss?):\/\/(?:[^/@]*@)?([^/:]*)/.exec(computed) ?? [];
  const path = computed.replace(/^(?:https?|wss?):\/\/[^/]*/, '').replace(/^\{\}(?=\/)/, '');
  if (!path.startsWith('/')) return null;
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => (segment.includes('{}') ? '{}' : segment));
  return segments.every((segment) => segment === '{}')
    ? null
    : { host: host === undefined || host.includes('{}') ? null : host.toLowerCase(), path: `/${segments.join('/')}` };
}

/**
 * The address of an endpoint in one form, whatever its framework writes: `/users/:id`, `/users/<int:id>`, `^users/(?P<id>\d+)/$`
 * and `/users/[id]` are `/users/{id}`. No trailing slash; what matches anything is `{wildcard}`, and
 * `..` goes up.
 */
export function pathTemplate(path: string): string {
  let made = '';
  let at = 0;
  while (at < path.length) {
    const rest = path.slice(at);
    const parameter =
      // Regular expressions' groups, optional ones that frameworks add, then the forms of the others.
      take(rest, /^\(\?P?<(\w+)>/, ')') ??
      (/^\([./]?:/.test(rest) ? skip(rest, ')') : null) ??
      take(rest, /^\(()/, ')') ??
      take(rest, /^\{\$\}()/, null, '') ??
      take(rest, /^\$?\{[*.]{0,3}(\w*)/, '}') ??
      take(rest, /^<(?:[\w.]+(?:\([^)]*\))?:)?(\w+)/, '>') ??
      take(rest, /^\[{1,2}(?:\.{3})?(\w+)\]{1,2}/, null) ??
      // `{name}:cancel` is a verb of its own.
      (made.endsWith('}') ? null : take(rest, /^[:*](\w+)(?:\([^)]*\))?[?*+]?/, null)) ??
      take(rest, /^\*{1,2}()/, null);
    if (parameter) {
      made += parameter.name;
      at += parameter.length;
      continue;
    }
    const char = path[at] ?? '';
    // Of a regular expression: `\.` is a dot, the rest says nothing of the address.
    if (!'^$\\?'.includes(char)) made += char;
    at += 1;
  }
  const whole = `/${made}`
    .replaceAll(/\s/g, '')
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/\/[^/]+\/\.\.(?=\/|$)/g, '');
  return whole.length > 1 ? whole.replace(/\/$/, '') : whole;
}

interface Taken {
  name: string;
  length: number;
}

/** A parameter whose head is matched, up to its closing sign; null where there is none. */
function take(text: string, head: RegExp, close: string | null, unnamed = '{wildcard}'): Taken | null {
  const match = head.exec(text);
  if (!match) return null;
  const name = match[1] ? `{${match[1]}}` : unnamed;
  return { name, length: close === null ? match[0].length : closing(text, match[0].length, close) };
}

const skip = (text: string, close: string): Taken => ({ name: '', length: closing(text, 1, close) });

/** Behind the sign that closes what was opened before `from`. */
function closing(text: string, from: number, close: string): number {
  const open = close === ')' ? '(' : close === '}' ? '{' : '<';
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === open) depth += 1;
    else if (text[at] === close && --depth === 0) return at + 1;
  }
  return text.length;
}

import type { Groups, Pattern } from './detector.ts';
import { argumentsAt, handlerIn, methodChain } from './handlers.ts';

interface DeclaredEndpoint {
  method: string;
  path: string;
  /** Its name as written; null where it stands here. */
  handler: string | null;
}

/** The endpoints that one match of a pattern declares; it ends at `end` of the text. */
export function endpointsOf(pattern: Pattern, groups: Groups, text: string, end: number): readonly DeclaredEndpoint[] {
  const path = groups['path'] ?? '';
  const written = groups['handler'] ?? '';
  const name = (handler: string | null) =>
    handler !== null && pattern.handlerName ? pattern.handlerName(handler) : handler;
  if (pattern.expands) return pattern.expands(groups);
  if (pattern.chained)
    return methodChain(text, end).map((each) => ({
      path,
      method: httpMethod(each.method),
      handler: name(each.handler),
    }));
  if (pattern.calls)
    return [...(argumentsAt(written).at(-1) ?? '').matchAll(pattern.calls)].map(([, method = '', handler = '']) => ({
      path,
      method: httpMethod(method),
      handler: name(handler || null),
    }));
  // Go writes the method before the path: `GET /users/{id}`.
  const [, own, address = path] = /^([A-Z]+) +(?! )(.*)$/.exec(path) ?? [];
  const listed = pattern.methods ? [...(groups['arguments'] ?? written).matchAll(pattern.methods)] : [];
  const methods =
    own !== undefined
      ? [own]
      : groups['method'] !== undefined
        ? [groups['method']]
        : listed.length > 0
          ? listed.flatMap(([, names = '']) => names.match(/[A-Za-z]+/g) ?? [])
          : (pattern.otherwise ?? ['ANY']);
  const handler =
    groups['handler'] === undefined ? null : pattern.handlerName ? pattern.handlerName(written) : handlerIn(written);
  return methods.map((method) => ({ method: httpMethod(method), path: address, handler }));
}

/** A method as endpoints name it: in capitals, `ANY` for what answers all. */
export function httpMethod(name: string): string {
  const upper = name.toUpperCase();
  return upper === 'DEL' ? 'DELETE' : ['ALL', 'ANY', 'MATCH', 'REQUEST', 'USE'].includes(upper) ? 'ANY' : upper;
}

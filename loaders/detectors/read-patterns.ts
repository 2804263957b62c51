import type { Definition } from '../facts/fact.ts';
import type { Detector, Found, Groups, Pattern } from './detector.ts';
import { endpointsOf, httpMethod } from './endpoints-of.ts';
import { followingDefinition, type Following } from './following-definition.ts';
import { argumentsAt } from './handlers.ts';
import { pathTemplate } from './path-template.ts';
import { requestTarget } from './request-target.ts';

/** A file made to hold more tells nothing. */
export const maxFound = 2_000;

interface Scope {
  prefix: string;
  from: number;
  to: number;
}

/** What the patterns of one detector have found so far in a text. */
interface Reading {
  text: string;
  definitions: readonly Definition[];
  /** Prefixes, and the part of the text in which each holds. */
  scopes: Scope[];
  /** Variables that are routers. */
  routers: Set<string>;
  found: (Found & { at: number })[];
}

/** A pattern that fits, and where. */
interface Match {
  pattern: Pattern;
  groups: Groups;
  /** Offsets in the text, and the line on which it begins. */
  at: number;
  end: number;
  line: number;
  /** What an annotation speaks of. */
  target: Following | null;
}

/** What a match says, by what its pattern gives. */
const readers: Record<Pattern['gives'], (reading: Reading, match: Match) => void> = {
  scope: readScope,
  router: readRouter,
  mount: readMount,
  request: readRequest,
  model: readModel,
  endpoint: readEndpoint,
};

/** All that a detector's patterns find in a text, in the order of the patterns. */
export function readPatterns(
  detector: Detector,
  text: string,
  path: string,
  definitions: readonly Definition[],
): Found[] {
  const lineAt = lineIndex(text);
  const reading: Reading = { text, definitions, scopes: [], routers: new Set(), found: [] };
  for (const pattern of detector.patterns ?? []) {
    let matches = 0;
    for (const match of text.matchAll(pattern.expression)) {
      if (++matches > maxFound) break;
      const at = match.index + (match[0].length - match[0].trimStart().length);
      const end = match.index + match[0].length;
      const target = pattern.annotates ? followingDefinition(text, end, lineAt(end), definitions) : null;
      readers[pattern.gives](reading, { pattern, groups: match.groups ?? {}, at, end, line: lineAt(at), target });
    }
  }
  return inScopes(reading, detector, detector.location?.(path) ?? '');
}

/** What was found, without endpoints of what is no router, and with the prefixes that hold where it stands. */
function inScopes({ scopes, routers, found }: Reading, detector: Detector, location: string): Found[] {
  const prefixesAt = (at: number) =>
    scopes
      .filter(({ from, to }) => from <= at && at <= to)
      .toSorted((a, b) => a.from - b.from)
      .map(({ prefix }) => prefix);
  return found
    .filter(
      (each) =>
        each.gives !== 'endpoint' ||
        each.router === null ||
        detector.routers === undefined ||
        routers.has(each.router) ||
        detector.routers.test(each.router),
    )
    .slice(0, maxFound)
    .map(({ at, ...each }): Found => {
      if (each.gives === 'endpoint')
        return { ...each, path: pathTemplate([location, ...prefixesAt(at), each.path].join('/')) };
      if (each.gives === 'mount') return { ...each, prefix: [location, ...prefixesAt(at), each.prefix].join('/') };
      return each;
    });
}

function readScope({ text, scopes }: Reading, { pattern, groups, at, end, target }: Match): void {
  // A block does not hold the line that opens it.
  const from = target ? Math.min(at, target.from) : end;
  const to = target ? target.to : endOfBlock(text, at);
  const prefix = prefixOf(pattern, groups) || (groups['path'] ?? '');
  scopes.push({ prefix: named(prefix, target?.name), from, to });
}

function readRouter({ routers, found }: Reading, { pattern, groups, at, line }: Match): void {
  const router = groups['router'] ?? '';
  routers.add(router);
  // The first pattern says most.
  if (found.some((each) => each.gives === 'router' && each.router === router && each.line === line)) return;
  found.push({ gives: 'router', router, prefix: prefixOf(pattern, groups), on: onOf(groups), line, at });
}

function readMount({ routers, found, definitions }: Reading, { pattern, groups, at, line }: Match): void {
  // A function that is given a variable is given a router only where that is one.
  if (groups['given'] !== undefined && !routers.has(groups['given'])) return;
  // Middleware may stand before what is mounted.
  const router = argumentsAt(groups['router'] ?? '')
    .map(nameOf)
    .findLast((name) => name !== null);
  if (!router) return;
  const within = definitionAround(definitions, line);
  found.push({ gives: 'mount', router, prefix: prefixOf(pattern, groups), on: onOf(groups), line, at, within });
}

function readRequest({ found }: Reading, { pattern, groups, at, line }: Match): void {
  const written = argumentsAt(groups['url'] ?? '');
  const target = requestTarget(written[0] ?? '');
  if (!target) return;
  const own = pattern.methods ? [...written.join(' ').matchAll(pattern.methods)][0]?.[1] : undefined;
  const method = httpMethod(groups['method'] ?? own ?? pattern.otherwise?.[0] ?? 'GET');
  found.push({ gives: 'request', method, ...target, line, at });
}

function readModel({ found, definitions }: Reading, { pattern, groups, at, line, target }: Match): void {
  const name = groups['name'] ?? target?.name ?? groups['table'] ?? '';
  if (name === '') return;
  const definition = target?.definition ?? definitionNamed(definitions, name, line);
  const body = groups['body'];
  const fields = body && pattern.fields ? [...body.matchAll(pattern.fields)].map(([, field = '']) => field) : [];
  found.push({ gives: 'model', name, table: groups['table'] ?? null, fields, line, definition, at });
}

function readEndpoint({ text, scopes, found, definitions }: Reading, match: Match): void {
  const { pattern, groups, at, end, line, target } = match;
  if (target?.isClass) {
    scopes.push({ prefix: named(groups['path'] ?? '', target.name), from: at, to: target.to });
    return;
  }
  for (const { method, path, handler } of endpointsOf(pattern, groups, text, end)) {
    found.push({
      gives: 'endpoint',
      method,
      path,
      line,
      router: groups['router'] ?? null,
      handler: target ? (target.definition >= 0 ? null : target.name) : handler,
      definition: target?.definition ?? -1,
      within: definitionAround(definitions, line),
      at: target?.from ?? at,
    });
  }
}

function prefixOf(pattern: Pattern, groups: Groups): string {
  return pattern.prefixOf?.(groups) ?? groups['prefix'] ?? '';
}

/** The router on which another one is declared or mounted. */
function onOf(groups: Groups): string | null {
  return groups['on'] ?? groups['given'] ?? null;
}

/** Index of the innermost definition around a line; -1 where there is none. */
function definitionAround(definitions: readonly Definition[], line: number): number {
  let inner = -1;
  for (const [index, { name, line: from, endLine }] of definitions.entries())
    if (name !== '' && from <= line && line <= endLine) inner = index;
  return inner;
}

function definitionNamed(definitions: readonly Definition[], name: string, line: number): number {
  return definitions.findIndex((each) => each.name === name && Math.abs(each.line - line) <= 1);
}

/** ASP.NET's `[controller]` is the class's own name. */
const named = (prefix: string, name = '') =>
  prefix.replaceAll('[controller]', name.replace(/Controller$/, '').toLowerCase());

/** A chain of names, also where it is called: `users.routes()` is `users.routes`; null for anything else. */
function nameOf(text: string): string | null {
  const required = /^require\(\s*["']([^"']+)["']\s*\)/.exec(text.trim())?.[1];
  return (
    required ??
    /^&?([\w$]+(?:(?:\.|::)[\w$]+)*)(?:\(\))?$/.exec(text.trim())?.[1] ??
    /^([\w./@-]+)$/.exec(text.trim())?.[1] ??
    null
  );
}

function lineIndex(text: string): (at: number) => number {
  const starts: number[] = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Where the block ends that begins on the line at `at`: before the next line that is indented no deeper. */
function endOfBlock(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at) + 1;
  const indent = /^[ \t]*/.exec(text.slice(start, at + 1))?.[0].length ?? 0;
  let line = text.indexOf('\n', at) + 1;
  for (; line > 0 && line < text.length; line = text.indexOf('\n', line) + 1) {
    const [space = ''] = /^[ \t]*/.exec(text.slice(line, line + 200)) ?? [];
    const first = text[line + space.length];
    if (first !== undefined && first !== '\n' && first !== '\r' && space.length <= indent) return line - 1;
  }
  return text.length;
}

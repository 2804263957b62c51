import type { FileFacts } from '../facts/fact.ts';
import { classifyLines, COMMENT } from '../languages/reading/classify-lines.ts';
import { commentSyntax } from '../languages/reading/comment-syntax.ts';
import type { Detection, Detector, Found, Pattern } from './detector.ts';
import { argumentsAt, handlerIn, methodChain } from './handlers.ts';
import { detectorsFor } from './index.ts';
import { requestTarget } from './request-target.ts';
import { pathTemplate } from './path-template.ts';
import { followingDefinition } from './following-definition.ts';

/** A file as detectors see it. */
export interface DetectedFile {
  source: string;
  path: string;
  linguist: string | null;
  /** Null where the language has no extractor. */
  facts: FileFacts | null;
}

/** A file made to hold more tells nothing. */
const maxFound = 2_000;
const imports = /^[ \t]*(?:use|using|require|import|from|include)\b[ \t(]*["'<]?([\w\\.:/@-]+)/gm;

/** Endpoints and data models that one file declares, by every detector that it is for; pure, and nothing is parsed again. */
export function detect(file: DetectedFile): Detection[] {
  const { source, path, linguist, facts } = file;
  const fitting = detectorsFor(linguist, path);
  if (fitting.length === 0) return [];
  const modules = facts
    ? facts.imports.map(({ module }) => module)
    : [...source.matchAll(imports)].map(([, module = '']) => module);
  const used = fitting
    .map((detector) => ({
      detector,
      imported: detector.uses === undefined || modules.some((module) => detector.uses?.test(module)),
    }))
    .filter(({ detector, imported }) => (imported || detector.handedOn) && mayFind(detector, source));
  if (used.length === 0) return [];
  const text = withoutComments(source, linguist);
  const detections = used.flatMap(({ detector, imported }): Detection[] => {
    const found = detector.read ? readWhole(detector, file) : patternsIn(detector, text, file);
    return found.length === 0 ? [] : [{ detector: detector.id, imported, found }];
  });
  // Where the file says which framework it uses, others of the same form are none.
  const said = new Set(
    detections
      .filter(({ imported }) => imported)
      .flatMap(({ found }) => found.map(({ gives, line }) => `${gives} ${line}`)),
  );
  return detections
    .map((each) =>
      each.imported ? each : { ...each, found: each.found.filter(({ gives, line }) => !said.has(`${gives} ${line}`)) },
    )
    .filter(({ found }) => found.length > 0);
}

/** Told from the text as it is, comments too: those are looked for only where there is something. */
function mayFind({ hint, patterns }: Detector, source: string): boolean {
  return hint.test(source) && (patterns?.some(({ expression }) => source.search(expression) >= 0) ?? true);
}

/** A document that can't be parsed says nothing. */
function readWhole(detector: Detector, { source, path }: DetectedFile): Found[] {
  try {
    return [...(detector.read?.(source, path) ?? [])].slice(0, maxFound);
  } catch {
    return [];
  }
}

interface Scope {
  prefix: string;
  from: number;
  to: number;
}

function patternsIn(detector: Detector, text: string, { path, facts }: DetectedFile): Found[] {
  const lineAt = lineIndex(text);
  const definitions = facts?.definitions ?? [];
  const location = detector.location?.(path) ?? '';
  const scopes: Scope[] = [];
  const found: (Found & { at: number })[] = [];
  const routers = new Set<string>();

  for (const pattern of detector.patterns ?? []) {
    let matches = 0;
    for (const match of text.matchAll(pattern.expression)) {
      if (++matches > maxFound) break;
      read(pattern, match);
    }
  }
  const inScopes = (at: number) =>
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
    .map(({ at, ...each }): Found =>
      each.gives === 'endpoint' || each.gives === 'mount'
        ? each.gives === 'endpoint'
          ? { ...each, path: pathTemplate([location, ...inScopes(at), each.path].join('/')) }
          : { ...each, prefix: [location, ...inScopes(at), each.prefix].join('/') }
        : each,
    );

  function read(pattern: Pattern, match: RegExpExecArray): void {
    const groups = match.groups ?? {};
    const at = match.index + (match[0].length - match[0].trimStart().length);
    const end = match.index + match[0].length;
    const line = lineAt(at);
    const target = pattern.annotates ? followingDefinition(text, end, lineAt(end), definitions) : null;
    const prefix = pattern.prefixOf?.(groups) ?? groups['prefix'] ?? '';
    const router = groups['router'] ?? '';
    const on = groups['on'] ?? groups['given'] ?? null;
    switch (pattern.gives) {
      case 'scope': {
        // A block does not hold the line that opens it.
        const from = target ? Math.min(at, target.from) : end;
        const until = target ? target.to : endOfBlock(text, at);
        scopes.push({
          prefix: named(prefix || (groups['path'] ?? ''), target?.name),
          from,
          to: until,
        });
        return;
      }
      case 'router':
        routers.add(router);
        // The first pattern says most.
        if (found.some((each) => each.gives === 'router' && each.router === router && each.line === line)) return;
        found.push({ gives: 'router', router, prefix, on, line, at });
        return;
      case 'mount': {
        // A function that is given a variable is given a router only where that is one.
        if (groups['given'] !== undefined && !routers.has(groups['given'])) return;
        // Middleware may stand before what is mounted.
        const [mounted] = argumentsAt(router)
          .map(nameOf)
          .filter((name) => name !== null)
          .slice(-1);
        if (mounted) found.push({ gives: 'mount', router: mounted, prefix, on, line, at, within: around(line) });
        return;
      }
      case 'request': {
        const written = groups['url'] ?? '';
        const target = requestTarget(argumentsAt(written)[0] ?? '');
        const own = pattern.methods ? [...argumentsAt(written).join(' ').matchAll(pattern.methods)][0]?.[1] : undefined;
        const method = methodOf(groups['method'] ?? own ?? pattern.otherwise?.[0] ?? 'GET');
        if (target) found.push({ gives: 'request', method, ...target, line, at });
        return;
      }
      case 'model': {
        const name = groups['name'] ?? target?.name ?? groups['table'] ?? '';
        const definition = target?.definition ?? definitionNamed(name, line);
        const body = groups['body'];
        const fields = body && pattern.fields ? [...body.matchAll(pattern.fields)].map(([, field = '']) => field) : [];
        if (name !== '')
          found.push({ gives: 'model', name, table: groups['table'] ?? null, fields, line, definition, at });
        return;
      }
      case 'endpoint':
        if (target?.isClass) {
          scopes.push({ prefix: named(groups['path'] ?? '', target.name), from: at, to: target.to });
          return;
        }
        for (const { method, path: added, handler } of endpointsOf(pattern, match, end)) {
          found.push({
            gives: 'endpoint',
            method,
            path: added,
            line,
            router: groups['router'] ?? null,
            handler: target ? (target.definition >= 0 ? null : target.name) : handler,
            definition: target?.definition ?? -1,
            within: around(line),
            at: target?.from ?? at,
          });
        }
    }
  }

  function endpointsOf(pattern: Pattern, match: RegExpExecArray, end: number) {
    const groups = match.groups ?? {};
    const path = groups['path'] ?? '';
    const written = groups['handler'] ?? '';
    const name = (handler: string | null) =>
      handler !== null && pattern.handlerName ? pattern.handlerName(handler) : handler;
    if (pattern.expands) return pattern.expands(groups);
    if (pattern.chained)
      return methodChain(text, end).map((each) => ({
        path,
        method: methodOf(each.method),
        handler: name(each.handler),
      }));
    if (pattern.calls)
      return [...(argumentsAt(written).at(-1) ?? '').matchAll(pattern.calls)].map(([, method = '', handler = '']) => ({
        path,
        method: methodOf(method),
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
    return methods.map((method) => ({ method: methodOf(method), path: address, handler }));
  }

  function around(line: number): number {
    let inner = -1;
    for (const [index, { name, line: from, endLine }] of definitions.entries())
      if (name !== '' && from <= line && line <= endLine) inner = index;
    return inner;
  }

  function definitionNamed(name: string, line: number): number {
    return definitions.findIndex((each) => each.name === name && Math.abs(each.line - line) <= 1);
  }
}

const methodOf = (name: string) => {
  const upper = name.toUpperCase();
  return upper === 'DEL' ? 'DELETE' : ['ALL', 'ANY', 'MATCH', 'REQUEST', 'USE'].includes(upper) ? 'ANY' : upper;
};

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

/** Comments as spaces, so that what they show is not found, and every character keeps its place. */
function withoutComments(source: string, linguist: string | null): string {
  const kinds = classifyLines(source, commentSyntax(linguist));
  if (!kinds.includes(COMMENT)) return source;
  return source
    .split('\n')
    .map((line, index) => (kinds[index] === COMMENT ? ' '.repeat(line.length) : line))
    .join('\n');
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

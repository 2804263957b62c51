import { firstOf, maxListed } from '../../src/model/architecture.ts';
import type { Architecture } from '../../src/model/architecture.ts';
import type { Detection } from '../detectors/detector.ts';
import type { Document } from '../facts/document.ts';
import type { Definition, FileFacts } from '../facts/fact.ts';
import type { ResolvedEdge } from '../resolution/resolution.ts';
import type { OpenSnapshot } from '../snapshot/snapshot.ts';

type DeadCode = NonNullable<Architecture['dead_code']>;
type Candidate = DeadCode['items'][number] & { name: string; word: string };

/** A text is looked through up to this size. */
const maxBytes = 2_000_000;
/** A shorter name is another word as well. */
const minName = 3;

/** What is called from outside by its name: of programs, of languages, of test runners. */
const entryPoint =
  /^(?:main|init|setup|teardown|register|activate|deactivate|configure|__\w+__|test\w*|[Tt]est[A-Z_]\w*)$/i;
const wordOf = (name: string) => name.replace(/^[#$@]+|[?!=]$/g, '');
const isWord = (word: string) => word.length >= minName && /^[A-Za-z_]\w*$/.test(word);
const words = /[A-Za-z_]\w*/g;
/** A line before a definition that hands it to somebody: a decorator, an annotation, an attribute. */
const handedOn = /^\s*(?:@|#\[|\[[A-Z])/;
const commentOrBlank = /^\s*(?:$|\/\/|\*|\/\*|#(?!\[)|--)/;

/**
 * Functions and classes of production that nothing calls, extends or imports, and whose name no text of the repository has but their own:
 * neither exported by a package, nor entry point, override, route or test. One pass over the edges, the definitions and the texts.
 */
export async function deadCode(
  opened: OpenSnapshot,
  {
    documents,
    edges,
    isProduction,
    publishes,
    detections,
  }: {
    documents: readonly Document[];
    edges: Iterable<ResolvedEdge>;
    isProduction: (path: string) => boolean;
    /** What is exported may be used by others. */
    publishes: boolean;
    detections: ReadonlyMap<string, readonly Detection[]>;
  },
): Promise<DeadCode> {
  const used = new Set<number>();
  for (const { from, to } of edges)
    if (from.document !== to.document || from.definition !== to.definition) used.add(numberOf(to));
  const candidates = new Map<string, Candidate[]>();
  for (const [document, { path, facts, release }] of documents.entries()) {
    if (!isProduction(path) || detections.has(path)) continue;
    const declared = declaredIn(facts);
    const found = facts.definitions.flatMap((definition, index) =>
      !declared.has(index) || used.has(numberOf({ document, definition: index }))
        ? []
        : (candidateOf(path, facts, definition, publishes) ?? []),
    );
    if (found.length > 0) candidates.set(path, found);
    release?.();
  }
  const named = await unnamed(opened, candidates);
  named.sort(
    (a, b) =>
      (a.confidence < b.confidence ? -1 : a.confidence > b.confidence ? 1 : 0) ||
      b.end_line - b.line - (a.end_line - a.line) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
  return firstOf(
    named.map(({ word: _word, ...each }) => each),
    maxListed.deadCode,
  );
}

const numberOf = ({ document, definition }: { document: number; definition: number }) =>
  document * 2 ** 24 + definition;

/** What has a name that others could use; a function that is written where it is handed on has its name for itself alone. */
function declaredIn({ scopes, definitions }: FileFacts): Set<number> {
  const bound = scopes.flatMap(({ bindings, definition: own }) =>
    bindings.flatMap(({ definition }) => (definition >= 0 && definition !== own ? [definition] : [])),
  );
  const members = definitions.flatMap((each) => each.members.map(({ definition }) => definition));
  const apart = definitions.flatMap(({ receiver }, index) => (receiver ? [index] : []));
  return new Set([...bound, ...members, ...apart]);
}

const kinds: ReadonlySet<string> = new Set(['function', 'method', 'class', 'interface', 'struct', 'enum', 'record']);

/** Whose methods are called on whatever has them. */
const asksWithoutTypes: ReadonlySet<string> = new Set(['python', 'ruby', 'javascript', 'typescript', 'php', 'lua']);

function candidateOf(
  path: string,
  { definitions, language }: Pick<FileFacts, 'definitions' | 'language'>,
  definition: Definition,
  publishes: boolean,
): Candidate | null {
  const { kind, name, line, endLine, exported, isAbstract, bases, owner, receiver } = definition;
  const word = wordOf(name);
  if (!kinds.has(kind) || !isWord(word) || entryPoint.test(word) || isAbstract || (exported && publishes)) return null;
  // It may be registered by what it extends, or stand in the place of what is above it.
  const around = definitions[owner];
  if (bases.length > 0 || (around && around.bases.length > 0) || (around && around.kind === 'object')) return null;
  // What a type is asked for by the language or others, no file says: interfaces that are met without a word.
  if (receiver && exported) return null;
  // What others ask a value for without a word, a method of a class that nobody sees answers all the same.
  const isAsked = kind === 'method' && !/^[_#]/.test(name) && asksWithoutTypes.has(language);
  const whose = exported ? 'the repository publishes no package that exports it' : 'it is not exported';
  return {
    path,
    line,
    end_line: endLine,
    name,
    kind,
    confidence: exported || isAsked ? 'medium' : 'high',
    reason: `nothing calls, extends or imports it, no text names it, and ${whose}`,
    word,
  };
}

/** Those whose name stands nowhere but in themselves, whatever the text is. */
async function unnamed(
  opened: OpenSnapshot,
  candidates: ReadonlyMap<string, readonly Candidate[]>,
): Promise<Candidate[]> {
  if (candidates.size === 0) return [];
  /** How often each name stands outside of what has it. */
  const outside = new Map([...candidates.values()].flat().map(({ word }) => [word, 0]));
  /** Names begin so that are put together: `visit_` of `visit_${kind}`. */
  const beginnings = new Set<string>();
  const handed = new Set<Candidate>();
  const decoder = new TextDecoder();
  const paths = opened.files.filter(({ size }) => size <= maxBytes).map(({ path }) => path);
  for await (const { path, content } of opened.read(paths)) {
    if (content === null || content.includes(0)) continue;
    const text = decoder.decode(content);
    for (const [word] of text.matchAll(words)) {
      const count = outside.get(word);
      if (count !== undefined) outside.set(word, count + 1);
      else if (word.endsWith('_') && word.length > 2) beginnings.add(word);
    }
    const own = candidates.get(path);
    if (own === undefined) continue;
    const lines = text.split('\n');
    for (const candidate of own) {
      if (isHandedOn(lines, candidate.line)) handed.add(candidate);
      const inside = lines.slice(candidate.line - 1, candidate.end_line).join('\n');
      const times = [...inside.matchAll(words)].filter(([word]) => word === candidate.word).length;
      outside.set(candidate.word, (outside.get(candidate.word) ?? 0) - times);
    }
  }
  const begun = (word: string) => {
    for (let at = word.indexOf('_', 1); at >= 0; at = word.indexOf('_', at + 1))
      if (beginnings.has(word.slice(0, at + 1))) return true;
    return false;
  };
  return [...candidates.values()]
    .flat()
    .filter((candidate) => outside.get(candidate.word) === 0 && !handed.has(candidate) && !begun(candidate.word));
}

function isHandedOn(lines: readonly string[], line: number): boolean {
  if (handedOn.test(lines[line - 1] ?? '')) return true;
  for (let at = line - 2; at >= 0 && line - at < 20; at--) {
    const before = lines[at] ?? '';
    if (handedOn.test(before)) return true;
    if (!commentOrBlank.test(before) && !/[,(]$|^\s*\)/.test(before)) return false;
  }
  return false;
}

import { firstOf, maxListed } from '../../src/model/architecture.ts';
import type { Architecture } from '../../src/model/architecture.ts';
import type { Detection } from '../detectors/detector.ts';
import type { Document } from '../facts/document.ts';
import type { Definition, FileFacts } from '../facts/fact.ts';
import type { ResolvedEdge } from '../resolution/resolution.ts';
import type { OpenSnapshot } from '../snapshot/snapshot.ts';

type DeadCode = NonNullable<Architecture['dead_code']>;

/** What may be dead, until something that lives is found to use it. */
interface Candidate {
  item: DeadCode['items'][number] & { name: string };
  /** The name as texts have it. */
  word: string;
}

/** A place that has a candidate, in the graph or in a text: it counts once nothing around it is dead. */
interface Use {
  of: Candidate;
  around: readonly Candidate[];
}

/** A text is looked through up to this size. */
const maxBytes = 2_000_000;
/** A shorter name is another word as well. */
const minName = 3;
/** So many lines above a definition what is found there may speak of it. */
const maxAbove = 3;
/** What precedes a name on its line, as far as is looked at. */
const maxBefore = 200;

/** What is called from outside by its name: of programs, of languages, of test runners. */
const entryPoint =
  /^(?:main|init|setup|teardown|register|activate|deactivate|configure|__\w+__|test\w*|[Tt]est[A-Z_]\w*)$/i;
const wordOf = (name: string) => name.replace(/^[#$@]+|[?!=]$/g, '');
const isWord = (word: string) => word.length >= minName && /^[A-Za-z_]\w*$/.test(word);
const words = /[A-Za-z_]\w*/g;
/** A line before a definition that hands it to somebody: a decorator, an annotation, an attribute. */
const handedOn = /^\s*(?:@|#\[|\[[A-Z])/;
const commentOrBlank = /^\s*(?:$|\/\/|\*|\/\*|#(?!\[)|--)/;
const comment = /^\s*(?:\/\/|\*\s|\/\*|#(?!\[|!|define|if|elif|undef))/;
/** What people read and nothing runs. */
const prose = /\.(?:md|markdown|rst|adoc|txt)$|(?:^|\/)(?:readme|changelog|changes|history|news|authors)[^/]*$/i;
/** Before a name where it is declared and not used; what stands in an interface without a word is not of these. */
const declares = /\b(?:func|function|def|fn|class|struct|interface|trait|enum|type|record)\s+(?:\([^()]*\)\s*)?$/;

/**
 * Functions and classes of production that nothing which lives calls, extends, imports or names: what is used by dead code alone is as
 * dead. They are neither offered to other repositories, nor entry point, override, route or test. One pass over the edges, the
 * definitions and the texts each; then what is used turns alive, and what that uses with it.
 */
export async function deadCode(
  opened: OpenSnapshot,
  {
    documents,
    edges,
    isProduction,
    isOffered,
    detections,
  }: {
    documents: readonly Document[];
    edges: Iterable<ResolvedEdge>;
    isProduction: (path: string) => boolean;
    /** Whether what a file exports may be used by others. */
    isOffered: (path: string, facts: FileFacts) => boolean;
    detections: ReadonlyMap<string, readonly Detection[]>;
  },
): Promise<DeadCode> {
  const { byDefinition, byPath } = candidatesOf(documents, (path, facts) =>
    isProduction(path)
      ? (definition) =>
          isDetected(detections.get(path) ?? [], definition) ? null : candidateOf(path, facts, definition, isOffered)
      : null,
  );
  const life = new Life([...byDefinition.values()]);
  for (const { from, to } of edges) {
    const of = byDefinition.get(numberOf(to));
    const place = documents[from.document];
    if (of === undefined || place === undefined) continue;
    const line = byPath.has(place.path) ? (place.facts.definitions[from.definition]?.line ?? 0) : 0;
    life.use({ of, around: aroundLine(byPath.get(place.path), line) });
  }
  await useByName(opened, byPath, life);
  const dead = life.dead().map(({ item }) => item);
  dead.sort(
    (a, b) =>
      (a.confidence < b.confidence ? -1 : a.confidence > b.confidence ? 1 : 0) ||
      b.end_line - b.line - (a.end_line - a.line) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
  return firstOf(dead, maxListed.deadCode);
}

/** What is dead until it is used from somewhere that lives. */
class Life {
  readonly #dead: Set<Candidate>;
  readonly #waiting = new Map<Candidate, Use[]>();

  constructor(candidates: readonly Candidate[]) {
    this.#dead = new Set(candidates);
  }

  isDead(candidate: Candidate): boolean {
    return this.#dead.has(candidate);
  }

  dead(): Candidate[] {
    return [...this.#dead];
  }

  /** Whoever is used by itself alone is used by nobody. */
  use(use: Use): void {
    const rising = [use];
    for (let next = rising.pop(); next; next = rising.pop()) {
      if (!this.#dead.has(next.of) || next.around.includes(next.of)) continue;
      const dead = next.around.find((each) => this.#dead.has(each));
      if (dead === undefined) {
        this.#dead.delete(next.of);
        rising.push(...(this.#waiting.get(next.of) ?? []));
        this.#waiting.delete(next.of);
      } else this.#waiting.set(dead, [...(this.#waiting.get(dead) ?? []), next]);
    }
  }
}

const numberOf = ({ document, definition }: { document: number; definition: number }) =>
  document * 2 ** 24 + definition;

const aroundLine = (candidates: readonly Candidate[] | undefined, line: number) =>
  candidates?.filter(({ item }) => item.line <= line && line <= item.end_line) ?? [];

/** Those of all documents, by definition and by path. */
function candidatesOf(
  documents: readonly Document[],
  choose: (path: string, facts: FileFacts) => ((definition: Definition) => Candidate | null) | null,
) {
  const byDefinition = new Map<number, Candidate>();
  const byPath = new Map<string, Candidate[]>();
  for (const [document, each] of documents.entries()) {
    const { path, facts } = each;
    const candidate = choose(path, facts);
    if (!candidate) continue;
    const declared = declaredIn(facts);
    for (const [index, definition] of facts.definitions.entries()) {
      const found = declared.has(index) ? candidate(definition) : null;
      if (!found) continue;
      byDefinition.set(numberOf({ document, definition: index }), found);
      const own = byPath.get(path);
      if (own) own.push(found);
      else byPath.set(path, [found]);
    }
    each.release?.();
  }
  return { byDefinition, byPath };
}

/** What has a name that others could use; a function that is written where it is handed on has its name for itself alone. */
function declaredIn({ scopes, definitions }: FileFacts): Set<number> {
  const bound = scopes.flatMap(({ bindings, definition: own }) =>
    bindings.flatMap(({ definition }) => (definition >= 0 && definition !== own ? [definition] : [])),
  );
  const members = definitions.flatMap((each) => each.members.map(({ definition }) => definition));
  const apart = definitions.flatMap(({ receiver }, index) => (receiver ? [index] : []));
  return new Set([...bound, ...members, ...apart]);
}

/** A framework calls it, or makes it of what stands there. */
const isDetected = (detections: readonly Detection[], { line, endLine }: Definition) =>
  detections.some(({ found }) =>
    found.some(
      ({ gives, line: at }) => (gives === 'endpoint' || gives === 'model') && line - maxAbove <= at && at <= endLine,
    ),
  );

const kinds: ReadonlySet<string> = new Set(['function', 'method', 'class', 'interface', 'struct', 'enum', 'record']);

/** Whose methods are called on whatever has them. */
const asksWithoutTypes: ReadonlySet<string> = new Set(['python', 'ruby', 'javascript', 'typescript', 'php', 'lua']);

function candidateOf(
  path: string,
  facts: FileFacts,
  { kind, name, line, endLine, exported, isAbstract, bases, owner, receiver }: Definition,
  isOffered: (path: string, facts: FileFacts) => boolean,
): Candidate | null {
  const { definitions, language } = facts;
  const word = wordOf(name);
  if (!kinds.has(kind) || !isWord(word) || entryPoint.test(word) || isAbstract) return null;
  if (exported && isOffered(path, facts)) return null;
  // It may be registered by what it extends, or stand in the place of what is above it.
  const around = definitions[owner];
  if (bases.length > 0 || (around && around.bases.length > 0) || (around && around.kind === 'object')) return null;
  // Rust's implementations of a trait stand around their methods and own none.
  const isOfTrait = (each: Definition) => each.kind === 'object' && each.bases.length > 0;
  if (receiver && definitions.some((each) => isOfTrait(each) && each.line <= line && line <= each.endLine)) return null;
  // What a type is asked for by the language or others, no file says: interfaces that are met without a word.
  if (receiver && (exported || /^[A-Z]/.test(name))) return null;
  // What others ask a value for without a word, a method of a class that nobody sees answers all the same.
  const isAsked = kind === 'method' && !/^[_#]/.test(name) && asksWithoutTypes.has(language);
  const whose = exported ? 'nobody outside can have it' : 'it is not exported';
  return {
    item: {
      path,
      line,
      end_line: endLine,
      name,
      kind,
      confidence: exported || isAsked ? 'medium' : 'high',
      reason: `nothing that lives calls, extends, imports or names it, and ${whose}`,
    },
    word,
  };
}

/** Whatever text has the name of a candidate uses it, unless it is a comment or prose, or declares another of that name. */
async function useByName(opened: OpenSnapshot, byPath: ReadonlyMap<string, readonly Candidate[]>, life: Life) {
  const named = Map.groupBy([...byPath.values()].flat(), ({ word }) => word);
  if (named.size === 0) return;
  /** Names begin so that are put together: `visit_` of `visit_${kind}`. */
  const beginnings = new Set<string>();
  const decoder = new TextDecoder();
  const paths = opened.files.filter(({ size, path }) => size <= maxBytes && !prose.test(path)).map(({ path }) => path);
  for await (const { path, content } of opened.read(paths)) {
    if (content === null || content.includes(0)) continue;
    const own = byPath.get(path);
    const lines = decoder.decode(content).split('\n');
    for (const candidate of own ?? [])
      if (isHandedOn(lines, candidate.item.line)) life.use({ of: candidate, around: [] });
    for (const [index, line] of lines.entries()) {
      if (comment.test(line)) continue;
      for (const { 0: word, index: at } of line.matchAll(words)) {
        const candidates = named.get(word);
        if (candidates === undefined) {
          if (word.endsWith('_') && word.length > 2) beginnings.add(word);
        } else if (!declares.test(line.slice(Math.max(0, at - maxBefore), at))) {
          const around = aroundLine(own, index + 1);
          for (const of of candidates) life.use({ of, around });
          if (!candidates.some((each) => life.isDead(each))) named.delete(word);
        }
      }
    }
  }
  for (const candidate of life.dead()) if (isBegun(candidate.word, beginnings)) life.use({ of: candidate, around: [] });
}

function isBegun(word: string, beginnings: ReadonlySet<string>): boolean {
  for (let at = word.indexOf('_', 1); at >= 0; at = word.indexOf('_', at + 1))
    if (beginnings.has(word.slice(0, at + 1))) return true;
  return false;
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

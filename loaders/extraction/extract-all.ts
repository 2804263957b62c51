import { createHash } from 'node:crypto';
import type { Rows, Skipped, Unparsed } from '../../src/model/snapshot.ts';
import type { Detection } from '../detectors/detector.ts';
import { isSchema } from '../detectors/index.ts';
import type { FileUse } from '../facts/file-use.ts';
import type { FileFlows } from '../facts/flow.ts';
import type { InsecureCode } from '../facts/insecure-code.ts';
import { languageOf } from '../languages/index.ts';
import { isAside } from '../snapshot/is-aside.ts';
import type { OpenSnapshot, SourceFile } from '../snapshot/snapshot.ts';
import { openCache, type Cache } from '../kept/cache.ts';
import { createRowSpool, type RowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import type { Document } from '../facts/document.ts';
import type { FileMeasures, Glance, Measures } from '../metrics/file-measures.ts';
import { maxBytes, openFactsSpool } from './facts-spool.ts';
import { ExtractionPool } from './pool.ts';
import type { FileRead, Wanted } from './pool.ts';
import { hearAll, rewriting, type Rewriting } from './hear-all.ts';

/**
 * Facts of every file in a language that is read, and measures of every file in a programming language, by path; from the cache
 * where the blob was seen before. A file that can't be read or breaks the parser is left out with its reason. Holds a few files' contents at a time.
 */
export async function extractAll(
  snapshot: OpenSnapshot,
  file: TemporaryFile,
  options: {
    cacheFile?: string | undefined;
    /** In place of it, for who reads several snapshots in turn, and closes its cache. */
    facts?: ReadsOfRun | undefined;
    analyzerVersion: string;
    wanted?: Wanted;
    /** The threads of who reads several snapshots in turn, and closes them; without it these are its own. */
    pool?: ExtractionPool | undefined;
    onProgress(done: number, total: number): void;
  },
): Promise<{
  documents: Document[];
  /** By path. */
  measures: Measures;
  /** By path. */
  detections: Map<string, readonly Detection[]>;
  /** Likewise. */
  insecure: Map<string, readonly InsecureCode[]>;
  /** Likewise, of those that say anything of others beside imports. */
  uses: Map<string, FileUse>;
  /** How data goes on from file to file, in no order; many lie on disk. */
  flows: Rows<FileFlows>;
  /** Of the source that is left out, by its path or by what is in it. */
  glances: Map<string, Glance>;
  skipped: Skipped[];
  cached: number;
  /** Of all documents. */
  lines: number;
  /** How many documents have such. */
  withSyntaxErrors: number;
  /** Of documents, the lines that say nothing to anybody, for the parser could not read them. */
  unparsed: Unparsed[];
}> {
  const { cacheFile, analyzerVersion, wanted = 'all' } = options;
  const own = cacheFile === undefined || options.facts ? null : openCache(cacheFile, 'facts', analyzerVersion);
  const cache = options.facts?.cache ?? own;
  const pool = options.pool ?? new ExtractionPool();
  const sources = snapshot.files.filter(({ path }) => languageOf(path)).length;
  const spool = openFactsSpool(file, sources > manyFiles ? maxBytes.large : maxBytes.usual);
  const documents: Document[] = [];
  const measured = createRowSpool<FileMeasures>(file, maxMeasures);
  const measuredRow = new Map<string, number>();
  const detections = new Map<string, readonly Detection[]>();
  const insecure = new Map<string, readonly InsecureCode[]>();
  const uses = new Map<string, FileUse>();
  const flows = createRowSpool<FileFlows>(file, maxFlows);
  const glances = new Map<string, Glance>();
  const skipped: Skipped[] = [];
  let [lines, withSyntaxErrors] = [0, 0];
  const unparsed: Unparsed[] = [];
  const isFollowed = followedIn(snapshot);
  const take = (path: string, { read, size }: HeldRead): void => {
    if (read.measures) {
      measuredRow.set(path, measured.length);
      measured.add(read.measures);
    }
    if (read.detections) detections.set(path, read.detections);
    if (read.insecure) insecure.set(path, read.insecure);
    if (read.use) uses.set(path, read.use);
    const { flows: own = [], names = [] } = read;
    if (own.length + names.length > 0 && isFollowed(path))
      flows.add({ path, flows: own, ...(names.length > 0 && { names }) });
    if (read.glance) glances.set(path, read.glance);
    if (read.facts) {
      lines += read.facts.lines;
      if (read.facts.syntaxErrors > 0) withSyntaxErrors++;
      if (read.facts.unparsed.length > 0) unparsed.push({ path, lines: read.facts.unparsed });
      documents.push(spool.add(path, read.facts, size));
    }
  };
  try {
    const read = snapshot.files.filter(
      ({ path, countedAs }) => countedAs.language !== null || languageOf(path) || isSchema(path),
    );
    const said = await hearAll(snapshot, read, cache);
    pool.said = said;
    // Nothing of it is in a graph.
    const source = wanted === 'graph' ? [] : snapshot.aside.filter(({ countedAs }) => countedAs.language !== null);
    const leftOut = new Set(source.map(({ path }) => path));
    const answers = said && rewriting(said);
    const { known, keep, forgetOthers } = keptBefore(cache, options.facts, { wanted, leftOut, answers });
    const files = [...read, ...source];
    const toRead: SourceFile[] = [];
    for (const file of files) {
      const before = known(file);
      if (before) take(file.path, before);
      else toRead.push(file);
    }
    forgetOthers();
    pool.expect(wanted, toRead);
    const cached = files.length - toRead.length;
    let [done, next] = [cached, 0];
    /** The pool has far fewer at a time, so waiting for the first of them holds nobody up. */
    const replies: Promise<void>[] = [];
    for await (const { path, content } of snapshot.read(toRead.map((file) => file.path))) {
      const file = toRead[next++];
      if (!content || !file) {
        skipped.push({ path, reason: 'unreadable' });
        continue;
      }
      const language = languageOf(path)?.id ?? null;
      const { reply } = await pool.extract({
        path,
        language,
        linguist: file.countedAs.language,
        byContent: file.countedAs.byContent ?? false,
        content,
        wanted,
        leftOut: leftOut.has(path),
        withGraph: wanted === 'measures' && cache !== null && pool.readsForGraph && !leftOut.has(path),
      });
      replies.push(
        reply.then((outcome) => {
          options.onProgress(++done, files.length);
          if (outcome.skipped) skipped.push(outcome.skipped);
          if (!outcome.read) return;
          const held = heldOf(decoder.decode(outcome.read));
          take(path, held);
          if (outcome.skipped) return;
          keep(file, outcome.read, outcome.asked ?? '', held);
          if (outcome.graph !== undefined) keep(file, outcome.graph, outcome.asked ?? '');
        }),
      );
      if (replies.length > maxReplies) await replies.shift();
    }
    await Promise.all(replies);
    documents.sort((a, b) => (a.path < b.path ? -1 : 1));
    spool.complete();
    const measures = measuresIn(measured, measuredRow);
    unparsed.sort((a, b) => (a.path < b.path ? -1 : 1));
    const found = { documents, measures, detections, insecure, uses, flows, glances };
    return { ...found, skipped, cached, lines, withSyntaxErrors, unparsed };
  } finally {
    if (!options.pool) await pool.close();
    own?.close();
  }
}

/** What was read of a file, how long it is as JSON, and whether the cache has it, too. */
interface HeldRead {
  read: FileRead;
  size: number;
  isCached: boolean;
}

/**
 * What is kept of what was read, for who reads several snapshots of one repository in turn. What is in memory is not in the cache, so a
 * version that is gone from one snapshot and back in a later one may be read again.
 */
export interface ReadsOfRun {
  cache: Cache;
  /** Of the snapshot before, by what it was read for and by key: as it is, for most of it is in the next one, too. */
  last: Map<Wanted, ReadonlyMap<string, HeldRead>>;
  /** By key what of the snapshot at hand was read for the graph, as JSON, until somebody asks for it. */
  unasked: Map<string, Uint8Array>;
}

/** Of what was read for one thing, as JSON; the rest is read from the cache again. */
const maxHeldBytes = 2 * 2 ** 20;

const decoder = new TextDecoder();

const heldOf = (json: string, isCached = false): HeldRead => ({
  read: JSON.parse(json) as FileRead,
  size: json.length,
  isCached,
});

/** What was read of files before, and what is to be kept for later. */
function keptBefore(
  cache: Cache | null,
  run: Omit<ReadsOfRun, 'cache'> | undefined,
  { wanted, leftOut, answers }: { wanted: Wanted; leftOut: ReadonlySet<string>; answers: Rewriting | null },
) {
  // With the path, as extraction depends on it (a Python package's `__init__.py`): a moved file is read again.
  const nameOf = (file: SourceFile, as: Wanted) => {
    const language = leftOut.has(file.path)
      ? `glance ${file.countedAs.language}`
      : (languageOf(file.path)?.id ?? file.countedAs.language ?? '');
    return `${file.blobId} ${as === 'all' ? '' : `${as} `}${language} ${file.path}`;
  };
  // With what other files say of the words that reading it asked for; null where that is not known.
  const keyOf = (file: SourceFile, as: Wanted, asked: string | null) => {
    const language = leftOut.has(file.path) ? null : languageOf(file.path);
    if (!answers || !language?.preprocessor) return nameOf(file, as);
    if (asked === null) return null;
    const hash = createHash('sha256').update(asked);
    for (const word of asked.split(' ')) hash.update(`\n${answers.answer(language, word) ?? ''}`);
    return `${nameOf(file, as)} ${hash.digest('hex')}`;
  };
  let before = run?.last.get(wanted);
  const unasked = run?.unasked ?? new Map<string, Uint8Array>();
  const held = new Map<string, HeldRead>();
  let [heldBytes, unaskedBytes] = [0, 0];
  if (wanted !== 'graph') {
    for (const [key, json] of unasked) cache?.put(key, json);
    unasked.clear();
  }
  /** In memory, or else in the cache. */
  const hold = (key: string, each: HeldRead, json?: Uint8Array): HeldRead => {
    if (run && heldBytes + each.size <= maxHeldBytes) {
      held.set(key, each);
      heldBytes += each.size;
    } else if (!each.isCached) cache?.put(key, json ?? JSON.stringify(each.read));
    return each;
  };
  const knownAs = (file: SourceFile, as: Wanted): HeldRead | null => {
    const key = cache && keyOf(file, as, answers && cache.get(`asked ${nameOf(file, as)}`));
    if (key === null) return null;
    const known = before?.get(key);
    if (known) return hold(key, known);
    const json = unasked.get(key);
    if (json) {
      unasked.delete(key);
      return hold(key, heldOf(decoder.decode(json)), json);
    }
    const text = cache?.get(key);
    return text ? hold(key, heldOf(text, true)) : null;
  };
  return {
    // Whoever read all of it read what the graph needs.
    known: (file: SourceFile) => knownAs(file, wanted) ?? (wanted === 'graph' ? knownAs(file, 'all') : null),
    /** Without `read` it is for the graph, for which nobody has asked yet. */
    keep(file: SourceFile, json: Uint8Array, asked: string, read?: HeldRead) {
      const as = read ? wanted : 'graph';
      const name = nameOf(file, as);
      const key = keyOf(file, as, asked);
      if (key !== name) cache?.put(`asked ${name}`, asked);
      if (key === null) return;
      if (read) hold(key, read, json);
      else if (run && unaskedBytes + json.length <= maxHeldBytes) {
        unasked.set(key, json);
        unaskedBytes += json.length;
      } else cache?.put(key, json);
    },
    /** All that may be known was asked for: what this snapshot has no more is not held while the rest is read. */
    forgetOthers() {
      before = undefined;
      run?.last.set(wanted, held);
    },
  };
}

/** Nobody asks for what tests and examples hand to each other. */
function followedIn({ files }: OpenSnapshot): (path: string) => boolean {
  const tests = new Set(files.filter(({ test }) => test).map(({ path }) => path));
  return (path) => !tests.has(path) && !isAside(path);
}

function measuresIn(rows: RowSpool<FileMeasures>, rowOf: ReadonlyMap<string, number>): Measures {
  return {
    has: (path) => rowOf.has(path),
    get(path) {
      const row = rowOf.get(path);
      return row === undefined ? undefined : rows.at(row);
    },
  };
}

const maxReplies = 256;
/** So many files that memory is worth some time. */
const manyFiles = 5_000;
/** In memory; each is as large as several rows of other kinds. */
const maxMeasures = 5_000;
/** Likewise, of files. */
const maxFlows = 2_000;

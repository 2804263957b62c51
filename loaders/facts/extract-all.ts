import type { Skipped } from '../../src/model/snapshot.ts';
import type { Detection } from '../detectors/detector.ts';
import { isSchema } from '../detectors/index.ts';
import type { InsecureCode } from '../detectors/insecure-code/find.ts';
import { languageOf } from '../languages/index.ts';
import type { OpenSnapshot, SourceFile } from '../snapshot/snapshot.ts';
import { openFactsCache } from './cache.ts';
import type { FileMeasures } from '../metrics/file-measures.ts';
import { openFactsSpool } from './facts-spool.ts';
import type { Document } from './facts-spool.ts';
import { ExtractionPool } from './pool.ts';
import type { FileRead } from './pool.ts';

export type { Document };

/**
 * Facts of every file in a language that is read, and measures of every file in a programming language, by path; from the cache
 * where the blob was seen before. A file that can't be read or breaks the parser is left out with its reason. Holds a few files' contents at a time.
 */
export async function extractAll(
  snapshot: OpenSnapshot,
  options: { cacheFile?: string | undefined; analyzerVersion: string; onProgress(done: number, total: number): void },
): Promise<{
  documents: Document[];
  measures: Map<string, FileMeasures>;
  /** By path. */
  detections: Map<string, readonly Detection[]>;
  /** Likewise. */
  insecure: Map<string, readonly InsecureCode[]>;
  skipped: Skipped[];
  cached: number;
  /** The documents' facts can't be asked for afterwards. */
  close(): void;
}> {
  const cache = options.cacheFile === undefined ? null : openFactsCache(options.cacheFile, options.analyzerVersion);
  const pool = new ExtractionPool();
  const spool = openFactsSpool();
  const documents: Document[] = [];
  const measures = new Map<string, FileMeasures>();
  const detections = new Map<string, readonly Detection[]>();
  const insecure = new Map<string, readonly InsecureCode[]>();
  const skipped: Skipped[] = [];
  const take = (path: string, json: string) => {
    const read = JSON.parse(json) as FileRead;
    if (read.measures) measures.set(path, read.measures);
    if (read.detections) detections.set(path, read.detections);
    if (read.insecure) insecure.set(path, read.insecure);
    if (read.facts) documents.push(spool.add(path, read.facts, json.length));
  };
  try {
    const files = snapshot.files.filter(
      ({ path, language }) => language !== null || languageOf(path) || isSchema(path),
    );
    const toRead = new Map<string, SourceFile & { languageId: string | null }>();
    for (const file of files) {
      const languageId = languageOf(file.path)?.id ?? null;
      const known = cache?.get(languageId ?? file.language ?? '', file.path, file.blobId);
      if (known) take(file.path, known);
      else toRead.set(file.path, { ...file, languageId });
    }
    const cached = files.length - toRead.size;
    let done = cached;
    const replies: Promise<void>[] = [];
    for await (const { path, content } of snapshot.read([...toRead.keys()])) {
      const file = toRead.get(path);
      if (!content || !file) {
        skipped.push({ path, reason: 'unreadable' });
        continue;
      }
      const { reply } = await pool.extract({ path, language: file.languageId, linguist: file.language, content });
      replies.push(
        reply.then((outcome) => {
          options.onProgress(++done, files.length);
          if (outcome.skipped) skipped.push(outcome.skipped);
          if (!outcome.read) return;
          cache?.put(file.languageId ?? file.language ?? '', path, file.blobId, outcome.read);
          take(path, outcome.read);
        }),
      );
    }
    await Promise.all(replies);
    documents.sort((a, b) => (a.path < b.path ? -1 : 1));
    spool.complete();
    return { documents, measures, detections, insecure, skipped, cached, close: spool.close };
  } catch (error) {
    spool.close();
    throw error;
  } finally {
    await pool.close();
    cache?.close();
  }
}

import type { Skipped } from '../../src/model/snapshot.ts';
import { languageOf } from '../languages/index.ts';
import type { OpenSnapshot, SourceFile } from '../snapshot/snapshot.ts';
import { openFactsCache } from './cache.ts';
import type { FileFacts } from './fact.ts';
import { ExtractionPool } from './pool.ts';

/** A file with its facts, as resolution takes it. */
export interface Document {
  path: string;
  facts: FileFacts;
}

/**
 * Facts of every file in a language that is read, by path; from the cache where the blob was seen before. A file that can't be
 * read or breaks the parser is left out with its reason. Holds a few files' contents at a time.
 */
export async function extractAll(
  snapshot: OpenSnapshot,
  options: { cacheFile?: string | undefined; analyzerVersion: string; onProgress(done: number, total: number): void },
): Promise<{ documents: Document[]; skipped: Skipped[]; cached: number }> {
  const cache = options.cacheFile === undefined ? null : openFactsCache(options.cacheFile, options.analyzerVersion);
  const pool = new ExtractionPool();
  const documents: Document[] = [];
  const skipped: Skipped[] = [];
  try {
    const files = snapshot.files.filter(({ path }) => languageOf(path));
    const toRead = new Map<string, SourceFile & { languageId: string }>();
    for (const file of files) {
      const languageId = languageOf(file.path)?.id ?? '';
      const known = cache?.get(languageId, file.path, file.blobId);
      if (known) documents.push({ path: file.path, facts: JSON.parse(known) as FileFacts });
      else toRead.set(file.path, { ...file, languageId });
    }
    const cached = documents.length;
    let done = cached;
    const replies: Promise<void>[] = [];
    for await (const { path, content } of snapshot.read([...toRead.keys()])) {
      const file = toRead.get(path);
      if (!content || !file) {
        skipped.push({ path, reason: 'unreadable' });
        continue;
      }
      const { reply } = await pool.extract(path, file.languageId, content);
      replies.push(
        reply.then((outcome) => {
          options.onProgress(++done, files.length);
          if (outcome.skipped) skipped.push(outcome.skipped);
          if (!outcome.facts) return;
          cache?.put(file.languageId, path, file.blobId, outcome.facts);
          documents.push({ path, facts: JSON.parse(outcome.facts) as FileFacts });
        }),
      );
    }
    await Promise.all(replies);
    documents.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { documents, skipped, cached };
  } finally {
    await pool.close();
    cache?.close();
  }
}

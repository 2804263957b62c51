import { detect } from '../detectors/detect.ts';
import { isSchema } from '../detectors/index.ts';
import { languageById } from '../languages/index.ts';
import { measureFile } from '../metrics/file-measures.ts';
import { inspect } from '../snapshot/inspect.ts';
import { createExtractor } from './extract.ts';
import { startParser } from './read-tree.ts';
import type { Extractor } from './extract.ts';
import type { Language } from '../languages/language.ts';
import type { ExtractionBatch, ExtractionReply, ExtractionRequest, FileRead, Said } from './pool.ts';
import { rewriting } from './hear-all.ts';

// Before the first file comes; who waits for it hears what went wrong.
startParser().catch(() => undefined);

/** A grammar takes tens of milliseconds to load: only those of languages that come. */
const extractors = new Map<string, Promise<Extractor>>();

/** Reads one batch: what a thread of the pool is asked for. */
export default async function readAll({ files, contents, said }: ExtractionBatch): Promise<ExtractionReply[]> {
  hear(said);
  const replies: ExtractionReply[] = [];
  let at = 0;
  for (const { length, ...file } of files) {
    replies.push(await readOne({ ...file, content: contents.subarray(at, at + length) }));
    at += length;
  }
  return replies;
}

/** What was heard last, and what rewrites sources by it. */
let heard: { digest: string; rewrite: (language: Language, source: string) => string } | null = null;

function hear(said: Said | null): void {
  if (!said || said.digest === heard?.digest) return;
  heard = { digest: said.digest, rewrite: rewriting(said) };
}

function preprocess(language: Language, source: string): string {
  return heard?.rewrite(language, source) ?? source;
}

async function readOne(file: ExtractionRequest): Promise<ExtractionReply> {
  const { path, linguist, content } = file;
  try {
    const reason = inspect(path, content);
    if (reason) return { read: null, skipped: { path, reason } };
    const read: FileRead =
      file.language === null ? readText(decoder.decode(content), path, linguist) : await parseOne(file.language, file);
    return { read: JSON.stringify(read), skipped: null };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const reason = error instanceof Error && error.name === 'ParseTimeout' ? 'timeout' : 'parse_error';
    return { read: null, skipped: { path, reason, detail } };
  }
}

/** A file in a language that has no extractor, or in none: a schema. */
function readText(source: string, path: string, linguist: string | null): FileRead {
  const isOnlySchema = linguist === null && isSchema(path);
  const detections = detect({ source, path, linguist, facts: null });
  const measures = isOnlySchema ? null : measureFile({ source, path, linguist, tree: null });
  return { facts: null, measures, ...(detections.length > 0 ? { detections } : {}) };
}

async function parseOne(
  languageId: string,
  { path, linguist, content, onlyMeasures }: Pick<ExtractionRequest, 'path' | 'linguist' | 'content' | 'onlyMeasures'>,
): Promise<FileRead> {
  const language = languageById(languageId);
  if (!language) throw new Error(`There is no language ${languageId}.`);
  const opening = extractors.get(languageId) ?? createExtractor({ languages: [languageId], preprocess });
  extractors.set(languageId, opening);
  const extractor = await opening;
  return extractor[onlyMeasures ? 'measure' : 'read'](language, content, path, linguist);
}

const decoder = new TextDecoder();

import { parentPort } from 'node:worker_threads';
import { languageById } from '../languages/index.ts';
import { inspect } from '../snapshot/inspect.ts';
import { createExtractor } from './extract.ts';
import type { Extractor } from './extract.ts';
import type { ExtractionReply, ExtractionRequest } from './pool.ts';

const port = parentPort;
if (!port) throw new Error('loaders/facts/worker.ts runs in a worker thread.');
/** A grammar takes tens of milliseconds to load: only those of languages that come. */
const extractors = new Map<string, Promise<Extractor>>();

port.on('message', ({ id, path, language, content }: ExtractionRequest) => {
  void extractOne(path, language, content).then((outcome) => {
    port.postMessage({ id, ...outcome } satisfies ExtractionReply);
  });
});

async function extractOne(path: string, languageId: string, content: Uint8Array): Promise<Omit<ExtractionReply, 'id'>> {
  try {
    const reason = inspect(path, content);
    if (reason) return { facts: null, skipped: { path, reason } };
    const language = languageById(languageId);
    if (!language) throw new Error(`There is no language ${languageId}.`);
    const opening = extractors.get(languageId) ?? createExtractor({ languages: [languageId] });
    extractors.set(languageId, opening);
    const facts = (await opening).extract(language, content, path);
    return { facts: JSON.stringify(facts), skipped: null };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const reason = error instanceof Error && error.name === 'ParseTimeout' ? 'timeout' : 'parse_error';
    return { facts: null, skipped: { path, reason, detail } };
  }
}

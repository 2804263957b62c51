import { parentPort } from 'node:worker_threads';
import { languageById } from '../languages/index.ts';
import { inspect } from '../snapshot/inspect.ts';
import { createExtractor } from './extract.ts';
import type { ExtractionReply, ExtractionRequest } from './pool.ts';

// One parser a thread; facts cross back as JSON bytes, which the cache keeps as they are.
const port = parentPort;
if (!port) throw new Error('loaders/facts/worker.ts runs in a worker thread.');
const extractor = await createExtractor();
const encoder = new TextEncoder();

port.on('message', ({ id, path, language, content }: ExtractionRequest) => {
  const reply: ExtractionReply = { id, ...extractOne(path, language, content) };
  port.postMessage(reply, reply.facts ? [reply.facts.buffer as ArrayBuffer] : []);
});

function extractOne(path: string, languageId: string, content: Uint8Array): Omit<ExtractionReply, 'id'> {
  try {
    const reason = inspect(path, content);
    if (reason) return { facts: null, skipped: { path, reason } };
    const language = languageById(languageId);
    if (!language) throw new Error(`There is no language ${languageId}.`);
    return { facts: encoder.encode(JSON.stringify(extractor.extract(language, content, path))), skipped: null };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const reason = error instanceof Error && error.name === 'ParseTimeout' ? 'timeout' : 'parse_error';
    return { facts: null, skipped: { path, reason, detail } };
  }
}

import { parentPort } from 'node:worker_threads';
import { inspect } from '../snapshot/inspect.ts';
import { createExtractor } from './extract.ts';
import type { ExtractionReply, ExtractionRequest } from './pool.ts';

// One parser a thread; facts cross back as JSON bytes, which the cache keeps as they are.
const port = parentPort;
if (!port) throw new Error('loaders/facts/worker.ts runs in a worker thread.');
const extractor = createExtractor();

port.on('message', ({ id, path, language, content }: ExtractionRequest) => {
  void extractOne(path, language, content).then((outcome) => {
    const reply: ExtractionReply = { id, ...outcome };
    port.postMessage(reply, reply.facts ? [reply.facts.buffer as ArrayBuffer] : []);
  });
});

async function extractOne(path: string, language: string, content: Uint8Array): Promise<Omit<ExtractionReply, 'id'>> {
  try {
    const reason = inspect(path, content);
    if (reason) return { facts: null, skipped: { path, reason } };
    const facts = await extractor.extract(language, content, path);
    return { facts: new TextEncoder().encode(JSON.stringify(facts)), skipped: null };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const reason = error instanceof Error && error.name === 'ParseTimeout' ? 'timeout' : 'parse_error';
    return { facts: null, skipped: { path, reason, detail } };
  }
}

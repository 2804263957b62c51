import { textOf } from './port.ts';
import type { Expression } from '../../search/text/expression.ts';
import { createSearch } from '../../search/text/found.ts';
import { answerCalls } from '../writer-thread.ts';
import type { StoredBlob } from './elasticsearch-writes.ts';

let search: ReturnType<typeof createSearch> | null = null;

answerCalls({
  begin(expression: Expression): void {
    search = createSearch(expression);
  },

  /** False when that is enough. */
  look(blobs: readonly StoredBlob[]): boolean {
    for (const { repository, files, content } of blobs) {
      const candidates = files.map((file) => ({ repository, ...file })).filter((file) => search?.mayFit(file));
      if (candidates.length === 0) continue;
      const text = textOf(Buffer.from(content, 'base64'));
      for (const candidate of candidates) if (search?.look(candidate, text) !== true) return false;
    }
    return true;
  },

  end: (page: { offset: number; limit: number }) => search?.page(page),
  close: () => undefined,
});

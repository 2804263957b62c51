import { createSearch, type Gathered, type Sought } from '../../search/text/found.ts';
import type { StoredBlob } from './elasticsearch-writes.ts';
import { textOf } from './port.ts';

/** Looks through some texts; `before`: what fitted and was looked at before these. */
export type Match = (task: {
  sought: Sought;
  blobs: readonly StoredBlob[];
  before: Pick<Gathered, 'total' | 'bytes'>;
}) => Gathered;

/** One task of this thread. */
const match: Match = ({ sought, blobs, before }) => {
  const { gathered, mayFit, look } = createSearch(sought, before);
  for (const { repository, files, content } of blobs) {
    const candidates = files.map((file) => ({ repository, ...file })).filter(mayFit);
    if (candidates.length === 0) continue;
    const text = textOf(Buffer.from(content, 'base64'));
    for (const candidate of candidates) if (!look(candidate, text)) return gathered;
  }
  return gathered;
};
export default match;

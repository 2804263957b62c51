import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { leftOutSchema, type LineHistory, type Rows, type Skipped, type SourceRow } from '../../src/model/snapshot.ts';
import { createRowSpool, type RowSpool } from '../row-spool.ts';
import { inspect } from '../snapshot/inspect.ts';
import type { OpenSnapshot, SourceFile } from '../snapshot/snapshot.ts';
import type { TemporaryFile } from '../temporary-file.ts';

const compress = promisify(zstdCompress);
/** A little above the fastest: a fifth smaller, for a hundredth of the time of a load. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
/** Rows that all lie on disk: each may be as large as the largest file. */
export function createSourceSpool(file: TemporaryFile): RowSpool<SourceRow> {
  return createRowSpool<SourceRow>(file, 1, 1);
}

/**
 * The text of all files, each text once; by the path that has it first. What was left out of the analysis is among them where it
 * is text, and says so. `skipped`: what turned out to be no text when it was read.
 */
export async function readSource(
  { files, aside, read }: Pick<OpenSnapshot, 'files' | 'aside' | 'read'>,
  spool: TemporaryFile,
) {
  const rows = createSourceSpool(spool);
  const skipped: Skipped[] = [];
  const byBlob = Map.groupBy([...files, ...aside].sort(byPath), ({ blobId }) => blobId);
  const holders = new Map([...byBlob.values()].map((each) => [each[0]?.path ?? '', each]));
  for await (const { path, content } of read([...holders.keys()])) {
    if (!content) continue;
    const texts: SourceRow['files'] = [];
    for (const file of holders.get(path) ?? []) {
      const reason = inspect(file.path, content);
      const leftOut = leftOutSchema.safeParse('reason' in file ? file.reason : reason).data;
      if (reason !== null && !leftOutSchema.safeParse(reason).success) skipped.push({ path: file.path, reason });
      else texts.push({ ...fileOf(file), ...(leftOut === undefined ? {} : { left_out: leftOut }) });
    }
    if (texts.length > 0) rows.add({ files: texts, content: (await compress(content, options)).toString('base64') });
  }
  return { rows, skipped };
}

const byPath = (a: SourceFile, b: SourceFile) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
const fileOf = ({ path, language, test }: SourceFile) => ({ path, language, test });

/** The same texts with who wrote their lines, by path. */
export function withHistories(rows: Rows<SourceRow>, histories: ReadonlyMap<string, LineHistory>): Rows<SourceRow> {
  return {
    length: rows.length,
    *[Symbol.iterator]() {
      for (const { files, content } of rows)
        yield {
          files: files.map((file) => {
            const history = histories.get(file.path);
            return history === undefined ? file : { ...file, history };
          }),
          content,
        };
    },
  };
}

/** As a store takes it. */
export function contentIn({ content }: SourceRow): Buffer {
  return Buffer.from(content, 'base64');
}

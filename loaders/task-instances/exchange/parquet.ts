import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { SwebenchRow } from './swebench.ts';

/** Rows of SWE-bench's form as a Parquet file, each column of texts, as datasets are kept that `datasets` loads. */
export function parquetOf(rows: readonly SwebenchRow[]): Buffer {
  const names = Object.keys(rows[0] ?? {}) as (keyof SwebenchRow)[];
  const columnData = names.map((name) => ({ name, data: rows.map((row) => row[name]), type: 'STRING' as const }));
  return Buffer.from(parquetWriteBuffer({ columnData }));
}

/** The compressions that datasets have; Snappy and none at all are read without us. */
const compressors = {
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
};

/** Whether these are the bytes of a Parquet file. */
export const isParquet = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PAR1';

/** The rows of a Parquet file; throws where it is broken. */
export function parquetRows(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const file = Uint8Array.from(bytes).buffer;
  return parquetReadObjects({ file, compressors });
}

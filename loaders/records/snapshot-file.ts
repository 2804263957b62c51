import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline as pipe, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { graphEdgeSchema, graphNodeSchema } from '../../src/model/graph.ts';
import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import { commitSchema, type Commit } from '../../src/model/commit.ts';
import { declaredRowSchema, type DeclaredRow } from '../../src/model/declared-name.ts';
import { measurementsSchema } from '../../src/model/due-diligence.ts';
import { boundaryRowSchema, repositoryInfoSchema, sourceRowSchema } from '../../src/model/snapshot.ts';
import { textOf } from '../../src/stores/source/port.ts';
import type { Boundary, BoundaryRow, Snapshot, SourceRow } from '../../src/model/snapshot.ts';
import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import { gatherBoundary } from './boundary.ts';
import { contentIn, createSourceSpool } from './source.ts';

/** Of the file; a reader refuses what it does not know. */
const format = 'repo-intel-snapshot/5';
/** What an older version made is read too, but for its boundary, its declared names, its source and its commits. */
const formats: ReadonlySet<string> = new Set([1, 2, 3, 4, 5].map((version) => `repo-intel-snapshot/${version}`));

const headSchema = z.object({
  format: z.string(),
  repository: repositoryInfoSchema,
  counts: z.object({
    boundary: z.int().optional(),
    nodes: z.int(),
    edges: z.int(),
    declared: z.int().optional(),
    source: z.int().optional(),
    commits: z.int().optional(),
  }),
  measurements: measurementsSchema.optional(),
});
const tailSchema = z.object({ sha256: z.string() });

/** The file is no snapshot, of another format, cut short or changed; the message says which and what to do. */
export class SnapshotFileError extends Error {
  override readonly name = 'SnapshotFileError';
}

/**
 * A snapshot as JSON lines: first the format, the repository and the counts, then a line a piece of the boundary, a line
 * a node, a line an edge, a line a declared name, a line a text, a line a commit, last the SHA-256 of every byte before it. Streams; the same snapshot gives the same bytes.
 */
export function* encodeSnapshot(snapshot: Snapshot): Generator<Uint8Array> {
  const hash = createHash('sha256');
  const { repository, nodes, edges, measurements, boundary, declared, source, commits } = snapshot;
  const counts = {
    boundary: boundary?.length,
    nodes: nodes.length,
    edges: edges.length,
    declared: declared?.length,
    source: source?.length,
    commits: commits?.length,
  };
  let lines = [JSON.stringify({ format, repository, counts, measurements })];
  let length = 0;
  const take = () => {
    const chunk = Buffer.from(`${lines.join('\n')}\n`);
    lines = [];
    length = 0;
    hash.update(chunk);
    return chunk;
  };
  for (const rows of [boundary ?? [], nodes, edges, declared ?? [], source ?? [], commits ?? []]) {
    for (const row of rows) {
      const line = JSON.stringify(row);
      lines.push(line);
      length += line.length;
      if (length >= chunkLength) yield take();
    }
  }
  if (lines.length > 0) yield take();
  yield Buffer.from(`${JSON.stringify({ sha256: hash.digest('hex') })}\n`);
}

const chunkLength = 512 * 1024;

/**
 * Reads what `encodeSnapshot` wrote and checks every line, the counts and the checksum; many rows lie in the temporary file and
 * are gone with it. Throws SnapshotFileError.
 */
export async function decodeSnapshot(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  file: TemporaryFile,
): Promise<Snapshot> {
  const hash = createHash('sha256');
  let head: z.infer<typeof headSchema> | null = null;
  let tail: z.infer<typeof tailSchema> | null = null;
  const boundary = createRowSpool<BoundaryRow>(file);
  const nodes = createRowSpool<GraphNode>(file);
  const edges = createRowSpool<GraphEdge>(file);
  const declared = createRowSpool<DeclaredRow>(file);
  const source = createSourceSpool(file);
  const commits = createRowSpool<Commit>(file);
  let number = 0;
  for await (const line of linesOf(bytes)) {
    number++;
    if (tail)
      throw new SnapshotFileError(`Line ${number} follows the checksum: the file was changed after it was made.`);
    const value = parseLine(line, number);
    if (!head) head = readHead(value);
    else if (boundary.length < (head.counts.boundary ?? 0)) boundary.add(check(boundaryRowSchema, value, number));
    else if (nodes.length < head.counts.nodes) nodes.add(check(graphNodeSchema, value, number));
    else if (edges.length < head.counts.edges) edges.add(check(graphEdgeSchema, value, number));
    else if (declared.length < (head.counts.declared ?? 0)) declared.add(check(declaredRowSchema, value, number));
    else if (source.length < (head.counts.source ?? 0)) source.add(checkSource(value, number));
    else if (commits.length < (head.counts.commits ?? 0)) commits.add(check(commitSchema, value, number));
    else tail = check(tailSchema, value, number);
    if (!tail) hash.update(line).update('\n');
  }
  if (!head || !tail)
    throw new SnapshotFileError('The snapshot file is cut short: make it again with `repo-intel analyze`.');
  if (tail.sha256 !== hash.digest('hex')) {
    throw new SnapshotFileError(
      'The checksum of the snapshot file does not match: it was changed or damaged; make it again.',
    );
  }
  const { repository, measurements, counts } = head;
  return {
    repository,
    nodes,
    edges,
    ...(measurements === undefined ? {} : { measurements }),
    ...(counts.boundary === undefined ? {} : { boundary }),
    ...(counts.declared === undefined ? {} : { declared }),
    ...(counts.source === undefined ? {} : { source }),
    ...(counts.commits === undefined ? {} : { commits }),
  };
}

/** Writes a snapshot file whole or not at all; compressed where the name ends in `.gz` or `.zst`. */
export async function writeSnapshotFile(file: string, snapshot: Snapshot): Promise<void> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    await pipeline([
      Readable.from(encodeSnapshot(snapshot)),
      ...compressor(file),
      createWriteStream(partial, { mode: 0o600 }),
    ]);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Reads a snapshot file, compressed or not, as `decodeSnapshot` does. Throws SnapshotFileError. */
export async function readSnapshotFile(file: string, rows: TemporaryFile): Promise<Snapshot> {
  const source = createReadStream(file);
  try {
    const { size } = await stat(file);
    const decompress = file.endsWith('.gz') ? createGunzip() : file.endsWith('.zst') ? createZstdDecompress() : null;
    const bytes = decompress
      ? unpacked(
          pipe(source, decompress, () => {}),
          size,
        )
      : source;
    return await decodeSnapshot(bytes, rows);
  } catch (error) {
    if (error instanceof SnapshotFileError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new SnapshotFileError(`The snapshot file can't be read (${why}).`, { cause: error });
  } finally {
    source.destroy();
  }
}

/** The stored form: the snapshot file, compressed. */
export function compressSnapshot(snapshot: Snapshot): AsyncIterable<Uint8Array> {
  return through(Readable.from(encodeSnapshot(snapshot)), createZstdCompress(fast));
}

/** Reads the stored form, as `decodeSnapshot` does. Throws SnapshotFileError. */
export async function decompressSnapshot(bytes: AsyncIterable<Uint8Array>, file: TemporaryFile): Promise<Snapshot> {
  return decodeSnapshot(through(Readable.from(bytes), createZstdDecompress()), file);
}

/** Reads of the stored form only what links it with others; null where an older version made it. Throws SnapshotFileError. */
export async function readBoundary(bytes: AsyncIterable<Uint8Array>): Promise<Boundary | null> {
  let count: number | undefined;
  const rows: BoundaryRow[] = [];
  let number = 0;
  for await (const line of linesOf(through(Readable.from(bytes), createZstdDecompress()))) {
    const value = parseLine(line, ++number);
    if (number > 1) rows.push(check(boundaryRowSchema, value, number));
    else count = readHead(value).counts.boundary;
    if (count === undefined) return null;
    if (rows.length === count) return gatherBoundary(rows);
  }
  throw new SnapshotFileError('The snapshot file is cut short: make it again with `repo-intel analyze`.');
}

/** Reads of the stored form only the edges, one after another. Throws SnapshotFileError. */
export async function* readEdges(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<GraphEdge> {
  let [number, first, last] = [0, Infinity, Infinity];
  for await (const line of linesOf(through(Readable.from(bytes), createZstdDecompress()))) {
    number++;
    if (number === 1) {
      const { boundary = 0, nodes, edges } = readHead(parseLine(line, number)).counts;
      first = 2 + boundary + nodes;
      last = first + edges - 1;
    } else if (number >= first) yield check(graphEdgeSchema, parseLine(line, number), number);
    if (number >= last) return;
  }
  throw new SnapshotFileError('The snapshot file is cut short: make it again with `repo-intel analyze`.');
}

/** What comes out at the end, which fails with what goes in, and ends it: `pipe` alone would leave its errors to nobody. */
function through<End extends Transform>(source: Readable, end: End): End {
  pipe(source, end, () => undefined);
  return end;
}

async function* linesOf(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Looked through once, however long the line is of which they are parts.
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const [end = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(end);
    length += end.length;
    if (length > maxLineLength)
      throw new SnapshotFileError(tooLarge(`a line of more than ${maxLineLength} characters`));
    const last = lines.pop();
    if (last === undefined) continue;
    yield parts.join('');
    yield* lines;
    parts = [last];
    length = last.length;
  }
  if (length > 0) yield parts.join('');
}

/** The first line, which has all measurements, is the longest: some ten MB of the largest repositories. */
const maxLineLength = 128 * 1024 * 1024;
/** JSON of a graph is packed to a tenth or a thirtieth. What is packed so much better is not one. */
const maxRatio = 250;
const freeRatioBytes = 64 * 1024 * 1024;

const tooLarge = (what: string) =>
  `The snapshot file has ${what}: \`repo-intel analyze\` makes none like it; get it anew from where it was made.`;

/** The bytes, until they are so many more than the file that it can be no snapshot. */
async function* unpacked(bytes: AsyncIterable<Uint8Array>, fileBytes: number): AsyncGenerator<Uint8Array> {
  const most = Math.max(freeRatioBytes, fileBytes * maxRatio);
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    if (count > most) throw new SnapshotFileError(tooLarge(`more than ${most} bytes in ${fileBytes}`));
    yield chunk;
  }
}

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

function compressor(file: string) {
  if (file.endsWith('.gz')) return [createGzip()];
  return file.endsWith('.zst') ? [createZstdCompress()] : [];
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new SnapshotFileError(`Line ${number} is not JSON: this is no snapshot file, or it is damaged.`, {
      cause: error,
    });
  }
}

function readHead(value: unknown) {
  const declared = z.object({ format: z.string() }).safeParse(value);
  if (!declared.success) throw new SnapshotFileError('This is no snapshot file: its first line names no format.');
  if (!formats.has(declared.data.format)) {
    throw new SnapshotFileError(
      `The snapshot file has the format ${declared.data.format}; this version reads ${format}.`,
    );
  }
  return check(headSchema, value, 1);
}

function check<T>(schema: z.ZodType<T>, value: unknown, line: number): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new SnapshotFileError(`Line ${line} of the snapshot file is not valid: ${z.prettifyError(result.error)}`);
}

/** A text that can't be had is found here, before anything is written. */
function checkSource(value: unknown, line: number): SourceRow {
  const row = check(sourceRowSchema, value, line);
  try {
    textOf(contentIn(row));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SnapshotFileError(`Line ${line} of the snapshot file holds no text (${why}).`, { cause: error });
  }
  return row;
}

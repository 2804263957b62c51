import { Header } from 'tar';

/** A file in an archive; a folder's name ends in a slash. */
export interface ArchivedFile {
  name: string;
  size: number;
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const blockSize = 512;

/** A tar archive of these files, which only the owner may read; it streams. */
export async function* packArchive(files: AsyncIterable<ArchivedFile>, mtime: Date): AsyncGenerator<Uint8Array> {
  for await (const { name, size, bytes } of files) {
    const isFolder = name.endsWith('/');
    const mode = isFolder ? 0o700 : 0o600;
    const header = new Header({ path: name, size, mode, mtime, uid: 0, gid: 0, type: isFolder ? 'Directory' : 'File' });
    const block = Buffer.alloc(blockSize);
    if (header.encode(block)) throw new Error(`${name} does not fit into a tar archive.`);
    yield block;
    yield* bytes;
    yield Buffer.alloc(padding(size));
  }
  yield Buffer.alloc(2 * blockSize);
}

/**
 * The files and folders of a tar archive, one after the other; the bytes of each must be read before the next. Throws where the
 * archive is cut short or damaged, or holds anything else, as links.
 */
export async function* unpackArchive(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivedFile> {
  const source = reader(bytes);
  for (;;) {
    const block = await source.exactly(blockSize);
    const header = new Header(block);
    if (header.nullBlock) break;
    if (!header.cksumValid) throw new Error('it is no tar archive, or damaged');
    const { path = '', size = 0, type } = header;
    if (type !== 'File' && type !== 'Directory')
      throw new Error(`it holds ${path}, which is neither a file nor a folder`);
    yield { name: path, size, bytes: source.upTo(size) };
    if (source.left() > 0) throw new Error('The bytes of a file were not read.');
    await source.exactly(padding(size));
  }
}

const padding = (size: number) => (blockSize - (size % blockSize)) % blockSize;

/** Reads a stream by numbers of bytes. */
function reader(bytes: AsyncIterable<Uint8Array>) {
  const parts = bytes[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();
  let left = 0;
  const take = async (atMost: number): Promise<Uint8Array> => {
    while (held.length === 0) {
      const part = await parts.next();
      if (part.done) throw new Error('it is cut short');
      held = part.value;
    }
    const taken = held.subarray(0, atMost);
    held = held.subarray(taken.length);
    return taken;
  };
  return {
    left: () => left,
    async exactly(size: number): Promise<Buffer> {
      const taken: Uint8Array[] = [];
      for (let missing = size; missing > 0; missing -= taken.at(-1)?.length ?? 0) taken.push(await take(missing));
      return Buffer.concat(taken);
    },
    upTo(size: number): AsyncGenerator<Uint8Array> {
      left = size;
      return (async function* () {
        while (left > 0) {
          const part = await take(left);
          left -= part.length;
          yield part;
        }
      })();
    },
  };
}

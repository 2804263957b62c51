import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Reply } from './route.ts';
import type { RequestFacts } from './route.ts';

/** A file that a page needs, under a name that stands for one content for good. */
export interface Asset {
  name: string;
  type: string;
  /** Compressed once, at the first request that asks for it. */
  as(encoding: Encoding): Promise<Buffer>;
}

type Encoding = 'br' | 'gzip' | 'identity';

/** An asset of these bytes. */
export function assetOf(name: string, type: string, bytes: Buffer): Asset {
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = { identity: Promise.resolve(bytes) };
  return { name, type, as: (encoding) => (compressed[encoding] ??= compress(bytes, encoding)) };
}

const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? promisify(gzip)(bytes)
    : promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });

/** Answers with an asset, to be kept for a year. */
export async function assetReply(asset: Asset, { headers }: RequestFacts): Promise<Reply<Buffer>> {
  const encoding = encodingFor(headers['accept-encoding']);
  return new Reply(await asset.as(encoding), {
    type: asset.type,
    headers: {
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    },
  });
}

/** The smallest encoding that this Accept-Encoding takes. */
function encodingFor(accepted: string | undefined): Encoding {
  const taken = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
      .map((one) => one.split(';')[0]?.trim()),
  );
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'identity';
}

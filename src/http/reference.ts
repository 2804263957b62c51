import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file that the reference needs, under a name that changes with what is in it. */
interface Asset {
  name: string;
  type: string;
  integrity: string;
  /** Compressed once, at the first request that asks for it. */
  as(encoding: Encoding): Promise<Buffer>;
}

type Encoding = 'br' | 'gzip' | 'identity';

const require = createRequire(import.meta.url);

async function asset(name: string, type: string, path: string | URL): Promise<Asset> {
  const bytes = await readFile(path);
  const hash = createHash('sha384').update(bytes).digest('base64');
  const dot = name.lastIndexOf('.');
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = { identity: Promise.resolve(bytes) };
  return {
    name: `${name.slice(0, dot)}.${hash.replaceAll(/[^\w]/g, '').slice(0, 12)}${name.slice(dot)}`,
    type,
    integrity: `sha384-${hash}`,
    as: (encoding) => (compressed[encoding] ??= compress(bytes, encoding)),
  };
}

const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? promisify(gzip)(bytes)
    : promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });

const [css, ownCss, library, script] = await Promise.all([
  asset('swagger-ui.css', 'text/css; charset=utf-8', require.resolve('swagger-ui-dist/swagger-ui.css')),
  asset('reference.css', 'text/css; charset=utf-8', new URL('./pages/reference.css', import.meta.url)),
  asset('swagger-ui.js', 'text/javascript; charset=utf-8', require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  asset('reference.js', 'text/javascript; charset=utf-8', new URL('./pages/reference.js', import.meta.url)),
]);

const assets = new Map([css, ownCss, library, script].map((one) => [one.name, one]));

const sheet = ({ name, integrity }: Asset) =>
  `<link rel="stylesheet" href="docs/assets/${name}" integrity="${integrity}">\n`;
const run = ({ name, integrity }: Asset) =>
  `<script src="docs/assets/${name}" integrity="${integrity}" defer></script>\n`;

/** Swagger UI in a page at `/docs`: everything from here, by relative addresses, so that it works behind any proxy. */
export const reference = {
  head: `${sheet(css)}${sheet(ownCss)}${run(library)}${run(script)}`,
  body: '<section id="reference" class="reference" aria-label="Reference"></section>\n',
  asset: (name: string): Asset | null => assets.get(name) ?? null,
  /** The name of one of them. */
  example: css.name,
};

/** The smallest encoding that this Accept-Encoding takes. */
export function encodingFor(accepted: string | undefined): Encoding {
  const taken = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
      .map((one) => one.split(';')[0]?.trim()),
  );
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'identity';
}

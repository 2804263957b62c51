import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { assetOf } from './asset.ts';
import type { Asset } from './asset.ts';

interface Checked extends Asset {
  integrity: string;
}

const require = createRequire(import.meta.url);

async function asset(name: string, type: string, path: string | URL): Promise<Checked> {
  const bytes = await readFile(path);
  const hash = createHash('sha384').update(bytes).digest('base64');
  const dot = name.lastIndexOf('.');
  const hashed = `${name.slice(0, dot)}.${hash.replaceAll(/[^\w]/g, '').slice(0, 12)}${name.slice(dot)}`;
  return { ...assetOf(hashed, type, bytes), integrity: `sha384-${hash}` };
}

const [css, ownCss, library, script] = await Promise.all([
  asset('swagger-ui.css', 'text/css; charset=utf-8', require.resolve('swagger-ui-dist/swagger-ui.css')),
  asset('reference.css', 'text/css; charset=utf-8', new URL('./pages/reference.css', import.meta.url)),
  asset('swagger-ui.js', 'text/javascript; charset=utf-8', require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  asset('reference.js', 'text/javascript; charset=utf-8', new URL('./pages/reference.js', import.meta.url)),
]);

const assets = new Map([css, ownCss, library, script].map((one) => [one.name, one]));

const sheet = ({ name, integrity }: Checked) =>
  `<link rel="stylesheet" href="docs/assets/${name}" integrity="${integrity}">\n`;
const run = ({ name, integrity }: Checked) =>
  `<script src="docs/assets/${name}" integrity="${integrity}" defer></script>\n`;

/** Swagger UI in a page at `/docs`: everything from here, by relative addresses, so that it works behind any proxy. */
export const reference = {
  head: `${sheet(css)}${sheet(ownCss)}${run(library)}${run(script)}`,
  body: '<section id="reference" class="reference" aria-label="Reference"></section>\n',
  asset: (name: string): Asset | null => assets.get(name) ?? null,
  /** The name of one of them. */
  example: css.name,
};

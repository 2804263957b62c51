import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { assetOf } from '../http/asset.ts';
import type { Asset } from '../http/asset.ts';

/** Where the bundle is made. */
export const bundleFolder = join(import.meta.dirname, '../../dist/explorer');

/** What the browser is sent. */
export interface Bundle {
  page: string;
  assets: ReadonlyMap<string, Asset>;
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the bundle; null where it was not made. */
export async function readBundle(folder: string): Promise<Bundle | null> {
  try {
    const names = await readdir(join(folder, 'assets'));
    const assets = await Promise.all(
      names.map(async (name) => {
        const type = types[extname(name)] ?? 'application/octet-stream';
        return assetOf(name, type, await readFile(join(folder, 'assets', name)));
      }),
    );
    return {
      page: await readFile(join(folder, 'index.html'), 'utf8'),
      assets: new Map(assets.map((asset) => [asset.name, asset])),
    };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

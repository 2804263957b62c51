import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { explorerRoutes } from '../../src/explorer/routes.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

describe('GET /explorer', () => {
  let kernel: Kernel;
  before(async () => {
    kernel = await startKernel(explorerRoutes());
  });
  after(() => kernel.close());

  it('is open to all, holds no style and no script of its own, and may load nothing from elsewhere', async () => {
    const { status, headers, text } = await kernel.send('/explorer');
    expect(status).equals(200);
    expect(headers['content-type']).equals('text/html; charset=utf-8');
    expect(headers['content-security-policy']).equals(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).not.match(/<style|<script(?![^>]* src="explorer\/assets\/)|https?:\/\//);
    expect(kernel.calls).deep.equals([]);
  });

  it('changes with an upgrade, as caches are told', async () => {
    const { headers } = await kernel.send('/explorer');
    expect(headers['cache-control']).equals('private, no-cache');
    const again = await kernel.send('/explorer', { headers: { 'if-none-match': String(headers['etag']) } });
    expect(again.status).equals(304);
  });

  it('with a slash at its end it leads to itself', async () => {
    const { status, headers } = await kernel.send('/explorer/');
    expect([status, headers['location']]).deep.equals([308, '../explorer']);
  });

  it('its assets are kept for a year, in the encoding that is taken', async () => {
    const { text } = await kernel.send('/explorer');
    const script = /src="(explorer\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? expect.fail('no script');
    const answers = await Promise.all(
      ['br, gzip', 'gzip', ''].map((accepted) => fetchBytes(`http://127.0.0.1:${kernel.port}/${script}`, accepted)),
    );
    const [brotli, gzipped, plain] = answers.map(({ bytes }) => bytes);
    expect(answers.map(({ encoding }) => encoding)).deep.equals(['br', 'gzip', undefined]);
    expect(brotliDecompressSync(brotli ?? '').equals(plain ?? Buffer.alloc(0))).equals(true);
    expect(gunzipSync(gzipped ?? '').equals(plain ?? Buffer.alloc(0))).equals(true);
    for (const { caching, type } of answers)
      expect([caching, type]).deep.equals(['public, max-age=31536000, immutable', 'text/javascript; charset=utf-8']);
  });

  it('of a file that is not in the bundle it says so', async () => {
    for (const name of ['main-none.js', '..%2Findex.html', 'index.html'])
      expect((await kernel.send(`/explorer/assets/${name}`)).json['code'], name).equals('asset_not_found');
  });

  it('where nothing was built it says what to run, and is there once that was done', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'explorer-'));
    const bare = await startKernel(explorerRoutes(join(folder, 'none')));
    try {
      const { status, json } = await bare.send('/explorer');
      expect([status, json['code']]).deep.equals([503, 'explorer_not_built']);
      expect(json['detail']).contains('npm run prepare');
    } finally {
      await bare.close();
      await rm(folder, { recursive: true });
    }
  });
});

/** As they are sent, not decoded. */
async function fetchBytes(url: string, accepted: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers: { 'accept-encoding': accepted }, agent: false }, resolve).on('error', reject),
  );
  const { 'content-encoding': encoding, 'cache-control': caching, 'content-type': type } = response.headers;
  return { bytes: await buffer(response), encoding, caching, type };
}

// Makes one program of the sources, as `npm ci` does at its end: `npm run prepare`. Finding and reading six hundred modules takes
// most of the time of a short command. repo-intel.js runs what is made here as long as no source is newer.
import { statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'rolldown';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'dist/program');

/** Packages that are no JavaScript, or ask where their own files lie. */
const external = [
  '@ast-grep/',
  '@cyclonedx/cyclonedx-library',
  '@elastic/elasticsearch',
  '@electric-sql/',
  'ioredis',
  'pg-native',
  'pino',
  'swagger-ui-dist',
  'undici',
  'web-tree-sitter',
  'write-file-atomic',
];

/** Sources go on finding what lies beside them; what they start as a thread is a program of its own. */
const places: Plugin = {
  name: 'places',
  transform(code, id) {
    if (id.includes('node_modules')) {
      // Behind comments, which may speak of it.
      if (/^(?!\s*(?:\/\/|\*)).*\b(?:__dirname|__filename|import\.meta\.url)\b/m.test(code))
        this.error(`${id} asks where it lies: name its package in the list of those that stay outside.`);
      return null;
    }
    const from = (path: string) => JSON.stringify(relative(folder, path).replaceAll('\\', '/'));
    return code
      .replaceAll(/new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g, (_, path: string) => {
        const thread = this.emitFile({ type: 'chunk', id: join(dirname(id), path) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${thread})`;
      })
      .replaceAll(/import\.meta\.url\b/g, `new URL(${from(id)}, import.meta.url).href`)
      .replaceAll(
        /import\.meta\.dirname\b/g,
        `process.getBuiltinModule('node:url').fileURLToPath(new URL(${from(dirname(id))}, import.meta.url))`,
      );
  },
};

try {
  const { rolldown } = await import('rolldown');
  await rm(folder, { recursive: true, force: true });
  const program = await rolldown({
    input: { main: join(root, 'src/cli/main.ts') },
    cwd: root,
    platform: 'node',
    external: (name) =>
      external.some((known) => name === known || name.startsWith(known.endsWith('/') ? known : `${known}/`)),
    plugins: [places],
    logLevel: 'silent',
  });
  await program.write({ dir: folder, format: 'esm', chunkFileNames: '[name]-[hash].js' });
  const read = (await program.watchFiles).map((path) => relative(root, path).replaceAll('\\', '/'));
  const sources = ['package-lock.json', ...read.filter((path) => !path.includes('node_modules')).sort()];
  const sizes = sources.map((path) => [path, statSync(join(root, path)).size]);
  await writeFile(join(folder, 'sources.json'), JSON.stringify(Object.fromEntries(sizes)));
} catch (error) {
  // `npm ci --omit=dev` brings no bundler; the sources run as they are then.
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
  console.warn('rolldown is not installed: the program runs from its sources, and starts more slowly.');
}

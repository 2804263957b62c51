// Makes dist/package, which `npm pack` puts into the tarball: the programs of the checkout, each bundled with what it imports, because
// Node strips no types below node_modules and takes longer to find two thousand modules than to answer a question. What a program reads
// lies where it does in the checkout; what a file of a development dependency is needed for (a grammar's wasm) lies in assets/.
import { copyFile, cp, glob, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { createTar } from 'nanotar';
import packageJson from '../package.json' with { type: 'json' };
import { bundleFolder } from '../src/explorer/bundle.ts';
import { openPglite } from '../src/stores/relational/pglite.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist/package');
const require = createRequire(import.meta.url);

/** What only makes the explorer, a program or another package, or is only read by people. */
const leftOut =
  /^src\/explorer\/(app\/|build\.ts$)|\/README\.md$|^src\/cli\/(repo-intel|webassembly)\.js$|^src\/due-diligence\/population\/reference\.json$|^sdk\/typescript\/src\/(?!retries\.ts$)/;

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** `swagger-ui-dist/swagger-ui.css`: a file of a package that is needed for building only. */
const fileOfPackage = /'((?:@[\w-]+\/)?[\w-]+)(\/[\w/-]+\.(?:wasm|css|js))'/g;
/** What a thread is started by. */
const threadBeside = /new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g;

/** They start threads, read files of their own or ask for their place, or are drivers of servers: loaded from where they are installed, when they are needed. */
const notBundled =
  /^(@cyclonedx|@electric-sql|@elastic|@opentelemetry|ioredis|neo4j-driver|nodemailer|pino|piscina|swagger-ui-dist|web-tree-sitter|write-file-atomic)(\/|$)/;

/** Worked out here: digests of the sources, which only the checkout has, and what would take those who ask for it some time. */
const workedOut = [
  'loaders/analyzer-version.ts',
  'loaders/task-instances/harness-version.ts',
  'src/due-diligence/population/reference.ts',
];

/** A source for a bundle: its own place, and those of files and threads, stay what they are, whichever file it comes to lie in. */
function sourceOf(path: string, source: string, assets: Map<string, string>): string {
  let program = source;
  for (const [quoted, name = '', file = ''] of program.matchAll(fileOfPackage)) {
    if (!(name in packageJson.devDependencies)) continue;
    assets.set(basename(file), require.resolve(name + file));
    program = program.replaceAll(quoted, `'#assets/${basename(file)}'`);
  }
  const own = `import.meta.resolve('#package/${path.replace(/ts$/, 'js')}')`;
  return program
    .replaceAll(threadBeside, `new URL('$1.js', import.meta.url)`)
    .replaceAll('import.meta.url', own)
    .replaceAll('import.meta.dirname', `process.getBuiltinModule('url').fileURLToPath(new URL('.', ${own}))`);
}

/**
 * Bundles these sources, each with all that it imports; what several share are files in `shared/`. `isAlone`: what is imported later is
 * a program of its own, bundled before. Gives the files of development dependencies that are needed, by name.
 */
async function bundlePrograms(entries: readonly string[], { isAlone = false } = {}): Promise<Map<string, string>> {
  const { build: bundle } = await import('vite');
  const assets = new Map<string, string>();
  const own = (id: string) => {
    const path = relative(root, id).replaceAll('\\', '/');
    return /^(src|loaders|sdk)\//.test(path) ? path : null;
  };
  await bundle({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    plugins: [
      {
        name: 'places',
        enforce: 'pre',
        resolveId: (id) => (notBundled.test(id) ? { id, external: true } : null),
        resolveDynamicImport: (id) =>
          isAlone && typeof id === 'string' ? { id: id.replace(/ts$/, 'js'), external: true } : null,
        async load(id) {
          const path = own(id);
          if (path === null || !workedOut.includes(path)) return null;
          const said = Object.entries((await import(id)) as Record<string, unknown>);
          const isAsked = (value: unknown): value is () => unknown => typeof value === 'function';
          // Large ones are read faster as JSON than as a program.
          const json = (value: unknown) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
          return said
            .map(
              ([name, value]) => `export const ${name} = ${isAsked(value) ? `() => ${json(value())}` : json(value)};`,
            )
            .join('\n');
        },
        transform(source, id) {
          const path = own(id);
          return path === null ? null : { code: sourceOf(path, source, assets), map: null };
        },
      },
    ],
    build: {
      ssr: true,
      outDir: target,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((path) => [path.replace(/\.ts$/, ''), join(root, path)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
        checks: { pluginTimings: false, eval: false },
      },
    },
  });
  return assets;
}

/** There is one database and never another: the two that others are copied of are half of the files that a first start writes and syncs. */
async function withoutTemplates(folder: string): Promise<void> {
  const database = await PGlite.create(folder);
  await database.exec("UPDATE pg_database SET datistemplate = false WHERE datname IN ('template0', 'template1')");
  for (const name of ['template0', 'template1']) await database.exec(`DROP DATABASE ${name}`);
  await database.close();
}

/** A database of a first start, closed: what it would take a second to make on each machine. */
async function cluster(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  try {
    const database = join(folder, 'postgres');
    await (await openPglite({ folder: database })).close();
    await withoutTemplates(database);
    const entries = await readdir(database, { recursive: true, withFileTypes: true });
    const files = entries
      .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(async ({ path, isFile }) => {
        const name = relative(database, path).replaceAll('\\', '/');
        return isFile ? { name, data: await readFile(path) } : { name: `${name}/` };
      });
    const archive = createTar(await Promise.all(files), { attrs: { mtime: 0 } });
    return zstdCompressSync(archive, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function build(): Promise<void> {
  if (!(await isFile(join(bundleFolder, 'index.html'))))
    throw new Error('The explorer is not built. Run: npm run prepare');
  await rm(target, { recursive: true, force: true, maxRetries: 3 });
  const entries = ['main', 'stay', 'ask-holder', 'io'].map((name) => `src/cli/${name}.ts`);
  for await (const found of glob('{src,loaders,cypher,index-mappings,sdk/typescript/src}/**/*.*', { cwd: root })) {
    const path = found.replaceAll('\\', '/');
    if (leftOut.test(path) || !(await isFile(join(root, path)))) continue;
    if (path.endsWith('.ts')) {
      for (const [, thread] of (await readFile(join(root, path), 'utf8')).matchAll(threadBeside))
        entries.push(join(dirname(path), `${thread}.ts`));
      continue;
    }
    await mkdir(join(target, dirname(path)), { recursive: true });
    await copyFile(join(root, path), join(target, path));
  }
  const assets = await bundlePrograms([...new Set(entries)].sort());
  await bundlePrograms(['src/cli/installed.ts'], { isAlone: true });
  await cp(bundleFolder, join(target, 'dist/explorer'), { recursive: true });
  await mkdir(join(target, 'assets'));
  for (const [name, path] of assets) await copyFile(path, join(target, 'assets', name));
  await writeFile(join(target, 'assets/cluster.tar.zst'), await cluster());
  const scope = { ...packageJson, imports: { '#assets/*': './assets/*', '#package/*': './*' } };
  await writeFile(join(target, 'package.json'), JSON.stringify(scope));
}

await build();

// Makes dist/package, which `npm pack` puts into the tarball: the checkout as Node runs it, with the types stripped by Node itself,
// because it strips none below node_modules. What a file of a development dependency is needed for (a grammar's wasm) lies in assets/.
import { copyFile, cp, glob, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { createTar } from 'nanotar';
import packageJson from '../package.json' with { type: 'json' };
import { bundleFolder } from '../src/explorer/bundle.ts';
import { openPglite } from '../src/stores/relational/pglite.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist/package');
const require = createRequire(import.meta.url);

/** What only makes the explorer or another package, or is only read by people. */
const leftOut =
  /^src\/explorer\/(app\/|build\.ts$)|\/README\.md$|^src\/cli\/repo-intel\.js$|^sdk\/typescript\/src\/(?!retries\.ts$)/;

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** `swagger-ui-dist/swagger-ui.css`: a file of a package that is needed for building only. */
const fileOfPackage = /'((?:@[\w-]+\/)?[\w-]+)(\/[\w/-]+\.(?:wasm|css|js))'/g;
/** `./worker.ts`, as an import has it or a thread is started by. */
const sourceBeside = /'(\.\.?\/[\w./-]+)\.ts'/g;

/** The program of one source: without types, leading to what lies in the package. */
async function programOf(path: string, assets: Map<string, string>): Promise<string> {
  let program = stripTypeScriptTypes(await readFile(join(root, path), 'utf8'));
  for (const [quoted, name = '', file = ''] of program.matchAll(fileOfPackage)) {
    if (!(name in packageJson.devDependencies)) continue;
    assets.set(basename(file), require.resolve(name + file));
    program = program.replaceAll(quoted, `'#assets/${basename(file)}'`);
  }
  for (const [quoted, specifier = ''] of program.matchAll(sourceBeside))
    if (await isFile(join(root, dirname(path), `${specifier}.ts`)))
      program = program.replaceAll(quoted, `'${specifier}.js'`);
  return program;
}

/** A database of a first start, closed: what it would take a second to make on each machine. */
async function cluster(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  try {
    const database = join(folder, 'postgres');
    await (await openPglite({ folder: database })).close();
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

/** What its imports say goes into this program itself; what is loaded later stays where it is. */
async function intoOne(path: string): Promise<void> {
  const { build: bundle } = await import('vite');
  await bundle({
    configFile: false,
    root: target,
    logLevel: 'warn',
    ssr: { noExternal: true },
    plugins: [
      {
        name: 'loaded-later',
        resolveDynamicImport: (id) => (typeof id === 'string' ? { id, external: true } : null),
      },
    ],
    build: {
      ssr: join(target, path),
      outDir: join(target, dirname(path)),
      emptyOutDir: false,
      target: 'node24',
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  });
}

async function build(): Promise<void> {
  if (!(await isFile(join(bundleFolder, 'index.html'))))
    throw new Error('The explorer is not built. Run: npm run prepare');
  await rm(target, { recursive: true, force: true });
  const assets = new Map<string, string>();
  for await (const found of glob('{src,loaders,cypher,index-mappings,sdk/typescript/src}/**/*.*', { cwd: root })) {
    const path = found.replaceAll('\\', '/');
    if (leftOut.test(path) || !(await isFile(join(root, path)))) continue;
    await mkdir(join(target, dirname(path)), { recursive: true });
    if (path.endsWith('.ts')) await writeFile(join(target, path.replace(/ts$/, 'js')), await programOf(path, assets));
    else await copyFile(join(root, path), join(target, path));
  }
  await intoOne('src/cli/installed.js');
  await cp(bundleFolder, join(target, 'dist/explorer'), { recursive: true });
  await mkdir(join(target, 'assets'));
  for (const [name, path] of assets) await copyFile(path, join(target, 'assets', name));
  await writeFile(join(target, 'assets/cluster.tar.zst'), await cluster());
  const scope = { ...packageJson, imports: { '#assets/*': './assets/*' } };
  await writeFile(join(target, 'package.json'), JSON.stringify(scope));
}

await build();

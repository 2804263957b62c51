// How right the list of dead code is, beside what Go's own `deadcode` says of the same checkout (golang.org/x/tools/cmd/deadcode, on the
// PATH): it starts from `main` and the tests and follows every call that types allow. Arguments: FOLDER …, clones of Go programs
// whose dependencies are there or can be had. Prints, of each and together, how many of ours are dead by it (precision) and how many
// of its functions in production are ours (recall). Of libraries nothing is said: whoever takes them may call what they export.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

interface Place {
  path: string;
  line: number;
  name: string;
}

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error('Usage: node bench/dead-code.ts FOLDER …');
const sums = { listed: 0, right: 0, dead: 0, found: 0 };
for (const folder of folders) {
  const dead = deadByGo(folder);
  if (dead === null) continue;
  const isDead = new Set(dead.map(keyOf));
  const listed = deadByUs(folder);
  const isListed = new Set(listed.map(keyOf));
  const right = listed.filter((each) => isDead.has(keyOf(each)));
  const production = dead.filter(({ path }) => !path.endsWith('_test.go') && !isGenerated(join(folder, path)));
  const found = production.filter((each) => isListed.has(keyOf(each)));
  console.log(
    `${folder}: ${right.length} of ${listed.length} listed are dead, ${found.length} of ${production.length} dead are listed`,
  );
  for (const { path, line, name } of listed.filter((each) => !isDead.has(keyOf(each))))
    console.log(`  alive: ${path}:${line} ${name}`);
  sums.listed += listed.length;
  sums.right += right.length;
  sums.dead += production.length;
  sums.found += found.length;
}
console.log(
  `Together: precision ${share(sums.right, sums.listed)} (${sums.right} of ${sums.listed}), recall ${share(sums.found, sums.dead)} (${sums.found} of ${sums.dead})`,
);

function keyOf({ path, line }: Place) {
  return `${path}:${line}`;
}

function share(part: number, whole: number) {
  return whole === 0 ? 'not known' : (part / whole).toFixed(2);
}

/** Null, with the reason on stderr, where it can't be built. */
function deadByGo(folder: string): Place[] | null {
  try {
    const output = execFileSync('deadcode', ['-test', '-json', './...'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const packages = (JSON.parse(output) ?? []) as {
      Funcs: { Name: string; Generated: boolean; Position: { File: string; Line: number } }[];
    }[];
    return packages.flatMap(({ Funcs }) =>
      Funcs.flatMap(({ Name: name, Generated, Position: { File, Line: line } }) =>
        Generated ? [] : [{ path: relative(resolve(folder), resolve(folder, File)), line, name }],
      ),
    );
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    console.error(`${folder} is left out: ${said.trim().split('\n').at(-1)}`);
    return null;
  }
}

/** Functions of the modules that `deadcode ./...` has read: a module inside is another one. */
function deadByUs(folder: string): Place[] {
  const output = execFileSync(process.execPath, ['src/cli/repo-intel.js', 'report', folder, '--calls', '--json'], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { architecture } = JSON.parse(output) as {
    architecture: { dead_code: { items: (Place & { kind: string })[] } };
  };
  const modules = execFileSync('git', ['ls-files', '**/go.mod'], { cwd: folder, encoding: 'utf8' })
    .split('\n')
    .flatMap((path) => (path === '' ? [] : [path.slice(0, -'go.mod'.length)]));
  return architecture.dead_code.items.filter(
    ({ path, kind }) =>
      path.endsWith('.go') &&
      (kind === 'function' || kind === 'method') &&
      !modules.some((module) => path.startsWith(module)),
  );
}

function isGenerated(path: string): boolean {
  return /^\/\/ Code generated/m.test(readFileSync(path, 'utf8').slice(0, 2_000));
}

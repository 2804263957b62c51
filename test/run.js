// `npm test`: all tests, folder by folder, three processes of mocha at a time: one takes those that share the servers, one after
// the other; one those that break the way to them or have places of their own there, which mostly wait (to break the way to
// Neo4j, which has but one database, takes one of its own); and whoever is free takes the rest.
// Where REQUIRE_ENGINES=1 asks for everything, the rest runs with what the README asks for and nothing else, as on a machine of
// somebody who has just cloned this; and what was skipped there runs once more, with everything.
// With arguments it is mocha itself: `npm test -- test/api/search.test.ts`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What the README asks for, and what every Linux and macOS has. */
const bareCommands = [
  [
    'node',
    'npm',
    'npx',
    'git',
    'bash',
    'sh',
    'env',
    'sed',
    'grep',
    'awk',
    'find',
    'xargs',
    'tar',
    'gzip',
    'ps',
    'mount',
  ],
  [
    'umount',
    'cat',
    'cp',
    'mv',
    'rm',
    'rmdir',
    'mkdir',
    'mktemp',
    'mkfifo',
    'ls',
    'ln',
    'chmod',
    'chown',
    'touch',
    'sleep',
  ],
  ['true', 'false', 'echo', 'printf', 'test', 'expr', 'head', 'tail', 'sort', 'uniq', 'wc', 'tr', 'cut', 'tee', 'seq'],
  ['id', 'uname', 'dirname', 'basename', 'readlink', 'realpath', 'stat', 'date', 'dd', 'timeout', 'nproc', 'sha256sum'],
].flat();
/** In one process. */
const maxFilesAtOnce = 10;
/** Folders whose tests take longest, the longest first: what is begun last should be short. */
const longFirst = ['test/cli', 'test/suites', 'test/loaders/task-instances', 'test/loaders/metrics', 'test'];

const asked = process.argv.slice(2);
if (asked.length > 0) {
  process.exitCode = await mocha(asked, { isShown: true }).status;
} else {
  const files = (await Array.fromAsync(glob('test/**/*.test.ts'))).sort();
  // What opens a suite on servers; where that is left to the long tests it is not called here.
  const usesServers = (file) => /\b(?:onEngines?|describeService|underFaults)\(/.test(readFileSync(file, 'utf8'));
  const { NEO4J_FAULTS_TEST_URL: ownNeo4j, REQUIRE_ENGINES } = process.env;
  const groupOf = (file) => {
    if (file.startsWith('test/faults/')) return ownNeo4j ? 'apart' : 'shared';
    // Each of the command line has databases of its own.
    if (usesServers(file)) return file.startsWith('test/cli/') ? 'apart' : 'shared';
    return 'rest';
  };
  const groups = Object.groupBy(files, groupOf);
  const temporary = mkdtempSync(join(tmpdir(), 'test-run-'));
  const bare = REQUIRE_ENGINES === '1' ? bareEnvironment(temporary) : null;
  const rest = foldersOf(groups.rest).map((folder) => ({ files: folder, isBare: bare !== null }));
  const outputs = [];
  const count = (word, of = outputs) =>
    [
      ...of
        .map(({ text }) => text)
        .join('\n')
        .matchAll(new RegExp(`^ *(\\d+) ${word}\\b`, 'gm')),
    ].reduce((sum, [, n]) => sum + Number(n), 0);
  const run = async ({ files, titles = [], env = {}, isBare = false }) => {
    const skippedFile = join(temporary, `skipped-${outputs.length}-${rest.length}.json`);
    const only = titles.length ? ['--grep', `^(${titles.map((title) => RegExp.escape(title)).join('|')})$`] : [];
    const began = performance.now();
    const { status, output } = isBare
      ? mocha(['--require', './test/support/skipped-tests.js', ...files], {
          isBare,
          env: { ...bare, SKIPPED_TESTS: skippedFile },
        })
      : mocha([...only, ...files], { env });
    const code = await status;
    process.exitCode ||= code;
    process.stdout.write(isBare ? `In the bare environment:\n${output()}` : output());
    const seconds = Math.round((performance.now() - began) / 1_000);
    const text = stripVTControlCharacters(output());
    outputs.push({ text, isBare, seconds, folder: dirname(files[0]) });
    const called = ['passing', 'failing', 'pending'].reduce((sum, word) => sum + count(word, [{ text }]), 0);
    if (called < titles.length) {
      process.exitCode = 1;
      console.error(
        `${titles.length} tests were skipped in the bare environment, and only ${called} of them are there with everything.`,
      );
    }
    const skipped = isBare && code === 0 ? JSON.parse(readFileSync(skippedFile, 'utf8')) : null;
    if (skipped?.titles.length) rest.unshift(skipped);
  };
  const inTurn = async (folders, env = {}) => {
    for (const folder of folders) await run({ files: folder, env });
    for (let next = rest.shift(); next; next = rest.shift()) await run(next);
  };
  const apart = ownNeo4j ? { NEO4J_TEST_URL: ownNeo4j } : {};
  await Promise.all([inTurn(foldersOf(groups.shared)), inTurn(foldersOf(groups.apart), apart), inTurn([])]);
  rmSync(temporary, { recursive: true });
  // Once more, so that what failed stands at the end of a long log.
  for (const { text } of outputs) {
    const failures = text.search(/^ *\d+ failing$/m);
    if (failures >= 0) console.log(text.slice(failures).trimEnd() + '\n');
  }
  const longest = outputs.toSorted((one, other) => other.seconds - one.seconds).slice(0, 12);
  console.log(`Longest: ${longest.map(({ folder, seconds }) => `${folder} ${seconds} s`).join(', ')}`);
  const inBare = outputs.filter(({ isBare }) => isBare);
  if (bare)
    console.log(
      `Bare: ${count('passing', inBare)} passing, ${count('failing', inBare)} failing, ${count('pending', inBare)} skipped and tried with everything`,
    );
  const pending = count('pending') - count('pending', inBare);
  console.log(`Together: ${count('passing')} passing, ${count('failing')} failing, ${pending} pending`);
}

// Each in a process of its own: the larger one is, the longer it takes to start git or whatever else a test starts.
function foldersOf(files = []) {
  const weight = ([folder, { length }]) => length + 1_000 * (1 + longFirst.toReversed().indexOf(folder));
  return Object.entries(Object.groupBy(files, dirname))
    .sort((one, other) => weight(other) - weight(one))
    .flatMap(([, folder]) => partsOf(folder));
}

/** A folder of many files in equal parts, so that nobody is left alone with it in the end. */
function partsOf(files) {
  const count = Math.ceil(files.length / maxFilesAtOnce);
  const size = Math.ceil(files.length / count);
  return Array.from({ length: count }, (_, i) => files.slice(i * size, (i + 1) * size));
}

/** A PATH on which nothing is but these commands and the project's own; nothing of the environment but where one is at home. */
function bareEnvironment(temporary) {
  for (const command of bareCommands) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${command}`], { encoding: 'utf8' });
    // What the shell itself has is no path.
    if (stdout.startsWith('/')) symlinkSync(stdout.trim(), join(temporary, command));
  }
  return {
    // The first as `npm test` has it.
    PATH: `${resolve('node_modules/.bin')}${delimiter}${temporary}`,
    HOME: process.env.HOME,
    // Without registries, and not after minutes of trying.
    npm_config_offline: 'true',
  };
}

// Threads and processes begin with what was compiled before; but for coverage, which is exact only for what is compiled anew.
function compileCache() {
  return process.env.NODE_V8_COVERAGE ? {} : { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
}

/** Starts mocha on these files, in this environment or, where it `isBare`, in nothing else; shows what it says where `isShown`. */
function mocha(args, { isShown = false, isBare = false, env = {} } = {}) {
  // As the program does.
  const flags = ['--import', resolve('src/cli/webassembly.js')];
  const child = spawn(process.execPath, [...flags, 'node_modules/mocha/bin/mocha.js', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...(isBare ? {} : process.env),
      ...compileCache(),
      ...env,
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      if (isShown) process.stdout.write(chunk);
    });
  }
  const status = once(child, 'close').then(([code]) => code ?? 1);
  return { status, output: () => output };
}

// `npm test`: all tests, folder by folder, three processes of mocha at a time: one takes those that share the servers, one after
// the other; one those that break the way to them or have places of their own there, which mostly wait (to break the way to
// Neo4j, which has but one database, takes one of its own); and whoever is free takes the rest.
// With arguments it is mocha itself: `npm test -- test/api/search.test.ts`.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const asked = process.argv.slice(2);
if (asked.length > 0) {
  process.exitCode = await mocha(asked, { isShown: true }).status;
} else {
  const files = (await Array.fromAsync(glob('test/**/*.test.ts'))).sort();
  // What a suite on servers imports, itself or by way of test/support/faults.ts.
  const usesServers = (file) => /support\/(engines|service|faults)\.ts'/.test(readFileSync(file, 'utf8'));
  const { NEO4J_FAULTS_TEST_URL: ownNeo4j } = process.env;
  const groupOf = (file) => {
    if (file.startsWith('test/faults/')) return ownNeo4j ? 'apart' : 'shared';
    // Each of the command line has databases of its own.
    if (usesServers(file)) return file.startsWith('test/cli/') ? 'apart' : 'shared';
    return 'rest';
  };
  const groups = Object.groupBy(files, groupOf);
  const rest = foldersOf(groups.rest).sort((one, other) => other.length - one.length);
  const outputs = [];
  const run = async (folder, env) => {
    const { status, output } = mocha(folder, { env });
    const code = await status;
    process.exitCode ||= code;
    process.stdout.write(output());
    outputs.push(output());
  };
  const inTurn = async (folders, env = {}) => {
    for (const folder of folders) await run(folder, env);
    for (let next = rest.shift(); next; next = rest.shift()) await run(next, {});
  };
  const apart = ownNeo4j ? { NEO4J_TEST_URL: ownNeo4j } : {};
  await Promise.all([inTurn(foldersOf(groups.shared)), inTurn(foldersOf(groups.apart), apart), inTurn([])]);
  const texts = outputs.map(stripVTControlCharacters);
  // Once more, so that what failed stands at the end of a long log.
  for (const text of texts) {
    const failures = text.search(/^ *\d+ failing$/m);
    if (failures >= 0) console.log(text.slice(failures).trimEnd() + '\n');
  }
  const text = texts.join('\n');
  const count = (word) =>
    [...text.matchAll(new RegExp(`^ *(\\d+) ${word}\\b`, 'gm'))].reduce((sum, [, n]) => sum + Number(n), 0);
  console.log(`Together: ${count('passing')} passing, ${count('failing')} failing, ${count('pending')} pending`);
}

// Each in a process of its own: the larger one is, the longer it takes to start git or whatever else a test starts.
function foldersOf(files = []) {
  return Object.values(Object.groupBy(files, dirname));
}

// Threads and processes begin with what was compiled before; but for coverage, which is exact only for what is compiled anew.
function compileCache() {
  return process.env.NODE_V8_COVERAGE ? {} : { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
}

/** Starts mocha on these files; what it says is kept, and shown as it comes where `isShown`. */
function mocha(args, { isShown = false, env = {} } = {}) {
  const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...compileCache(), ...env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
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

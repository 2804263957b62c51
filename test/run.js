// `npm test`: all tests, in runs of mocha side by side: those that share the servers, one after the other; those that break the
// way to them, which mostly wait, where they have a Neo4j of their own, for it has but one database; and the rest.
// With arguments it is mocha itself: `npm test -- test/api/search.test.ts`.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

const asked = process.argv.slice(2);
if (asked.length > 0) {
  process.exitCode = await mocha(asked, { isShown: true }).status;
} else {
  const files = (await Array.fromAsync(glob('test/**/*.test.ts'))).sort();
  // What a suite on servers imports, itself or by way of test/support/faults.ts; those of the command line have databases of their own.
  const usesServers = (file) =>
    !file.startsWith('test/cli/') && /support\/(engines|service|faults)\.ts'/.test(readFileSync(file, 'utf8'));
  const { NEO4J_FAULTS_TEST_URL: ownNeo4j } = process.env;
  const isApart = (file) => Boolean(ownNeo4j) && file.startsWith('test/faults/');
  const runs = [
    mocha(
      files.filter((file) => usesServers(file) && !isApart(file)),
      { isShown: true },
    ),
    mocha(
      files.filter((file) => usesServers(file) && isApart(file)),
      { env: { NEO4J_TEST_URL: ownNeo4j } },
    ),
    mocha(files.filter((file) => !usesServers(file))),
  ].filter((run) => run !== null);
  const outputs = [];
  for (const run of runs) {
    const status = await run.status;
    process.exitCode ||= status;
    if (!run.isShown) process.stdout.write(run.output());
    outputs.push(run.output());
  }
  const text = stripVTControlCharacters(outputs.join('\n'));
  const count = (word) =>
    [...text.matchAll(new RegExp(`^ *(\\d+) ${word}\\b`, 'gm'))].reduce((sum, [, n]) => sum + Number(n), 0);
  console.log(`Together: ${count('passing')} passing, ${count('failing')} failing, ${count('pending')} pending`);
}

/** Starts mocha on these files, unless there are none; what it says is kept, and shown as it comes where `isShown`. */
function mocha(args, { isShown = false, env = {} } = {}) {
  if (args.length === 0) return null;
  const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      if (isShown) process.stdout.write(chunk);
    });
  }
  const status = once(child, 'close').then(([code]) => code ?? 1);
  return { isShown, status, output: () => output };
}

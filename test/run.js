// `npm test`: all tests, in runs of mocha side by side: those that share the servers, one after the other; those that break the
// way to them or have places of their own there, which mostly wait, with the tools of others and the browser; and the rest. To break the way to
// Neo4j, which has but one database, takes one of its own.
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
  // What a suite on servers imports, itself or by way of test/support/faults.ts.
  const usesServers = (file) => /support\/(engines|service|faults)\.ts'/.test(readFileSync(file, 'utf8'));
  const { NEO4J_FAULTS_TEST_URL: ownNeo4j } = process.env;
  const groupOf = (file) => {
    if (file.startsWith('test/faults/')) return ownNeo4j ? 'apart' : 'shared';
    // Each of the command line has databases of its own.
    if (usesServers(file)) return file.startsWith('test/cli/') ? 'apart' : 'shared';
    return /^test\/(?:suites|explorer)\//.test(file) ? 'apart' : 'rest';
  };
  const groups = Object.groupBy(files, groupOf);
  const runs = [
    mocha(groups.shared ?? [], { isShown: true }),
    mocha(groups.apart ?? [], { env: ownNeo4j ? { NEO4J_TEST_URL: ownNeo4j } : {} }),
    mocha(groups.rest ?? []),
  ];
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

/** Starts mocha on these files; what it says is kept, and shown as it comes where `isShown`. */
function mocha(args, { isShown = false, env = {} } = {}) {
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

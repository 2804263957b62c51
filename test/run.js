// `npm test`: all tests, in two runs of mocha side by side: those that share the servers, one after the other, and the rest.
// With arguments it is mocha itself: `npm test -- test/api/search.test.ts`.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

const asked = process.argv.slice(2);
if (asked.length > 0) {
  process.exitCode = await mocha(asked, true).status;
} else {
  const files = (await Array.fromAsync(glob('test/**/*.test.ts'))).sort();
  // What a suite on servers imports, itself or by way of test/support/faults.ts; those of the command line have databases of their own.
  const usesServers = (file) =>
    !file.startsWith('test/cli/') && /support\/(engines|service|faults)\.ts'/.test(readFileSync(file, 'utf8'));
  const runs = [
    mocha(files.filter(usesServers), true),
    mocha(
      files.filter((file) => !usesServers(file)),
      false,
    ),
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
function mocha(args, isShown) {
  const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
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

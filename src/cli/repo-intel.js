#!/usr/bin/env node
// Plain JavaScript on purpose: it must start on any Node, find one that runs the TypeScript sources, and hand over to it.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 15)) {
  // Compiled code is kept for the next start; threads learn of it by their environment.
  const { directory } = module.enableCompileCache();
  // oxlint-disable-next-line node/no-process-env -- written, not read
  if (directory) process.env.NODE_COMPILE_CACHE ??= dirname(directory);
  await import('./webassembly.js');
  await import('./main.ts');
} else {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const bundled = fileURLToPath(new URL(`../../node_modules/node/bin/${name}`, import.meta.url));
  if (existsSync(bundled)) {
    // As `npm start` does: V8's usual young generation takes 120 MB more of memory and saves no time.
    const child = spawn(
      bundled,
      ['--max-semi-space-size=8', fileURLToPath(import.meta.url), ...process.argv.slice(2)],
      { stdio: 'inherit' },
    );
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => {
      process.exitCode = signal ? 1 : (code ?? 1);
    });
  } else {
    console.error(
      `repo-intel needs Node 24.15 or newer and this is ${process.versions.node}: run \`npm ci\` once more with install scripts allowed (\`npm config set ignore-scripts false\`), or install Node 24 yourself.`,
    );
    process.exitCode = 1;
  }
}

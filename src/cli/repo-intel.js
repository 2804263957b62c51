#!/usr/bin/env node
// Plain JavaScript on purpose: it must start on any Node, find one that runs the program, and hand over to it.
import module from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = import.meta.dirname ?? dirname(fileURLToPath(import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);
const isCheckout = existsSync(join(here, 'main.ts'));

if (major > 24 || (major === 24 && minor >= 15)) {
  // oxlint-disable node/no-process-env -- written, not read
  let compiled;
  const { quick, envPaths } = await import(isCheckout ? './quick.ts' : '../../dist/package/src/cli/installed.js');
  if (!isCheckout) {
    // Installed, it is run from any folder, and keeps what it has in the user's own.
    const { data } = envPaths('repo-intel', { suffix: '' });
    process.env.DATA_DIR ||= join(data, 'data');
    compiled = process.env.NODE_COMPILE_CACHE || join(data, 'compiled');
  }
  // Compiled code is kept for the next start; threads learn of it by their environment.
  const { directory } = module.enableCompileCache(compiled);
  if (directory) process.env.NODE_COMPILE_CACHE ||= directory;
  // oxlint-enable node/no-process-env
  if (!(await quick())) await import(isCheckout ? './main.ts' : '../../dist/package/src/cli/main.js');
} else {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const bundled = join(here, `../../node_modules/node/bin/${name}`);
  if (isCheckout && existsSync(bundled)) {
    const { spawn } = await import('node:child_process');
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
      `repo-intel needs Node 24.15 or newer and this is ${process.versions.node}: install Node 24${isCheckout ? ', or run `npm ci` once more with install scripts allowed (`npm config set ignore-scripts false`)' : ''}.`,
    );
    process.exitCode = 1;
  }
}

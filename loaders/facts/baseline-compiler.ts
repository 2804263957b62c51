import { setFlagsFromString } from 'node:v8';

/**
 * Runs WebAssembly that V8's optimising compiler is to leave alone. A function keeps the compiler that its first call met, so what
 * is called here first is never optimised, in any thread.
 */
export function withBaselineCompiler<T>(run: () => T): T {
  for (const flag of ['liftoff-only', 'no-wasm-tier-up', 'no-wasm-dynamic-tiering']) setFlagsFromString(`--${flag}`);
  try {
    return run();
  } finally {
    for (const flag of ['no-liftoff-only', 'wasm-tier-up', 'wasm-dynamic-tiering']) setFlagsFromString(`--${flag}`);
  }
}

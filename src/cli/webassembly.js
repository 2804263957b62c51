import { setFlagsFromString } from 'node:v8';

// WebAssembly stays with V8's baseline compiler, from the start and in all threads. The optimising one takes 450 to 600 MB for the
// largest functions of PostgreSQL and of the Bash grammar; what runs for a few seconds ends before it gains anything.
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);

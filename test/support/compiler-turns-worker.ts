import { parentPort } from 'node:worker_threads';
import { compilerTurns, useOptimisingCompiler } from '../../src/compiler-turns.ts';

/** A thread that is about to call what may be optimised: says so, and then how many are about what may not be, when it could begin. */
parentPort?.postMessage('waits');
const end = useOptimisingCompiler();
parentPort?.postMessage(Atomics.load(new Int32Array(compilerTurns), 0));
end();

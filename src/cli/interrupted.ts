import type { Io } from './io.ts';

/** Aborts with the first Ctrl-C, saying this; a second one ends the program at once. */
export function interrupted(io: Io, sentence: string): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    io.done();
    controller.abort(new Error(sentence));
    // Not yet: write-file-atomic, in the midst of a file, ends the program where it is the only one that listens.
    setImmediate(() => process.off('SIGINT', abort));
  };
  process.on('SIGINT', abort);
  return controller.signal;
}

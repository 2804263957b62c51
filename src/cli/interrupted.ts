import type { Io } from './io.ts';

/** Aborts with the first Ctrl-C, saying this; a second one ends the program at once. */
export function interrupted(io: Io, sentence: string): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    io.done();
    controller.abort(new Error(sentence));
  });
  return controller.signal;
}

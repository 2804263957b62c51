import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Io } from './io.ts';

/** How another process on this machine reaches the one that holds the data folder. */
export interface ControlAddress {
  port: number;
  token: string;
}

/** What the holder sends back, a JSON line each: words, data, progress, and at the end a result or an error. */
export type Frame =
  | { say: string }
  | { out: string }
  | { progress: Parameters<Io['progress']>[0] }
  | { result: unknown }
  | { error: string };

/** Runs a command in the process that holds the data folder. Throws what the command threw, as a message. */
export async function callControl(
  address: ControlAddress,
  command: string,
  options: unknown,
  io: Io,
): Promise<unknown> {
  const socket = connect(address.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(`${address.token}\n${JSON.stringify({ command, options })}`);
  for await (const line of createInterface({ input: socket })) {
    const frame = JSON.parse(line) as Frame;
    if ('say' in frame) io.say(frame.say);
    else if ('out' in frame) await io.out(frame.out);
    else if ('progress' in frame) io.progress(frame.progress);
    else if ('error' in frame) throw new Error(frame.error);
    else return frame.result;
  }
  throw new Error('The running repo-intel went away before the command was done: run it again.');
}

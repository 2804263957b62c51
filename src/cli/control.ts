import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { z } from 'zod';
import { answerGet, answerQuestion, getSchema, questionSchema } from './answer-question.ts';
import { answerWords, wordsSchema } from './answer-words.ts';
import type { ControlAddress, Frame } from './call-control.ts';
import type { Io } from './io.ts';
import { storeCommands } from './store-commands.ts';
import type { OpenService } from './store-command.ts';

const requestSchema = z.object({ command: z.string(), options: z.unknown() });

/**
 * Listens on the loopback for commands of other processes, which read port and token from the data folder's lock (mode 0600): a line
 * with the token, then the command as JSON. It runs in this process on the open stores; its words stream back, a JSON line each.
 * `began` and `ended` are called around each; `leave` when this process is asked to let go of the folder, which others refuse.
 */
export async function openControl(
  service: OpenService,
  { began = () => {}, ended = () => {}, leave }: { began?: () => void; ended?: () => void; leave?: () => void } = {},
): Promise<ControlAddress & { close(): Promise<void> }> {
  const token = randomBytes(32).toString('base64url');
  const run = (command: string, options: unknown, io: Io): unknown =>
    command === 'leave' && leave ? leave() : runCommand(service, command, options, io);
  const answer = async (socket: Socket) => {
    const text = await readAfter(socket, `${token}\n`);
    if (text === null) {
      socket.destroy();
      return;
    }
    began();
    const send = (frame: Frame) => socket.write(`${JSON.stringify(frame)}\n`);
    try {
      const { command, options } = requestSchema.parse(JSON.parse(text));
      const result = await run(command, options, {
        out: async (out) => {
          if (!send({ out }) && !socket.destroyed) await drained(socket);
        },
        say: (say) => void send({ say }),
        progress: (progress) => void send({ progress }),
        done: () => undefined,
      });
      send({ result: result ?? null });
    } catch (error) {
      send({ error: error instanceof Error ? error.message : String(error) });
    }
    socket.end();
    ended();
  };
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Whoever asked may be gone before the answer.
    socket.on('error', () => {});
    answer(socket).catch(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    token,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroySoon();
      }),
  };
}

/** What another process may have done here: questions, and the commands on the stores. */
export async function runCommand(service: OpenService, command: string, options: unknown, io: Io): Promise<unknown> {
  if (command === 'ask') return answerQuestion(service, questionSchema.parse(options), io);
  if (command === 'words') return answerWords(service, wordsSchema.parse(options), io);
  if (command === 'get') return answerGet(service, getSchema.parse(options), io);
  return storeCommands.run(service, command, options, io);
}

/** What comes after this; null where it begins otherwise, of which no more is read. */
async function readAfter(socket: Socket, beginning: string): Promise<string | null> {
  const wanted = Buffer.from(beginning);
  const chunks: Buffer[] = [];
  let isKnown = false;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    if (isKnown) continue;
    const begun = Buffer.concat(chunks);
    if (begun.length < wanted.length) continue;
    isKnown = timingSafeEqual(begun.subarray(0, wanted.length), wanted);
    if (!isKnown) return null;
  }
  return isKnown ? Buffer.concat(chunks).toString('utf8', wanted.length) : null;
}

/** Until more can be written, or nobody reads any more. */
async function drained(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      socket.off('drain', go).off('close', go);
      resolve();
    };
    socket.on('drain', go).on('close', go);
  });
}

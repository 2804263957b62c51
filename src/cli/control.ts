import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Io } from './io.ts';
import { storeCommands } from './store-commands.ts';
import type { OpenService } from './store-command.ts';

/** How another process on this machine reaches the one that holds the data folder. */
export interface ControlAddress {
  port: number;
  token: string;
}

/** What the holder sends back, a JSON line each: words, data, progress, and at the end a result or an error. */
type Frame =
  | { say: string }
  | { out: string }
  | { progress: Parameters<Io['progress']>[0] }
  | { result: unknown }
  | { error: string };

const requestSchema = z.object({ command: z.string(), options: z.unknown() });

/**
 * Listens on the loopback for commands of other processes, which read port and token from the data folder's lock (mode 0600).
 * A command runs in this process on the open stores; its words stream back.
 */
export async function openControl(service: OpenService): Promise<ControlAddress & { close(): Promise<void> }> {
  const token = randomBytes(32).toString('base64url');
  const server = createServer((request, response) => {
    void (async () => {
      if (!sameToken(request.headers.authorization, token)) {
        response.writeHead(401).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      const send = (frame: Frame) => void response.write(`${JSON.stringify(frame)}\n`);
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const { command, options } = requestSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
        const io: Io = {
          out: async (out) => {
            if (!response.write(`${JSON.stringify({ out })}\n`) && !response.destroyed) await drained(response);
          },
          say: (say) => send({ say }),
          progress: (progress) => send({ progress }),
          done: () => undefined,
        };
        send({ result: (await storeCommands.run(service, command, options, io)) ?? null });
      } catch (error) {
        send({ error: error instanceof Error ? error.message : String(error) });
      }
      response.end();
    })();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    token,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Runs a command in the process that holds the data folder. Throws what the command threw, as a message. */
export async function callControl(
  address: ControlAddress,
  command: string,
  options: unknown,
  io: Io,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${address.port}/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${address.token}` },
    body: JSON.stringify({ command, options }),
  });
  if (!response.ok || !response.body)
    throw new Error(`The running repo-intel refused the command (${response.status}).`);
  for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
    const frame = JSON.parse(line) as Frame;
    if ('say' in frame) io.say(frame.say);
    else if ('out' in frame) await io.out(frame.out);
    else if ('progress' in frame) io.progress(frame.progress);
    else if ('error' in frame) throw new Error(frame.error);
    else return frame.result;
  }
  throw new Error('The running repo-intel went away before the command was done: run it again.');
}

/** Until more can be written, or nobody reads any more. */
async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

function sameToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

import { closeSync, openSync, writeSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import type { Readable } from 'node:stream';
import { Parser } from 'tar';
import type { SandboxRequest } from './sandbox.ts';

const maxBytes = 256 * 1024 ** 2;

/** A file of workspace.sh's own, which no command can reach. */
const named = 'too_large';

/** What came out of a sandbox, of which nothing is believed. */
interface Reports {
  files: Map<string, Buffer>;
  /** Paths of those that are too large to be handed out. */
  tooLarge: string[];
  problem: string | null;
}

/**
 * Reads regular files, and no more than fits, from the tar that workspace.sh writes: below `out/`, or of the glob below `testbed/`.
 * What is wanted in a file of its own goes there as it comes.
 */
export async function readReports(
  stream: Readable,
  { reports: glob, into }: Pick<SandboxRequest, 'reports' | 'into'>,
): Promise<Reports> {
  const files = new Map<string, Buffer>();
  const tooLarge: string[] = [];
  let problem: string | null = null;
  let bytes = 0;
  const isWanted = (path: string) =>
    path === named ||
    path.startsWith('out/') ||
    (glob !== undefined && path.startsWith('testbed/') && matchesGlob(path.slice(8), glob));
  const parser = new Parser({
    onReadEntry(entry) {
      const file = entry.type === 'File' ? into?.[entry.path] : undefined;
      if (file !== undefined) {
        const descriptor = openSync(file, 'w');
        entry.on('data', (chunk: Buffer) => writeSync(descriptor, chunk)).on('end', () => closeSync(descriptor));
        return;
      }
      bytes += entry.size;
      if (entry.type !== 'File' || !isWanted(entry.path) || bytes > maxBytes) {
        if (bytes > maxBytes) problem = `the reports have more than ${maxBytes} bytes`;
        entry.resume();
        return;
      }
      const chunks: Buffer[] = [];
      entry.on('data', (chunk: Buffer) => chunks.push(chunk));
      entry.on('end', () => {
        const content = Buffer.concat(chunks);
        if (entry.path === named) tooLarge.push(...content.toString('utf8').split('\0').filter(Boolean));
        else files.set(entry.path, content);
      });
    },
  });
  try {
    for await (const chunk of stream) parser.write(chunk as Buffer);
    await new Promise<void>((resolve, reject) => {
      parser.on('end', resolve).on('error', reject);
      parser.end();
    });
  } catch (error) {
    problem = `the reports could not be read: ${(error as Error).message}`;
  }
  return { files, tooLarge, problem };
}

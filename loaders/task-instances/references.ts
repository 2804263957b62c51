import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** What a patch does, wherever it does it: digests are equal where names of blobs, places and what stands around are all that differs. */
export function digestOfChanges(patch: string): string {
  const changes = patch.split('\n').filter((line) => /^[+-]/.test(line) && !/^(\+\+\+|---) /.test(line));
  return createHash('sha256').update(changes.join('\n')).digest('hex');
}

/** Reads the patches of other datasets, JSON lines with `patch` as in SWE-bench's, so that their tasks can be told. */
export async function readReferences(files: readonly string[]): Promise<ReadonlySet<string>> {
  const digests = new Set<string>();
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (line.trim() === '') continue;
      const { patch } = parsed(line);
      if (typeof patch !== 'string') throw new Error(`${file} has a line that is no task: it needs a patch.`);
      digests.add(digestOfChanges(patch));
    }
  return digests;
}

function parsed(line: string): { patch?: unknown } {
  try {
    return Object(JSON.parse(line)) as { patch?: unknown };
  } catch {
    return {};
  }
}

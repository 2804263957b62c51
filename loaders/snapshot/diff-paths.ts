import { diffConfig, diffOptions } from './diff-options.ts';
import { gitStream } from './git.ts';

/** Paths go as arguments, and these have an end. */
const pathsAtOnce = 500;

/** What changed in these files from one commit to another, byte for byte, with the contents of binary ones: `git apply` takes it. */
export async function diffPaths(options: {
  gitDir: string;
  from: string;
  to: string;
  paths: readonly string[];
  signal?: AbortSignal;
}): Promise<Buffer> {
  const { gitDir, from, to, paths, signal } = options;
  const chunks: Buffer[] = [];
  for (let start = 0; start < paths.length; start += pathsAtOnce) {
    const some = paths.slice(start, start + pathsAtOnce);
    const args = ['diff', '--binary', ...diffOptions, from, to, '--', ...some];
    // A path is a name here, whatever signs are in it.
    const environment = { GIT_LITERAL_PATHSPECS: '1' };
    for await (const chunk of gitStream(args, {
      gitDir,
      config: diffConfig,
      environment,
      ...(signal ? { signal } : {}),
    }))
      chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

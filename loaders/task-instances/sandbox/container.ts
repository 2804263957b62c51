import { basename } from 'node:path';
import { proxyFolder, unmounted, type Level } from './level.ts';

/** Containers of an image, by docker or podman: a new one for each run, in which only a tmpfs can be written to. */
export function container(program: string, image: string, user: string): Level {
  const base = '/run/base';
  return {
    isolation: 'container',
    ownMounts: false,
    inside: () => ({
      ...unmounted(base),
      // Where the official images of languages have their programs.
      path: `${unmounted(base).path}:/usr/local/go/bin:/usr/local/cargo/bin:/opt/java/openjdk/bin`,
    }),
    reportsOn: 1,
    argv({ places, command, network, proxy, bytes, limits, workspace }) {
      const { tree, layer, keep } = places;
      const at = { base, tree: '/run/tree', layer: layer && '/run/layer', keep: keep && '/run/keep' };
      const [entrypoint = '', ...args] = workspace(at, command);
      return [
        [
          program,
          'run',
          '--rm',
          '--interactive',
          '--pull',
          'never',
          '--network',
          network === 'host' ? 'bridge' : 'none',
          '--read-only',
        ],
        [
          '--cap-drop',
          'ALL',
          '--security-opt',
          'no-new-privileges',
          '--user',
          user,
          '--pids-limit',
          String(limits.processes),
        ],
        // Its files are memory, too.
        ['--memory', String(limits.memory_bytes + bytes), '--memory-swap', String(limits.memory_bytes + bytes)],
        ['--name', basename(places.base), '--hostname', 'sandbox', '--log-driver', 'none'],
        ['--tmpfs', `${base}:rw,exec,nosuid,nodev,size=${bytes},mode=1777`],
        ['--volume', `${tree}:/run/tree:ro`],
        layer === null ? [] : ['--volume', `${layer}:/run/layer:ro`],
        proxy === null ? [] : ['--volume', `${proxy}:${proxyFolder}:ro`],
        keep === null ? [] : ['--volume', `${keep}:/run/keep`],
        ['--entrypoint', entrypoint, image],
        args,
      ].flat();
    },
    // Who is killed is only the client of what runs it.
    end: (places) => [program, 'kill', basename(places.base)],
  };
}

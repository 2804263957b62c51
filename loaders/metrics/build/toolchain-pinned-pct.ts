import { posix } from 'node:path';
import { foldersUp } from '../folders-up.ts';
import type { MetricInput, MetricSource } from '../metric.ts';
import { isAside } from '../../snapshot/is-aside.ts';

/** A kind of module whose toolchain can be pinned, and by what it is. */
interface Toolchain {
  id: string;
  module: RegExp;
  /** Files that pin it, in the module's folder or one above. */
  files: readonly string[];
  /** Whether the module's own definition, or a file beside it, pins it. */
  pinnedBy?: (definition: string, beside: (name: string) => string | null) => boolean;
}

const exact = /^v?\d+(\.\d+){0,2}$/;
/** These pin the tools of any language. */
const toolVersions = ['.tool-versions', 'mise.toml', '.mise.toml', 'flake.lock'];

const toolchains: readonly Toolchain[] = [
  {
    id: 'node',
    module: /(^|\/)package\.json$/,
    files: ['.nvmrc', '.node-version'],
    pinnedBy: (definition) => {
      const { engines, packageManager, volta, devEngines } = object(parsed(definition));
      const { node } = object(engines);
      return (
        typeof packageManager === 'string' ||
        volta !== undefined ||
        devEngines !== undefined ||
        (typeof node === 'string' && exact.test(node))
      );
    },
  },
  {
    id: 'python',
    module: /(^|\/)(pyproject\.toml|setup\.py|Pipfile)$/,
    files: ['.python-version', 'runtime.txt', 'uv.lock'],
  },
  {
    id: 'go',
    module: /(^|\/)go\.mod$/,
    files: ['.go-version'],
    pinnedBy: (definition) => /^toolchain\s+go\d/m.test(definition) || /^go\s+\d+\.\d+\.\d+/m.test(definition),
  },
  { id: 'rust', module: /(^|\/)Cargo\.toml$/, files: ['rust-toolchain', 'rust-toolchain.toml'] },
  {
    id: 'gradle',
    module: /(^|\/)settings\.gradle(\.kts)?$/,
    files: ['.sdkmanrc'],
    pinnedBy: (_, beside) => /distributionSha256Sum/.test(beside('gradle/wrapper/gradle-wrapper.properties') ?? ''),
  },
  {
    id: 'maven',
    module: /(^|\/)pom\.xml$/,
    files: ['.sdkmanrc', '.java-version'],
    pinnedBy: (_, beside) => /distributionSha256Sum/.test(beside('.mvn/wrapper/maven-wrapper.properties') ?? ''),
  },
  { id: 'dotnet', module: /(^|\/)[^/]+\.(csproj|fsproj|sln)$/, files: ['global.json'] },
  {
    id: 'ruby',
    module: /(^|\/)Gemfile$/,
    files: ['.ruby-version'],
    pinnedBy: (text) => /^[ \t]*ruby[ \t]+['"]\d/m.test(text),
  },
  { id: 'elixir', module: /(^|\/)mix\.exs$/, files: ['.elixir-version'] },
  { id: 'bazel', module: /(^|\/)MODULE\.bazel$/, files: ['.bazelversion'] },
];

const wrappers = /(^|\/)(gradle\/wrapper\/gradle-wrapper|\.mvn\/wrapper\/maven-wrapper)\.properties$/;

/** Build modules whose toolchain is pinned to a version, of those that have one (OpenSSF badge: build_repeatable; our own formula). */
export const toolchainPinned: MetricSource = {
  id: 'toolchain_pinned_pct',
  version: 1,
  reads: (path) => wrappers.test(path) || toolchains.some(({ module }) => module.test(path)),
  measure(input) {
    const modules = modulesOf(input);
    if (modules.length === 0) return { value: null, reason: 'no_manifest' };
    const loose = modules.filter(({ pinned }) => !pinned);
    return {
      value: (100 * (modules.length - loose.length)) / modules.length,
      numerator: modules.length - loose.length,
      denominator: modules.length,
      evidence: loose.map(({ path, id }) => ({ path, note: `${id}: no version of the toolchain is pinned` })),
      quantities: { modules: loose.length },
    };
  },
};

function modulesOf({ paths, text }: MetricInput): { path: string; id: string; pinned: boolean }[] {
  const all = new Set(paths);
  return paths
    .filter((path) => !isAside(path))
    .flatMap((path) => {
      const toolchain = toolchains.find(({ module }) => module.test(path));
      if (!toolchain) return [];
      const folder = posix.dirname(path);
      const beside = (name: string) => text(posix.join(folder, name));
      const pinned =
        foldersUp(folder).some((above) => pins(toolchain, above, all)) ||
        (toolchain.pinnedBy?.(text(path) ?? '', beside) ?? false);
      return [{ path, id: toolchain.id, pinned }];
    });
}

const pins = ({ files }: Toolchain, folder: string, paths: ReadonlySet<string>): boolean =>
  [...files, ...toolVersions].some((name) => paths.has(posix.join(folder, name)));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const object = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;

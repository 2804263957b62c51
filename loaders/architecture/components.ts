import { matchesGlob } from 'node:path/posix';
import { z } from 'zod';
import { readYaml } from '../read-yaml.ts';

/** Which components the files of production are in. */
export interface Components {
  madeOf: 'configured' | 'packages' | 'folders';
  /** Names, sorted, each with its folders (with `/` at the end; the root’s is empty) and files. */
  list: readonly { name: string; paths: readonly string[] }[];
  /** The place in the list, by path. */
  of: ReadonlyMap<string, number>;
  warnings: readonly string[];
}

/** Where a repository says what its components are. */
export const configurationPath = 'architecture.yml';

/** Of a folder that is a package of its own, in the tools of its language. */
const manifest =
  /(?:^|\/)(?:package\.json|Cargo\.toml|go\.mod|pyproject\.toml|setup\.py|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|mix\.exs|pubspec\.yaml|Package\.swift|build\.sbt|[^/]+\.(?:csproj|fsproj|gemspec|rockspec))$/;
/** What holds a larger share of the lines than this says little as one component. */
const maxShare = 0.25;
const maxPatterns = 500;
/** Of a configuration that leaves files out. */
export const elsewhere = 'elsewhere';

const configurationSchema = z.object({
  components: z
    .array(
      z.object({
        name: z.string().min(1).max(200),
        paths: z.union([z.string().transform((path) => [path]), z.array(z.string()).min(1)]),
      }),
    )
    .min(1),
});

/**
 * The one definition of a component: what `architecture.yml` says; else, where two or more folders with a manifest of their own hold
 * production code, these packages; else folders of source. What holds over a quarter of the lines is split into its folders, again and
 * again, and what lies in it directly stays one with its name.
 */
export function componentsOf(
  files: readonly { path: string; lines: number }[],
  paths: readonly string[],
  configuration: string | null,
): Components {
  const read = configuration === null ? null : readConfiguration(configuration);
  if (read?.components) return { ...configured(files, read.components), warnings: [] };
  const packages = new Set(paths.filter((path) => manifest.test(path)).map(folderOf));
  const rootOf = (path: string): string => {
    let folder = folderOf(path);
    while (folder !== '' && !packages.has(folder)) folder = folderOf(folder.slice(0, -1));
    return folder;
  };
  const roots = files.map(({ path }) => rootOf(path));
  const isOfPackages = new Set(roots.filter((root) => packages.has(root))).size > 1;
  const folders = splitUp(files, isOfPackages ? roots : files.map(() => ''));
  const names = [...new Set(folders)].sort();
  const numbers = new Map(names.map((name, index) => [name, index]));
  return {
    madeOf: isOfPackages ? 'packages' : 'folders',
    list: names.map((folder) => ({ name: folder === '' ? '.' : folder.slice(0, -1), paths: [folder] })),
    of: new Map(files.map(({ path }, index) => [path, numbers.get(folders[index] ?? '') ?? 0])),
    warnings: read?.warnings ?? [],
  };
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** Of each file the folder that its component is. */
function splitUp(files: readonly { path: string; lines: number }[], roots: readonly string[]): string[] {
  const all = files.reduce((sum, { lines }) => sum + lines, 0);
  const folders = [...roots];
  const open = new Map<string, number[]>();
  folders.forEach((folder, index) => {
    const inside = open.get(folder);
    if (inside) inside.push(index);
    else open.set(folder, [index]);
  });
  for (const [folder, inside] of open) {
    const lines = inside.reduce((sum, index) => sum + (files[index]?.lines ?? 0), 0);
    if (lines <= all * maxShare) continue;
    // A Map goes on to what is added to it.
    for (const index of inside) {
      const path = files[index]?.path ?? '';
      const end = path.indexOf('/', folder.length);
      if (end < 0) continue;
      const inner = path.slice(0, end + 1);
      folders[index] = inner;
      const known = open.get(inner);
      if (known) known.push(index);
      else open.set(inner, [index]);
    }
  }
  return folders;
}

type Configured = z.infer<typeof configurationSchema>['components'];

function readConfiguration(text: string): { components: Configured | null; warnings: string[] } {
  const refused = (why: string) => ({
    components: null,
    warnings: [`architecture: ${configurationPath} could not be used and is left out (${why}).`],
  });
  try {
    const parsed = configurationSchema.safeParse(readYaml(text).value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refused(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not as it should be'}`);
    }
    const patterns = parsed.data.components.reduce((sum, { paths }) => sum + paths.length, 0);
    if (patterns > maxPatterns) return refused(`${patterns} patterns, ${maxPatterns} at most`);
    return { components: parsed.data.components, warnings: [] };
  } catch (error) {
    return refused(error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error));
  }
}

/** The first pattern that fits says which component a file is in. */
function configured(files: readonly { path: string }[], components: Configured): Omit<Components, 'warnings'> {
  const patterns = components.flatMap(({ name, paths }) => paths.map((path) => ({ name, fits: fitting(path) })));
  const nameOf = (path: string) => patterns.find(({ fits }) => fits(path))?.name ?? elsewhere;
  const named = files.map(({ path }) => ({ path, name: nameOf(path) }));
  const names = [...new Set(named.map(({ name }) => name))].sort();
  const numbers = new Map(names.map((name, index) => [name, index]));
  const covers = coversOf(named);
  return {
    madeOf: 'configured',
    list: names.map((name) => ({ name, paths: covers.get(name) ?? [] })),
    of: new Map(named.map(({ path, name }) => [path, numbers.get(name) ?? 0])),
  };
}

function fitting(pattern: string): (path: string) => boolean {
  const plain = pattern.replace(/^\.?\//, '').replace(/\/(?:\*\*)?$/, '');
  return /[*?[{]/.test(plain)
    ? (path) => matchesGlob(path, plain) || matchesGlob(path, `${plain}/**`)
    : (path) => path === plain || plain === '' || plain === '.' || path.startsWith(`${plain}/`);
}

/** The folders of which all files are one component’s, the outermost of them; and the files in no such folder. */
function coversOf(files: readonly { path: string; name: string }[]): Map<string, string[]> {
  const owners = new Map<string, string | null>();
  for (const { path, name } of files)
    for (let folder = folderOf(path); ; folder = folderOf(folder.slice(0, -1))) {
      const owner = owners.get(folder);
      owners.set(folder, owner === undefined || owner === name ? name : null);
      if (folder === '') break;
    }
  const covers = new Map<string, Set<string>>();
  for (const { path, name } of files) {
    let cover = path;
    for (let folder = folderOf(path); (owners.get(folder) ?? null) !== null; folder = folderOf(folder.slice(0, -1))) {
      cover = folder;
      if (folder === '') break;
    }
    covers.set(name, (covers.get(name) ?? new Set()).add(cover));
  }
  return new Map([...covers].map(([name, paths]) => [name, [...paths].sort()]));
}

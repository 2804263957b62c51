import { posix } from 'node:path';
import { z } from 'zod';
import type { Requirement } from '../../src/model/snapshot.ts';
import { isAside } from '../snapshot/is-aside.ts';
import { isForWork } from './requirements-txt.ts';

/** A package that a manifest takes from no registry: its code is neither in the tree nor published where others look. */
export interface PackageElsewhere {
  name: string;
  /** The manifest. */
  path: string;
}

interface Asked {
  name: string;
  address: string;
}

/** What a manifest's kind writes an address behind, by its file name. */
const readers: readonly { file: RegExp; read(text: string): Asked[] }[] = [
  { file: /^package\.json$/, read: inPackageJson },
  { file: /^(?:Cargo|pyproject)\.toml$|^Pipfile$/, read: (text) => [...inTables(text), ...namedUrls(text)] },
  { file: /requirements[^/]*\.(?:txt|in)$/i, read: pythonUrls },
  { file: /^setup\.(?:py|cfg)$/, read: namedUrls },
  { file: /^(?:Gemfile|gems\.rb)$/, read: inGemfile },
  { file: /^composer\.json$/, read: inComposer },
  { file: /^go\.mod$/, read: inGoMod },
];

/** Of what a repository needs to run, the packages at addresses of git or the web, beyond the tree, or in archives. */
export function packagesElsewhere(
  paths: readonly string[],
  text: (path: string) => string | null,
  requires: readonly Requirement[],
): PackageElsewhere[] {
  const scopes = Map.groupBy(requires, ({ path, name }) => `${path} ${name.toLowerCase()}`);
  const isNeeded = (path: string, name: string) =>
    scopes.get(`${path} ${name.toLowerCase()}`)?.some(({ scope }) => scope !== 'development') ?? !isForWork(path);
  const found = new Map<string, PackageElsewhere>();
  for (const path of paths) {
    const reader = readers.find(({ file }) => file.test(posix.basename(path)));
    const content = reader && !isAside(path) ? text(path) : null;
    if (!reader || content === null) continue;
    for (const { name, address } of readSafely(reader.read, content))
      // What is put together is no address.
      if (!/\{|%[s(]/.test(address) && isNeeded(path, name) && isElsewhere(address, path))
        found.set(`${path} ${address}`, { name, path });
  }
  return [...found.values()];
}

const archive = /\.(?:tgz|tar(?:\.\w{1,4})?|zip|whl|gem|jar|egg)$/;

/** What registries have, the workspace, or a patch in the tree. */
const known = /^(?:workspace|npm|jsr|catalog|patch):/;

/** An address of the web, or a path that leads out of the tree or to an archive. */
function isElsewhere(address: string, manifest: string): boolean {
  if (/^(?:file|link|portal|path):(?!\/\/)/.test(address) || !/^[\w+.-]{1,30}:|^git@/.test(address)) {
    const place = address.replace(/^\w+:/, '');
    return archive.test(place) || /^(?:\/|~|\.\.(?:\/|$))/.test(posix.join(posix.dirname(manifest), place));
  }
  return !known.test(address);
}

function readSafely(read: (text: string) => Asked[], text: string): Asked[] {
  try {
    return read(text.replaceAll('\r\n', '\n'));
  } catch {
    return [];
  }
}

const section = z.record(z.string(), z.unknown()).optional().catch(undefined);
const packageJson = z.object({ dependencies: section, optionalDependencies: section, peerDependencies: section });
const withoutBranch = (address: string) => address.split('#', 1)[0] ?? '';
const npmAddress = /^(?:[\w+.-]{1,30}:|git@|\.{0,2}\/)/;
/** `owner/name#branch`. */
const ofGitHub = /^\w[\w.-]*\/[\w.-]+(?:#|$)/;

function inPackageJson(text: string): Asked[] {
  const sections = Object.values(packageJson.parse(JSON.parse(text.replace(/^\uFEFF/, ''))));
  return sections
    .flatMap((each) => Object.entries(each ?? {}))
    .flatMap(([name, range]) =>
      typeof range === 'string' && (npmAddress.test(range) || ofGitHub.test(range))
        ? [{ name, address: (ofGitHub.test(range) ? 'github:' : '') + withoutBranch(range) }]
        : [],
    );
}

/** `core = { git = "…" }`, and a table of its own. */
function inTables(text: string): Asked[] {
  const asked = [
    ...text.matchAll(
      /^[ \t]*["']?([\w.-]{1,100})["']?[ \t]*=[ \t]*\{[^}\n]{0,300}?\b(?:git|hg|url|path|file)[ \t]*=[ \t]*["']([^"'\n]{1,300})/gm,
    ),
    ...text.matchAll(
      /^\[[^\]\n]{0,100}(?:dependencies|sources|packages)\.["']?([\w-]{1,100})["']?\]\n(?:\w[^\n]{0,300}\n){0,9}?(?:git|url|path)[ \t]*=[ \t]*["']([^"'\n]{1,300})/gm,
    ),
  ];
  return asked.map(([, name = '', address = '']) => ({ name, address }));
}

/** `core @ git+https://…`, `-e git+https://…#egg=core`, `https://…/core.whl`. */
function pythonUrls(text: string): Asked[] {
  const urls = text.matchAll(
    /(?:^|["'])[ \t]*(?:(?:-e|--editable)[ =]\s{0,9})?(?:([\w.-]{1,100})[ \t]{0,9}(?:\[[^\]\n]{0,100}\])?[ \t]{0,9}@[ \t]{0,9})?((?:git|hg|svn|bzr)\+\w{1,9}:[^\s"',;]{1,300}|(?:https?|file):[^\s"',;]{1,300}\.(?:whl|zip|tar\.gz|tgz)\b)/gm,
  );
  return Array.from(urls, ([, name, address = '']) => ({
    name: name ?? /[#&]egg=([\w.-]{1,100})/.exec(address)?.[1] ?? posix.basename(address),
    address: withoutBranch(address),
  }));
}

/** Elsewhere than in a list of packages, an archive without a name may be the project itself: `download_url`. */
function namedUrls(text: string): Asked[] {
  return pythonUrls(text).filter(({ name, address }) => name !== posix.basename(address) || /^\w+\+/.test(address));
}

function inGemfile(text: string): Asked[] {
  const gems = text.matchAll(
    /^[ \t]*gem[ (]+["']([\w.-]{1,200})["'](?:[^#\n]|,\n){0,300}?\b(git|github|gitlab|bitbucket|path)["']?[ \t]*(?:=>|:)[ \t]*["']([^"'\n]{1,300})/gm,
  );
  const blocks = text.matchAll(/^[ \t]*(git|path|github)[ (]+["']([^"'\n]{1,300})["'][^\n]{0,200}\bdo\b/gm);
  const written = (how = '', address = '') => (how.startsWith('git') ? `git:${address}` : address);
  return [
    ...Array.from(gems, ([, name = '', how, address]) => ({ name, address: written(how, address) })),
    ...Array.from(blocks, ([, how, address = '']) => ({ name: address, address: written(how, address) })),
  ];
}

const composerSchema = z.object({
  repositories: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
});
const placeSchema = z.object({ type: z.enum(['vcs', 'git', 'github', 'gitlab', 'path', 'artifact']), url: z.string() });

function inComposer(text: string): Asked[] {
  const { repositories = [] } = composerSchema.parse(JSON.parse(text));
  return Object.values(repositories).flatMap((each) => {
    const { success, data } = placeSchema.safeParse(each);
    return success ? [{ name: data.url, address: data.type === 'path' ? data.url : `git:${data.url}` }] : [];
  });
}

/** What is replaced by a folder. */
function inGoMod(text: string): Asked[] {
  const replaced = text.matchAll(
    /^[ \t]*(?!\/\/)(?:replace[ \t]+)?(\S{1,200})[^\n=]{0,60}=>[ \t]*(\.{1,2}\/[^\s]{0,200}|\/[^\s]{1,200})/gm,
  );
  return Array.from(replaced, ([, name = '', address = '']) => ({ name, address }));
}

import { posix } from 'node:path';
import type { BuildReference } from './build-references.ts';
import { shellCommands } from './shell-commands.ts';
import type { ShellCommand } from './shell-commands.ts';

type Words = readonly string[];

/** A script within a script within … is looked at so deep. */
const deepest = 4;

/**
 * What a shell script fetches (OpenSSF Scorecard, checks/raw/shell_download_validate.go): packages, and downloads that are run.
 * `downloaded` are the files that were fetched before, by this or an earlier script.
 */
export function shellReferences(
  text: string,
  at: { path: string; firstLine: number },
  downloaded = new Set<string>(),
  depth = 0,
): BuildReference[] {
  const commands = shellCommands(text);
  return commands.flatMap((command, index) => {
    const { words, line } = command;
    const reference = (ecosystem: BuildReference['ecosystem'], pinned: boolean): BuildReference => ({
      ecosystem,
      path: at.path,
      line: at.firstLine + line - 1,
      what: shortened(words.join(' ')),
      pinned,
    });
    const runs = [...downloaded]
      .filter((file) => runsFile(words, file))
      .map(() => reference('download_then_run', false));
    if (isRunAtOnce(command, commands[index - 1])) runs.push(reference('download_then_run', false));
    const inner = depth < deepest ? scriptIn(words) : null;
    if (inner !== null)
      runs.push(...shellReferences(inner, { ...at, firstLine: at.firstLine + line - 1 }, downloaded, depth + 1));
    const file = isDownload(words) && !isFixed(words) ? outputOf(command) : null;
    if (file !== null) downloaded.add(file);
    const installs = managers.find(({ is }) => is(words));
    return installs ? [...runs, reference(installs.ecosystem, installs.isPinned(words))] : runs;
  });
}

const shells = ['sh', 'bash', 'mksh', 'dash', 'ksh'];
const interpreters = new Set([
  ...shells,
  'exec',
  'su',
  'perl',
  'ruby',
  'php',
  'node',
  'nodejs',
  'java',
  'dotnet',
  'nuget',
  'python',
  'python3',
  'python2.7',
]);

const nameOf = ([tool = '']: Words) => posix.basename(tool).toLowerCase();
const clean = (path: string) => posix.normalize(path).toLowerCase();
const bare = (word: string) => word.replace(/^(["'])(.*)\1$/s, '$2');

function isDownload(words: Words): boolean {
  return (
    ['curl', 'wget', 'gsutil'].includes(nameOf(words)) ||
    (nameOf(words) === 'aws' && words[1]?.toLowerCase() === 's3api' && words[2]?.toLowerCase() === 'get-object')
  );
}

/** Every address is of a file at one commit. */
function isFixed(words: Words): boolean {
  const urls = words.map(bare).filter((word) => URL.canParse(word) || word.startsWith('/'));
  return (
    urls.length > 0 &&
    urls.every((url) => /^https:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/[a-f0-9]{40}\/./i.test(url))
  );
}

/** `curl … | sh`, `bash <(curl …)`. */
function isRunAtOnce({ words, before }: ShellCommand, previous?: ShellCommand): boolean {
  if (!previous) return false;
  if (before === '|')
    return (
      previous.before !== '|' &&
      isDownload(previous.words) &&
      !isFixed(previous.words) &&
      interpreters.has(nameOf(words))
    );
  const isFirstArgument = before === '<(' && previous.words.length === 1;
  return isFirstArgument && interpreters.has(nameOf(previous.words)) && isDownload(words);
}

/** Where a download ends up, as far as the command says it. */
function outputOf({ words, output }: ShellCommand): string | null {
  if (output !== null) return output;
  if (nameOf(words) === 'wget') {
    const option = words.findIndex((word) => word.toLowerCase() === '-o');
    if (option > 0) return words[option + 1] ?? null;
    const url = words.find((word) => word.startsWith('http') && URL.canParse(word));
    return url === undefined ? null : posix.basename(new URL(url).pathname);
  }
  return null;
}

const runsFile = (words: Words, file: string): boolean =>
  clean(words[0] ?? '') === clean(file) ||
  (interpreters.has(nameOf(words)) && words.slice(1).some((word) => clean(word) === clean(file)));

/** What stands in quotes in `bash -c "…"`. */
function scriptIn(words: Words): string | null {
  const shell = words.findIndex((word) => ['exec', 'su', ...shells].includes(nameOf([word])));
  const isCommand = shell !== -1 && words.slice(shell + 1).some((word) => /^-\w*c/.test(word));
  const quoted = isCommand ? words.find((word) => /^["']/.test(word)) : undefined;
  return quoted === undefined ? null : bare(quoted);
}

/** What installs packages, and whether a hash or an immutable version fixes them. */
const managers: readonly {
  ecosystem: BuildReference['ecosystem'];
  is(words: Words): boolean;
  isPinned(words: Words): boolean;
}[] = [
  {
    ecosystem: 'go',
    is: (words) => nameOf(words) === 'go' && words.length > 2 && /^(get|install)$/.test(words[1] ?? ''),
    isPinned: (words) => isPinnedGo(words.slice(2)),
  },
  {
    ecosystem: 'pip',
    is: (words) => pipArguments(words) !== null,
    isPinned: (words) => isPinnedPip(pipArguments(words) ?? []),
  },
  {
    ecosystem: 'npm',
    is: (words) =>
      nameOf(words) === 'npm' && words.slice(1).some((word) => /^(install|i|install-test|update|ci)$/i.test(word)),
    isPinned: (words) =>
      words.some((word) => /^ci$/i.test(word)) ||
      /^(github:|git:\/\/|git\+https?:\/\/)[^#]*#[a-f0-9]{40}$/i.test(
        words.find((word) => word.startsWith('git')) ?? '',
      ),
  },
  {
    ecosystem: 'choco',
    is: (words) => /^choco(\.exe)?$/.test(nameOf(words)) && words[1]?.toLowerCase() === 'install',
    isPinned: (words) => words.some((word) => /^--(requirechecksums?|require-checksums)(=|$)/i.test(word)),
  },
  {
    ecosystem: 'nuget',
    is: (words) => nugetFlag(words) !== null,
    isPinned: (words) => words.some((word) => nugetFlag(words)?.test(word)),
  },
];

/** Of the first package: a version is immutable in Go; what is no address lies in this repository. */
function isPinnedGo(words: Words): boolean {
  const flags = ['-d', '-f', '-t', '-u', '-v', '-fix', '-insecure'];
  const packages = words.filter((word) => !flags.includes(word));
  const first = packages.findIndex((word) => !/\w\.\w+\/\w/.test(word) || /@/.test(word));
  const found = packages[first];
  if (found === undefined) return packages.length === 0;
  if (!/\w\.\w+\/\w/.test(found)) return true;
  const [, version = ''] = found.split('@');
  const isVersion = /^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.test(version);
  return version === 'none' || /^[A-Fa-f0-9]{40,}$/.test(version) || (isVersion && !words.includes('-insecure'));
}

/** Behind `pip install` and `python -m pip install`; null for any other command. */
function pipArguments(words: Words): Words | null {
  const module = /^python(3|2\.7)?$/.test(nameOf(words)) ? words.findIndex((word) => word === '-m') : -1;
  const pip = module === -1 ? words : words.slice(module + 1);
  return /^pip3?$/.test(nameOf(pip)) && pip[1]?.toLowerCase() === 'install' ? pip.slice(2) : null;
}

function isPinnedPip(words: Words): boolean {
  const named = words.filter((word) => !/^(--?\w+)+$/.test(word) && !/^--(no-deps|require-hashes)$/i.test(word));
  if (words.some((word) => word === '-e' || word === '--editable')) {
    // What an editable package needs itself is not fixed.
    const isFixedSource = (word: string) =>
      !/^(git|svn|hg|bzr).+$/.test(word) || /^git(\+(https?|ssh|git))?:\/\/.*@[a-fA-F0-9]{40}(#egg=.*)?$/.test(word);
    return words.includes('--no-deps') && named.every(isFixedSource);
  }
  if (words.some((word) => /^--require-hashes$/i.test(word))) return true;
  return named.length > 0 && named.every((word) => word.endsWith('.whl'));
}

/** The option that fixes what a command of NuGet fetches; null where it fetches nothing. */
function nugetFlag(words: Words): RegExp | null {
  const tool = nameOf(words).replace(/\.exe$/, '');
  const [, first = '', second = '', third = ''] = words.map((word) => word.toLowerCase());
  if (tool === 'dotnet' && first === 'add' && (second === 'package' || third === 'package')) return /^(-v|--version)$/i;
  if (tool === 'dotnet' && first === 'restore') return /^--locked-mode$/i;
  if (tool === 'nuget' && first === 'restore') return /^-LockedMode$/i;
  // Without a name it installs what packages.config says, each in one version.
  if (tool === 'nuget' && first === 'install')
    return second === '' || second.endsWith('packages.config') ? /^/ : /^-Version$/i;
  if (tool === 'msbuild' && words.some((word) => /^\/t:restore$/i.test(word))) return /^\/p:RestoreLockedMode=true$/i;
  return null;
}

const shortened = (text: string) => (text.length > 120 ? `${text.slice(0, 117)}…` : text);

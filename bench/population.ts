// Measures the reference population, reference.json, in one command that goes on where it was stopped. Arguments: FOLDER of clones
// (owner/name or owner+name, with a work tree or without); what is not there is cloned into it (--from: what stands before owner/name
// in the URL). What was drawn, and by which rule, is in population/drawn.json. Each repository is measured by a process of its own:
// what fails, takes longer than ten minutes, is too large or has no whole history is named with its reason and left out.
// --drawn and --out name other lists and files; --again measures also what was left out before.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPopulationFile, withoutMember, writePopulation } from '../src/due-diligence/population/population-file.ts';

const root = join(import.meta.dirname, '..');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    drawn: { type: 'string', default: join(root, 'bench/population/drawn.json') },
    out: { type: 'string', default: join(root, 'src/due-diligence/population/reference.json') },
    from: { type: 'string', default: 'https://github.com/' },
    again: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name a folder of clones; what is missing is cloned into it.');
mkdirSync(folder, { recursive: true });

/** The rule of size: what is larger takes most of an hour, and a few of them would be most of the work. */
const maxima = { megabytes: 100, files: 5_000, commits: 20_000 };
const timeout = 600_000;

interface Drawn {
  lists: { listed: string[]; removed: string[] }[];
}
const { lists } = JSON.parse(readFileSync(options.drawn, 'utf8')) as Drawn;
const names = [...new Set(lists.flatMap(({ listed, removed }) => [...listed, ...removed]))];

for (const [index, name] of names.entries()) {
  const { repositories, left_out } = await openPopulationFile(options.out);
  if (repositories.some((each) => each.name === name)) continue;
  if (!options.again && left_out.some((each) => each.name === name)) continue;
  const reason = add(name, new Map(repositories.map((each) => [each.commit, each.name])));
  if (reason !== null)
    await writePopulation(options.out, withoutMember(await openPopulationFile(options.out), name, reason));
  console.log(`${index + 1}/${names.length} ${name}${reason === null ? '' : `: left out, ${reason}`}`);
}

/** Null, or why it is not one of the population. */
function add(name: string, known: ReadonlyMap<string, string>): string | null {
  const clone = cloneOf(name);
  if (clone === null) return 'it could not be cloned';
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: clone,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true') return 'its history is cut off';
    const megabytes = Number(/size-pack: (\d+)/.exec(git('count-objects', '-v'))?.[1] ?? 0) / 1024;
    const size = {
      megabytes: Math.round(megabytes),
      files: git('ls-tree', '-r', '--name-only', 'HEAD').split('\n').length,
      commits: Number(git('rev-list', '--count', 'HEAD')),
    };
    for (const what of ['megabytes', 'files', 'commits'] as const)
      if (size[what] > maxima[what]) return `too large: ${size[what]} ${what}`;
    const same = known.get(git('rev-parse', 'HEAD'));
    if (same !== undefined) return `the same commit as ${same}`;
    // Fails where an object of the history is missing.
    git('rev-list', '--objects', '--quiet', 'HEAD');
  } catch {
    return 'its history is not whole';
  }
  const as_of = dayOfClone(git('rev-parse', '--absolute-git-dir'), git('log', '-1', '--format=%cI'));
  const command = [
    join(root, 'src/cli/repo-intel.js'),
    'population',
    options.out,
    clone,
    '--name',
    name,
    '--as-of',
    as_of,
  ];
  const { status, signal } = spawnSync(process.execPath, command, { timeout, stdio: ['ignore', 'inherit', 'ignore'] });
  if (signal !== null) return 'it took too long';
  return status === 0 ? null : 'it could not be measured';
}

/** What lies below the folder, or is cloned there. */
function cloneOf(name: string): string | null {
  const places = [name, name.replace('/', '+')].flatMap((place) =>
    ['repo/.git', 'repo', '.git', ''].map((inner) => join(folder ?? '', place, inner)),
  );
  const found = places.find((place) => existsSync(join(place, 'HEAD')));
  if (found !== undefined) return found;
  const target = join(folder ?? '', name);
  const { status } = spawnSync('git', ['clone', '--quiet', '--bare', `${options.from}${name}`, target], {
    timeout,
    stdio: 'ignore',
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
  return status === 0 ? target : null;
}

/** The UTC day to which ages are counted: when the clone was last brought up to date, and not before its newest commit. */
function dayOfClone(gitFolder: string, committedAt: string): string {
  const times = ['HEAD', 'FETCH_HEAD', 'packed-refs']
    .map((file) => join(gitFolder, file))
    .filter((file) => existsSync(file))
    .map((file) => statSync(file).mtimeMs);
  return new Date(Math.max(...times, Date.parse(committedAt))).toISOString().slice(0, 10);
}

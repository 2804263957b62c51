// What a portfolio of 150 repositories takes beside one of 15, in one run: time to load, disk, start, memory while serving, and p99 of
// the main routes. Arguments: FOLDER of clones or bare repositories (the first of them by number of files are taken, and of these each
// tenth is the small portfolio, so that both have large and small ones), --large 150 --small 15 --commits 20 (of each history) --rounds
// 800 (requests a route: of 200 the p99 is the second slowest), --data FOLDER to keep both and not load them again. Both portfolios are
// served at once and asked in turn, so that other work on the machine meets both. Prints a table in markdown, and whether the limits hold.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    large: { type: 'string', default: '150' },
    small: { type: 'string', default: '15' },
    commits: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '800' },
    data: { type: 'string' },
  },
});
/** What must hold, of the large portfolio beside the small one. */
const maxTimesP99 = 2;
const maxTimesMemory = 1.5;
/** Requests a route before any is measured. */
const warming = 10;

const [clones] = positionals;
if (clones === undefined) throw new Error('Usage: node bench/portfolio.ts FOLDER_OF_CLONES');
const program = join(import.meta.dirname, '../src/cli/repo-intel.js');
const folder = options.data ?? mkdtempSync(join(tmpdir(), 'bench-portfolio-'));
if (options.data === undefined) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

interface Portfolio {
  name: string;
  repositories: string[];
  files: number;
  data: string;
  loadSeconds: number;
}

interface Served extends Portfolio {
  process: ChildProcess;
  startSeconds: number;
  get(path: string): Promise<{ milliseconds: number; json: unknown }>;
}

const candidates = readdirSync(clones)
  .map((name) => ({ path: resolve(clones, name), name, files: filesIn(resolve(clones, name)) }))
  .filter(({ files }) => files > 0)
  .sort((a, b) => a.files - b.files || (a.name < b.name ? -1 : 1))
  .slice(0, Number(options.large));
const every = Math.floor(candidates.length / Number(options.small));
const chosen = {
  small: candidates.filter((_, index) => index % every === every - 1).slice(0, Number(options.small)),
  large: candidates,
};
if (every < 2) throw new Error(`${clones} has ${candidates.length} repositories: too few.`);
for (const { path, name } of candidates) {
  if (existsSync(join(folder, 'clones', name))) continue;
  const depth = ['--depth', options.commits, '--single-branch'];
  execFileSync('git', ['clone', '--quiet', ...depth, `file://${path}`, join(folder, 'clones', name)], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
}
const served: Served[] = [];
try {
  for (const [name, those] of Object.entries(chosen)) served.push(await serve(await load(name, those)));
  process.exitCode = (await measure(served)) ? 0 : 1;
} finally {
  for (const { process: each } of served) {
    each.kill('SIGTERM');
    await once(each, 'exit');
  }
}

function filesIn(repository: string): number {
  try {
    const listed = execFileSync('git', ['-C', repository, 'ls-tree', '-r', '--name-only', '-z', 'HEAD'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return listed.split('\0').length - 1;
  } catch {
    return 0;
  }
}

async function load(name: string, those: typeof candidates): Promise<Portfolio> {
  const data = join(folder, name);
  const files = those.reduce((sum, each) => sum + each.files, 0);
  if (existsSync(data)) return { name, repositories: [], files, data, loadSeconds: Number.NaN };
  mkdirSync(data, { mode: 0o700, recursive: true });
  const began = performance.now();
  const paths = those.map((each) => join(folder, 'clones', each.name));
  const loading = spawn(process.execPath, ['--max-semi-space-size=8', program, 'load', ...paths], {
    env: environment(data),
    stdio: 'ignore',
  });
  const [code] = (await once(loading, 'exit')) as [number | null];
  if (code !== 0) console.log(`${name}: some could not be loaded`);
  const loadSeconds = (performance.now() - began) / 1000;
  console.log(`${name}: ${those.length} repositories loaded in ${loadSeconds.toFixed(0)} s`);
  return { name, repositories: [], files, data, loadSeconds };
}

function environment(data: string) {
  return {
    ...process.env,
    DATA_DIR: data,
    PORT: '0',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'silent',
    // What is measured is the answers, not how many a minute there may be.
    RATE_LIMITS: '*=1000000/60',
  };
}

async function serve(portfolio: Portfolio): Promise<Served> {
  const key = execFileSync(
    process.execPath,
    [program, ...'keys create --organization default --role owner'.split(' ')],
    {
      env: environment(portfolio.data),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  ).trim();
  const began = performance.now();
  const child = spawn(process.execPath, ['--max-semi-space-size=8', program, 'serve'], {
    env: environment(portfolio.data),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (/" "http:[^"]+"/.test(text)) break;
  }
  child.stdout.resume();
  const [, address] = /" "(http:\/\/[^/"]+)/.exec(text) ?? [];
  if (!address) throw new Error(`The service said no address: ${text}`);
  const get: Served['get'] = async (path) => {
    const asked = performance.now();
    const response = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } });
    const body = await response.text();
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${body.slice(0, 300)}`);
    return { milliseconds: performance.now() - asked, json: JSON.parse(body) };
  };
  await get('/api/graph');
  const startSeconds = (performance.now() - began) / 1000;
  const repositories: string[] = [];
  for (let page = '/api/repositories?page_size=100'; ;) {
    const { items, next_cursor: next } = (await get(page)).json as {
      items: { name: string }[];
      next_cursor: string | null;
    };
    repositories.push(...items.map((each) => each.name));
    if (!next) break;
    page = `/api/repositories?page_size=100&cursor=${encodeURIComponent(next)}`;
  }
  return { ...portfolio, process: child, startSeconds, repositories, get };
}

/** Whether all limits hold. */
async function measure(portfolios: readonly Served[]): Promise<boolean> {
  const times = new Map<string, Map<string, number[]>>();
  const memory = new Map<string, number>();
  const asked = new Map<Served, Awaited<ReturnType<typeof requests>>>();
  for (const portfolio of portfolios) asked.set(portfolio, await requests(portfolio));
  for (let round = -warming; round < Number(options.rounds); round += 1) {
    for (const [portfolio, routes] of asked) {
      for (const [route, path] of Object.entries(routes)) {
        const { milliseconds } = await portfolio.get(path(round + warming));
        if (round < 0) continue;
        const ofRoute = times.get(route) ?? new Map<string, number[]>();
        times.set(route, ofRoute);
        ofRoute.set(portfolio.name, [...(ofRoute.get(portfolio.name) ?? []), milliseconds]);
      }
      memory.set(portfolio.name, Math.max(memory.get(portfolio.name) ?? 0, megabytesOf(portfolio.process)));
    }
  }
  return print(portfolios, times, memory);
}

/** By route, the path of each round: of another repository or name each time. */
async function requests({ repositories, get }: Served): Promise<Record<string, (round: number) => string>> {
  const functions: { id: string; repository: string; path: string; name: string }[] = [];
  for (const repository of repositories) {
    const found = await get(`/api/search?q=type:function&page_size=20&repo=${encodeURIComponent(repository)}`);
    functions.push(...(found.json as { items: typeof functions }).items);
  }
  if (functions.length === 0) throw new Error('No function was found.');
  // Those of large repositories, of which there are more, are asked for no more often than those of small ones.
  const by = <T>(list: readonly T[], round: number) => list[(round * 7) % list.length] as T;
  const repository = (round: number) => encodeURIComponent(by(repositories, round));
  const some = (round: number) => by(functions, round);
  const words = ['parse', 'get value', 'read file', 'error', 'test', 'http request', 'config', 'new', 'write', 'user'];
  const word = (round: number) => encodeURIComponent(`${by(words, round)} ${some(round).name}`);
  return {
    '/api/graph': () => '/api/graph',
    '/api/repositories': () => '/api/repositories?page_size=20',
    '/api/search': (round) => `/api/search?q=${word(round)}`,
    '/api/search, one word': (round) => `/api/search?q=${encodeURIComponent(by(words, round))}`,
    '/api/search/text': (round) => `/api/search/text?q=${encodeURIComponent(some(round).name)}`,
    '/api/graph/neighbors/{name}': (round) =>
      `/api/graph/neighbors/${encodeURIComponent(some(round).repository)}?node=${encodeURIComponent(some(round).id)}`,
    '/api/graph/impact/{id}': (round) => `/api/graph/impact/${encodeURIComponent(some(round).id)}`,
    '/api/source/{repository}': (round) =>
      `/api/source/${encodeURIComponent(some(round).repository)}?path=${encodeURIComponent(some(round).path)}`,
    '/api/dd/executive/{repo}': (round) => `/api/dd/executive/${repository(round)}`,
    '/api/dd/repos/{repo}/factors': (round) => `/api/dd/repos/${repository(round)}/factors`,
    '/api/dd/executive': () => '/api/dd/executive?page_size=20',
  };
}

function print(
  portfolios: readonly Served[],
  times: ReadonlyMap<string, ReadonlyMap<string, number[]>>,
  memory: ReadonlyMap<string, number>,
): boolean {
  let holds = true;
  const row = (what: string, of: (portfolio: Served) => number, digits: number, max?: number) => {
    const values = portfolios.map(of);
    const [small = Number.NaN, large = Number.NaN] = values;
    const isHeld = max === undefined || large <= max * small;
    holds &&= isHeld;
    const limit = max === undefined ? '' : `${max} ${isHeld ? 'holds' : 'FAILS'}`;
    console.log(
      `| ${what} | ${values.map((value) => value.toFixed(digits)).join(' | ')} | ${(large / small).toFixed(2)} | ${limit} |`,
    );
  };
  console.log(`| | ${portfolios.map(({ name }) => name).join(' | ')} | times | limit |\n|---|---|---|---|---|`);
  row('repositories', ({ repositories }) => repositories.length, 0);
  row('files', ({ files }) => files, 0);
  row('load, s', ({ loadSeconds }) => loadSeconds, 0);
  row('disk, MB', ({ data }) => sizeOf(data), 0);
  row('start, s', ({ startSeconds }) => startSeconds, 2);
  row('memory while serving, MB', ({ name }) => memory.get(name) ?? Number.NaN, 0, maxTimesMemory);
  for (const [route, ofRoute] of times) {
    row(`p50 of ${route}, ms`, ({ name }) => quantile(ofRoute.get(name) ?? [], 0.5), 1);
    row(`p99 of ${route}, ms`, ({ name }) => quantile(ofRoute.get(name) ?? [], 0.99), 1, maxTimesP99);
  }
  return holds;
}

function sizeOf(data: string): number {
  return Number(execFileSync('du', ['-sm', data], { encoding: 'utf8' }).split('\t')[0]);
}

function megabytesOf({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

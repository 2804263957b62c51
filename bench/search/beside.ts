// Search over HTTP in the sources of real repositories, beside zoekt's web server, and beside another checkout of this project.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { drawPatterns, typed, type DrawnPattern } from '../../test/search/beside-ripgrep.ts';

const root = join(import.meta.dirname, '../..');
const maxTimesZoekt = { p50: 2, p99: 1 };
const maxTimesText = 3.5;
const maxTimesBefore = 1.1;
const rounds = 3;

/** What answers, and how it is asked for a text. */
interface Served {
  origin: string;
  headers: Record<string, string>;
  process: ChildProcess;
}

/**
 * Measures with the work trees of these git repositories. `zoekt`: the folder of zoekt-index and zoekt-webserver; `before`: another
 * checkout, with its packages. Prints tables in markdown; gives each limit with whether it holds.
 */
export async function measureBeside(
  folders: readonly string[],
  { zoekt, before }: { zoekt: string; before: string | undefined },
): Promise<[sentence: string, holds: boolean][]> {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-text-'));
  const running: Served[] = [];
  const verdicts: [string, boolean][] = [];
  try {
    const texts = folders.flatMap(textsOf);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const withSource = load(root, join(scratch, 'data'), folders, '--source');
    const without = load(root, join(scratch, 'facts'), folders, '--no-source');
    console.log(`\n## ${folders.length} repositories, ${texts.length} texts, ${(bytes / 1e6).toFixed(1)} MB\n`);
    console.log(`| load | seconds of CPU | peak MB |\n|---|---|---|`);
    for (const [name, { cpuSeconds, megabytes }] of [
      ['with source', withSource],
      ['without', without],
    ] as const)
      console.log(`| ${name} | ${cpuSeconds.toFixed(1)} | ${megabytes.toFixed(0)} |`);
    const ratios = [withSource.cpuSeconds / without.cpuSeconds, withSource.megabytes / without.megabytes];
    console.log(`| ratio | ${ratios.map((ratio) => ratio.toFixed(2)).join(' | ')} |`);

    const shards = join(scratch, 'shards');
    mkdirSync(shards);
    for (const folder of folders)
      execFileSync(join(zoekt, 'zoekt-index'), ['-index', shards, folder], { stdio: 'ignore' });
    const index = statSync(join(scratch, 'data/source.sqlite')).size;
    const theirIndex = readdirSync(shards).reduce((sum, name) => sum + statSync(join(shards, name)).size, 0);
    const timesText = index / bytes;
    verdicts.push([`index ${timesText.toFixed(2)} × the text, at most ${maxTimesText}`, timesText <= maxTimesText]);
    console.log(`\nindex ${timesText.toFixed(2)} × the text, zoekt's ${(theirIndex / bytes).toFixed(2)}`);

    const ours = await serve(root, join(scratch, 'data'));
    running.push(ours);
    const theirs = await serveZoekt(zoekt, shards);
    running.push(theirs);
    const drawn: DrawnPattern[] = [];
    // One that only one of them can read is no question to both.
    for (const pattern of drawPatterns(texts, { seed: 'beside zoekt', literals: 200, expressions: 100 })) {
      const answers = [await askOurs(ours, textPath(pattern)), await askZoekt(theirs, pattern)];
      if (answers.every(isAnswered)) drawn.push(pattern);
      else console.log(`not asked: ${typed(pattern)} (${answers.map((each) => each.status).join(', ')})`);
    }
    const [own, zoekts] = await inTurn([
      drawn.map((pattern) => () => askOurs(ours, textPath(pattern))),
      drawn.map((pattern) => () => askZoekt(theirs, pattern)),
    ]);
    print('content', [
      ['ours', own ?? []],
      ['zoekt', zoekts ?? []],
    ]);
    for (const at of ['p50', 'p99'] as const) {
      const ratio = percentiles(own ?? [])[at] / percentiles(zoekts ?? [])[at];
      const sentence = `content ${at} ${ratio.toFixed(2)} × zoekt's, at most ${maxTimesZoekt[at]}`;
      verdicts.push([sentence, ratio <= maxTimesZoekt[at]]);
    }
    if (before !== undefined) {
      load(before, join(scratch, 'before'), folders, '--source');
      const other = await serve(before, join(scratch, 'before'));
      running.push(other);
      const names = [...new Set(drawn.flatMap(({ source }) => source.match(/[A-Za-z]\w{4,}/g) ?? []))].slice(0, 200);
      const asks = (served: Served) => names.map((name) => () => askOurs(served, `/api/search?q=${name}`));
      const [now, then] = await inTurn([asks(ours), asks(other)]);
      print('names', [
        ['now', now ?? []],
        ['before', then ?? []],
      ]);
      const ratio = percentiles(now ?? []).p50 / percentiles(then ?? []).p50;
      verdicts.push([`names p50 ${ratio.toFixed(2)} × before, at most ${maxTimesBefore}`, ratio <= maxTimesBefore]);
    }
    return verdicts;
  } finally {
    for (const { process } of running) {
      process.kill('SIGKILL');
      await once(process, 'exit');
    }
    rmSync(scratch, { recursive: true });
  }
}

function textsOf(folder: string): string[] {
  const listed = execFileSync('git', ['-C', folder, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return listed.split('\0').flatMap((path) => {
    const file = path === '' ? undefined : statSync(join(folder, path), { throwIfNoEntry: false });
    if (file?.isFile() !== true || file.size > 2 ** 20) return [];
    const content = readFileSync(join(folder, path));
    return content.includes(0) ? [] : [content.toString()];
  });
}

const environmentOf = (data: string) => ({
  ...process.env,
  DATA_DIR: data,
  PORT: '0',
  LOG_LEVEL: 'silent',
  RATE_LIMITS: '*=100000000/60',
});
const command = (checkout: string) => ['--max-semi-space-size=8', join(checkout, 'src/cli/repo-intel.js')];

/** Loads all, and says what that took: time(1) tells, the one of GNU. */
function load(checkout: string, data: string, folders: readonly string[], how: '--source' | '--no-source') {
  const { status, stderr } = spawnSync(
    '/usr/bin/time',
    ['-f', 'used %U %S %M', process.execPath, ...command(checkout), 'load', how, ...folders],
    { env: environmentOf(data), encoding: 'utf8' },
  );
  const [, user, system, kilobytes] = /used (\S+) (\S+) (\d+)/.exec(stderr) ?? [];
  if (status !== 0 || kilobytes === undefined) throw new Error(stderr);
  return { cpuSeconds: Number(user) + Number(system), megabytes: Number(kilobytes) / 1024 };
}

async function serve(checkout: string, data: string): Promise<Served> {
  const keys = ['keys', 'create', '--organization', 'default', '--role', 'owner', '--json'];
  const env = environmentOf(data);
  const created = execFileSync(process.execPath, [...command(checkout), ...keys], { env, encoding: 'utf8' });
  const { api_key: key } = JSON.parse(created) as { api_key: string };
  const child = spawn(process.execPath, [...command(checkout), 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    const [, origin] = /^Serving .* at (http:\/\/[^\s/]+)/m.exec(said) ?? [];
    if (origin !== undefined && said.includes('Stop with Ctrl-C'))
      return { origin, headers: { authorization: `Bearer ${key}` }, process: child };
  }
  throw new Error(`The service of ${checkout} did not start: ${said}`);
}

async function serveZoekt(folder: string, shards: string): Promise<Served> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(join(folder, 'zoekt-webserver'), ['-index', shards, '-listen', origin.slice(7), '-rpc'], {
    stdio: 'ignore',
  });
  for (;;) {
    const answer = await fetch(`${origin}/healthz`).catch(() => null);
    if (answer?.ok) return { origin, headers: { 'content-type': 'application/json' }, process: child };
    if (child.exitCode !== null) throw new Error('zoekt-webserver ended.');
    await setTimeout(100);
  }
}

const pools = new Map<string, Pool>();

interface Answer {
  status: number;
  text: string;
}

/** A search that was ended took as long as it may. */
const isAnswered = ({ status, text }: Answer) => status === 200 || (status === 422 && text.includes('search_too_long'));

async function ask({ origin, headers }: Served, path: string, body: string | null): Promise<Answer> {
  const pool = pools.get(origin) ?? new Pool(origin, { connections: 1, pipelining: 1 });
  pools.set(origin, pool);
  const answer = await pool.request({ path, method: body === null ? 'GET' : 'POST', headers, body });
  return { status: answer.statusCode, text: await answer.body.text() };
}

const textPath = (pattern: DrawnPattern) => `/api/search/text?q=${encodeURIComponent(typed(pattern))}`;

const askOurs = (served: Served, path: string) => ask(served, path, null);

/** As many files and lines as our page has. */
function askZoekt(served: Served, { source, isRegex, matchCase }: DrawnPattern): Promise<Answer> {
  const regex = isRegex ? source : source.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const quoted = `"${regex.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const Q = `content:${quoted} case:${matchCase ? 'yes' : 'no'}`;
  return ask(served, '/api/search', JSON.stringify({ Q, Opts: { MaxDocDisplayCount: 20 } }));
}

/** Milliseconds of each question, which every way is asked in turn; the least of the rounds. */
async function inTurn(ways: readonly (() => Promise<Answer>)[][]): Promise<number[][]> {
  const times = ways.map((asks) => asks.map(() => Infinity));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < (ways[0]?.length ?? 0); i++) {
      for (const [way, asks] of ways.entries()) {
        const began = performance.now();
        const answer = await asks[i]?.();
        if (answer === undefined || !isAnswered(answer)) throw new Error(`A question was answered ${answer?.text}`);
        const own = times[way] ?? [];
        own[i] = Math.min(own[i] ?? Infinity, performance.now() - began);
      }
    }
  }
  return times;
}

function print(what: string, rows: readonly (readonly [name: string, times: readonly number[]])[]): void {
  console.log(`\n| ${what} | questions | p50 ms | p99 ms |\n|---|---|---|---|`);
  for (const [name, times] of rows) {
    const { p50, p99 } = percentiles(times);
    console.log(`| ${name} | ${times.length} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`);
  }
}

function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

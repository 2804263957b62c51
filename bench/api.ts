// What authentication, quotas and metering add to a call, and how much of a bare Koa's throughput a public cached route keeps; in
// one run, in turn, with the service in a process of its own. Prints a table in markdown for each set of engines, and which
// limits hold; and what a caller with 1,024 connections leaves of the goodput, and of another organization's answers. Arguments:
// --engines embedded,redis,servers --rounds 8 --only latency|throughput|overload. Servers are found by DATABASE_TEST_URL and
// REDIS_TEST_URL; PostgreSQL gets a database of its own, Redis keys of one more organization.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Client as Postgres } from 'pg';
import { Pool } from 'undici';

const { values: options } = parseArgs({
  options: {
    engines: { type: 'string', default: 'embedded,redis,servers' },
    rounds: { type: 'string', default: '8' },
    only: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
/** What must hold. */
const maxMoreMs = 0.5;
const minShare = 0.6;
const few = 16;
const many = 1_024;
/** Each of the loads in turn, so many times. */
const overloadRounds = Math.max(3, Math.ceil(rounds / 2));
const secondsToSettle = 2;
const secondsOfLoad = 3;
const verdicts: string[] = [];

console.log(`${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}\n`);
for (const name of options.engines.split(',')) await withService(name, (served) => measure(name, served));
console.log(`## Limits\n\n${verdicts.join('\n')}`);
process.exitCode = verdicts.some((verdict) => verdict.includes('FAILS')) ? 1 : 0;

interface Keys {
  key: string;
  /** Of another organization. */
  otherKey: string;
}

interface Served extends Keys {
  service: string;
  bare: string;
}

async function measure(name: string, served: Served): Promise<void> {
  console.log(`## ${name}\n`);
  if ((options.only ?? 'latency') === 'latency') await measureLatency(name, served);
  if ((options.only ?? 'throughput') === 'throughput') await measureThroughput(name, served);
  if ((options.only ?? 'overload') === 'overload') await measureOverload(name, served);
}

async function measureLatency(name: string, { service, key }: Served): Promise<void> {
  const ways = { metered: { path: '/metered', key }, plain: { path: '/plain', key: null } };
  console.log('| one call after the other | p50 ms | p99 ms |\n|---|---|---|');
  const [metered, plain] = await latencies(service, [ways.metered, ways.plain], 1);
  if (!metered || !plain) throw new Error('Nothing was measured.');
  for (const [what, { p50, p99 }] of [
    ['authenticated and metered', metered],
    ['neither', plain],
  ] as const)
    console.log(`| ${what} | ${p50.toFixed(3)} | ${p99.toFixed(3)} |`);
  const more = metered.p50 - plain.p50;
  console.log(`| more | ${more.toFixed(3)} | ${(metered.p99 - plain.p99).toFixed(3)} |\n`);
  verdict(`${name}: ${more.toFixed(3)} ms more at p50 of at most ${maxMoreMs}`, more <= maxMoreMs);
}

async function measureThroughput(name: string, { service, bare }: Served): Promise<void> {
  const [ours, theirs] = await throughputs([
    { origin: service, path: '/v1/catalog' },
    { origin: bare, path: '/v1/catalog' },
  ]);
  const share = (ours ?? 0) / (theirs ?? Number.NaN);
  console.log(`| /v1/catalog | requests/s |\n|---|---|\n| service | ${ours?.toFixed(0)} |`);
  console.log(`| bare Koa, same bytes | ${theirs?.toFixed(0)} |\n| share | ${share.toFixed(2)} |\n`);
  verdict(
    `${name}: ${(share * 100).toFixed(0)} % of a bare Koa's throughput of at least ${minShare * 100} %`,
    share >= minShare,
  );
}

/** A caller with very many connections: how much less is answered than with a few, and how long another one waits. */
async function measureOverload(name: string, { service, bare, key, otherKey }: Served): Promise<void> {
  const path = '/v1/billing/usage';
  const busy = { origin: service, path, key };
  const other = { origin: service, path, key: otherKey, localAddress: '127.0.0.2' };
  const plain = { origin: bare, path: '/v1/catalog', key: null };
  const [quiet, oursFew, oursMany, beside, theirsFew, theirsMany] = medians(
    await inRounds(overloadRounds, async () => {
      const [theirsFew, oursFew, quiet] = [await load(plain, few), await load(busy, few), await load(other, 1)];
      const [theirsMany, both] = [
        await load(plain, many),
        await Promise.all([load(busy, many), load(other, 1)]),
      ] as const;
      return [quiet, oursFew, ...both, theirsFew, theirsMany] as const;
    }),
  );

  console.log(`| overload, medians of ${overloadRounds} rounds | connections | good/s | p50 ms | p99 ms | refused |`);
  console.log('|---|---|---|---|---|---|');
  for (const [what, connections, { rate, p50, p99, refused }] of [
    [`${path}, another organization alone`, 1, quiet],
    [path, few, oursFew],
    [path, many, oursMany],
    [`${path}, another organization beside them`, 1, beside],
    ['bare Koa', few, theirsFew],
    ['bare Koa', many, theirsMany],
  ] as const) {
    const figures = [rate, p50, p99].map((figure) => figure.toFixed(1)).join(' | ');
    console.log(`| ${what} | ${connections} | ${figures} | ${refused} |`);
  }
  console.log();
  const most = 2 * theirsMany.p99 + quiet.p99;
  const verb = `of at most ${most.toFixed(0)}, 2 x ${theirsMany.p99.toFixed(0)} of a bare Koa + ${quiet.p99.toFixed(0)} alone`;
  const isServed = beside.refused === 0 && beside.p99 <= most;
  verdict(
    `${name}: another organization's p99 beside ${many} connections ${beside.p99.toFixed(0)} ms ${verb}; ${beside.refused} refused`,
    isServed,
  );
  const [fall, bareFall] = [1 - oursMany.rate / oursFew.rate, 1 - theirsMany.rate / theirsFew.rate];
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  verdict(
    `${name}: goodput falls by ${percent(fall)} from ${few} to ${many} connections, of at most a bare Koa's ${percent(bareFall)}`,
    fall <= Math.max(0, bareFall),
  );
}

async function inRounds<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const results = [];
  for (let round = 0; round < times; round++) results.push(await work());
  return results;
}

type Loads<T = Loaded> = readonly [T, T, T, T, T, T];

/** Of each figure by itself: one noisy round decides nothing. */
function medians(all: Loads[]): Loads {
  const median = (which: number): Loaded => {
    const of = (figure: keyof Loaded) => percentiles(all.map((loads) => loads[which]?.[figure] ?? Number.NaN)).p50;
    return { rate: of('rate'), p50: of('p50'), p99: of('p99'), refused: of('refused') };
  };
  return [median(0), median(1), median(2), median(3), median(4), median(5)];
}

interface Way {
  origin: string;
  path: string;
  key: string | null;
  localAddress?: string;
}

interface Loaded {
  /** Good answers a second. */
  rate: number;
  refused: number;
  p50: number;
  p99: number;
}

/** Asks over so many connections, on each again as soon as it is answered; the first seconds are not counted. */
async function load({ origin, path, key, localAddress }: Way, connections: number): Promise<Loaded> {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    connect: localAddress === undefined ? {} : { localAddress },
  });
  const headers = key === null ? {} : { authorization: `Bearer ${key}` };
  const times: number[] = [];
  let refused = 0;
  const begin = performance.now() + secondsToSettle * 1_000;
  const end = begin + secondsOfLoad * 1_000;
  const ask = async () => {
    for (let began = performance.now(); began < end;) {
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
      await body.dump();
      const now = performance.now();
      if (statusCode !== 200 && statusCode !== 503) throw new Error(`${path} answered ${statusCode}.`);
      if (now >= begin && now < end) {
        if (statusCode === 200) times.push(now - began);
        else refused++;
      }
      began = now;
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  await pool.close();
  // Whoever got no answer in all that time has waited as long.
  const rate = times.length / secondsOfLoad;
  if (rate === 0) times.push(secondsOfLoad * 1_000);
  return { rate, refused, ...percentiles(times) };
}

function verdict(what: string, holds: boolean): void {
  verdicts.push(`- ${holds ? 'holds' : 'FAILS'}: ${what}`);
}

/** Calls each in turn, a few hundred a round, after one round that is not counted. */
async function latencies(origin: string, ways: { path: string; key: string | null }[], connections: number) {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const times = ways.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const turn of ways.keys()) {
      const which = (turn + round) % ways.length;
      const { path, key } = ways[which] ?? { path: '', key: null };
      const headers = key === null ? {} : { authorization: `Bearer ${key}` };
      for (let i = 0; i < 500; i++) {
        const began = performance.now();
        const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
        await body.dump();
        if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}.`);
        if (round > 0) times[which]?.push(performance.now() - began);
      }
    }
  }
  await pool.close();
  return times.map(percentiles);
}

/** Requests a second, each in turn, over ten connections; the median of the rounds. */
async function throughputs(ways: { origin: string; path: string }[]): Promise<number[]> {
  const rates = ways.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [which, { origin, path }] of ways.entries()) {
      const pool = new Pool(origin, { connections: 10, pipelining: 1 });
      const began = performance.now();
      let answered = 0;
      const ask = async () => {
        while (performance.now() - began < 1_000) {
          const { statusCode, body } = await pool.request({ path, method: 'GET' });
          await body.dump();
          if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}.`);
          answered++;
        }
      };
      await Promise.all(Array.from({ length: 10 }, ask));
      if (round > 0) rates[which]?.push((answered / (performance.now() - began)) * 1_000);
      await pool.close();
    }
  }
  return rates.map((rate) => percentiles(rate).p50);
}

function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

async function withService(name: string, use: (served: Served) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-api-'));
  const database = name === 'servers' ? await ownDatabase(server('DATABASE_TEST_URL')) : undefined;
  const environment = {
    DATA_DIR: folder,
    ...(name === 'embedded' ? {} : { REDIS_URL: server('REDIS_TEST_URL') }),
    ...(database ? { DATABASE_URL: database.url } : {}),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'api/server.ts')], {
    env: { ...process.env, ...environment },
    // Its log goes nowhere, but it is written.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { service, bare, ...keys } = JSON.parse(line) as Keys & { service: number; bare: number };
      await use({ service: `http://127.0.0.1:${service}`, bare: `http://127.0.0.1:${bare}`, ...keys });
      return;
    }
    throw new Error('The service ended before it answered: run bench/api/server.ts to see why.');
  } finally {
    child.kill('SIGKILL');
    await exited;
    await database?.drop();
    await rm(folder, { recursive: true });
  }
}

async function ownDatabase(url: string) {
  const name = `bench_api_${process.pid}`;
  const administer = async (statement: string) => {
    const postgres = new Postgres({ connectionString: url });
    await postgres.connect();
    await postgres.query(statement);
    await postgres.end();
  };
  await administer(`CREATE DATABASE ${name}`);
  return {
    url: Object.assign(new URL(url), { pathname: `/${name}` }).href,
    drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

function server(variable: string): string {
  const url = process.env[variable];
  if (url === undefined || url === '') throw new Error(`${variable} is not set.`);
  return url;
}

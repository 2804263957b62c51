import { expect } from 'chai';
import fc from 'fast-check';
import type { Value } from '../../src/model/property-graph.ts';
import type { Limits } from '../../src/graph/query/effort.ts';
import { placeOf, QueryFailure } from '../../src/graph/query/failure.ts';
import { parseQuery } from '../../src/graph/query/parse.ts';
import { runQuery } from '../../src/graph/query/run.ts';
import { MemoryGraph, shown, unlimited } from '../support/memory-graph.ts';

/** As a service bounds it, but smaller. */
const limits: Limits = {
  maxWork: 50_000,
  maxKept: 5_000,
  maxRows: 100,
  maxHops: 5,
  maxMs: 20_000,
  maxValueSize: 10_000,
};

async function ask(
  text: string,
  {
    graph = new MemoryGraph(),
    parameters = {},
    bounds = limits,
  }: { graph?: MemoryGraph; parameters?: Record<string, Value>; bounds?: Limits } = {},
) {
  const { columns, rows, plan } = await runQuery(parseQuery(text), graph, {
    parameters: new Map(Object.entries(parameters)),
    limits: bounds,
  });
  return { columns, rows: rows?.map((row) => row.map((value) => shown(value))) ?? null, plan };
}

async function refusal(text: string, options: Parameters<typeof ask>[1] = {}): Promise<QueryFailure> {
  try {
    await ask(text, options);
  } catch (error) {
    if (error instanceof QueryFailure) return error;
    throw error;
  }
  throw new Error(`It is answered: ${text.slice(0, 100)}`);
}

/** So many nodes, each joined to all. */
async function complete(size: number): Promise<MemoryGraph> {
  const graph = new MemoryGraph();
  await graph.create(`UNWIND range(1, ${size}) AS i CREATE (:N {i: i})`);
  await graph.create('MATCH (a), (b) WHERE a.i <> b.i CREATE (a)-[:T]->(b)');
  return graph;
}

describe('the query language', () => {
  it('says line and column of what is wrong', async () => {
    const text = 'MATCH (a)\n  WHERE a.name = \n  RETURN a';
    const { at, message } = await refusal(text);
    expect(placeOf(text, at ?? 0)).to.deep.equal({ line: 3, column: 3 });
    expect(message).to.equal('Expected an expression, and there is "RETURN".');
  });

  for (const text of [
    'CREATE (a)',
    'MATCH (a) CREATE (a)-[:T]->(b) RETURN a',
    'MERGE (a) RETURN a',
    'MATCH (a) SET a.x = 1',
    'MATCH (a) DELETE a',
    'MATCH (a) DETACH DELETE a',
    'MATCH (a) REMOVE a.x',
    'MATCH (a) FOREACH (x IN [1] | SET a.x = x)',
    'CALL db.labels()',
    'MATCH (a) CALL { MATCH (b) DELETE b } RETURN a',
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    'USE system MATCH (a) RETURN a',
    'DROP INDEX x',
    'EXPLAIN MATCH (a) DELETE a',
    'RETURN 1 UNION MATCH (a) DELETE a',
    'MATCH (a) /* RETURN a */ DELETE a // RETURN',
  ])
    it(`only reads, so it refuses ${text}`, async () => {
      const { kind, at } = await refusal(text);
      expect(kind).to.equal('NotSupported');
      expect(at).to.be.a('number');
    });

  it('takes what is in a parameter or in backticks for a value or a name, and never for a clause', async () => {
    const graph = new MemoryGraph();
    await graph.create('CREATE (:A {name: "x"})');
    const evil = "x' MATCH (n) DETACH DELETE n //";
    expect((await ask('MATCH (n:A {name: $name}) RETURN n', { graph, parameters: { name: evil } })).rows).to.deep.equal(
      [],
    );
    expect((await ask('MATCH (n:`A) DETACH DELETE (n`) RETURN n', { graph })).rows).to.deep.equal([]);
    expect((await ask('RETURN 1 AS `a``; DELETE b`')).columns).to.deep.equal(['a`; DELETE b']);
    expect((await ask('MATCH (n) RETURN count(*)', { graph })).rows).to.deep.equal([['1']]);
  });

  for (const [what, text] of [
    ['brackets', `RETURN ${'('.repeat(5_000)}1${')'.repeat(5_000)}`],
    ['lists that are left open', `RETURN ${'['.repeat(15_000)}`],
    ['comprehensions', `RETURN ${'[x IN '.repeat(2_000)}[1]${']'.repeat(2_000)}`],
    ['CASE', `RETURN ${'CASE WHEN true THEN '.repeat(700)}1${' END'.repeat(700)}`],
    ['signs', `RETURN ${'- '.repeat(9_000)}1`],
    ['sums', `RETURN 1${'+1'.repeat(9_000)}`],
    ['conditions', `RETURN true${' OR true'.repeat(2_000)}`],
    ['properties', `WITH {} AS a RETURN a${'.a'.repeat(9_000)}`],
    ['null checks', `RETURN 1${' IS NULL'.repeat(2_000)}`],
  ])
    it(`refuses thousands of ${what} inside of one another, and at once`, async () => {
      const { kind, reason } = await refusal(text ?? '');
      expect([kind, reason]).to.deep.equal(['Limit', 'depth']);
    });

  it('refuses a long text before it reads it', async () => {
    expect((await refusal(`RETURN '${'x'.repeat(20_000)}'`)).reason).to.equal('length');
  });

  it('reads in time that grows with the text, whatever is in it', () => {
    const effortOf = (text: string) => {
      const start = process.cpuUsage();
      for (let round = 0; round < 20; round++) {
        try {
          parseQuery(text);
        } catch (error) {
          if (!(error instanceof QueryFailure)) throw error;
        }
      }
      // Together they are exact; how they are shared out is guessed from where the clock's ticks fell.
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    for (const repeated of [
      '(a)-[:T]->',
      '(a:B {c: 1}',
      '[x IN y | ',
      '"',
      "'\\u",
      '`',
      '/*',
      '-- ',
      'a.b',
      '1e',
      'NOT ',
      ' ',
    ]) {
      const text = (length: number) => `MATCH ${repeated.repeat(length / repeated.length)}`;
      effortOf(text(2_000));
      // Ten times the text in far less than a hundred times the time.
      expect(effortOf(text(18_000)), repeated).to.be.below(40 * effortOf(text(1_800)) + 30_000);
    }
  });

  describe('ends what takes too much, and says what to do', () => {
    let graph: MemoryGraph;
    before(async () => {
      graph = await complete(12);
    });

    for (const [reason, text] of [
      ['work', 'MATCH (a), (b), (c), (d), (e) RETURN count(*)'],
      ['work', 'UNWIND range(1, 9999) AS a UNWIND range(1, 9999) AS b RETURN count(*)'],
      ['work', 'RETURN reduce(n = 0, a IN range(1, 9999) | n + size([b IN range(1, 9999) WHERE b > a]))'],
      ['memory', 'MATCH (a)-[*1..5]-(b) RETURN count(*)'],
      ['memory', 'MATCH (a), (b), (c), (d) RETURN collect(a)'],
      ['memory', 'MATCH (a), (b), (c), (d) RETURN a.i, b.i, c.i, d.i, count(*) ORDER BY a.i LIMIT 1'],
      ['memory', 'MATCH (a), (b), (c), (d) WITH a.i AS a, b.i AS b, c.i AS c, d.i AS d ORDER BY a RETURN a LIMIT 1'],
      ['memory', 'MATCH (a), (b), (c), (d) RETURN DISTINCT a.i, b.i, c.i, d.i ORDER BY a.i LIMIT 1'],
      ['memory', "RETURN reduce(s = 'x', a IN range(1, 60) | s + s)"],
      ['memory', 'RETURN reduce(s = [1], a IN range(1, 60) | s + s)'],
      ['memory', 'RETURN reduce(s = [1], a IN range(1, 60) | [s, s])'],
      ['memory', 'RETURN reduce(s = {}, a IN range(1, 60) | {a: s, b: s})'],
      ['memory', 'RETURN range(1, 1000000000000)'],
      [
        'memory',
        "RETURN replace(replace('aaaaaaaaaa', 'a', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'), 'b', reduce(s = 'x', a IN range(1, 12) | s + s))",
      ],
      ['rows', 'MATCH (a), (b) RETURN a.i, b.i'],
      ['hops', 'MATCH (a)-[*]->(b) RETURN b'],
      ['hops', 'MATCH (a)-[*2..]->(b) RETURN b'],
      ['hops', 'MATCH (a)-[*1..6]->(b) RETURN b'],
      ['hops', 'MATCH (a) WHERE exists { (a)-[*]->() } RETURN a'],
      ['hops', 'MATCH (a) RETURN [(a)-[*]->(b) | b]'],
    ] as const)
      it(`${reason}: ${text}`, async () => {
        const { kind, reason: found, message } = await refusal(text, { graph });
        expect([kind, found]).to.deep.equal(['Limit', reason]);
        expect(message).to.match(/Begin at|LIMIT|bound|Give/);
      });

    it('time', async () => {
      const bounds = { ...unlimited, maxWork: Infinity, maxMs: 50 };
      const endless = 'UNWIND range(1, 99999) AS a UNWIND range(1, 99999) AS b RETURN count(*)';
      expect((await refusal(endless, { bounds })).reason).to.equal('time');
    });

    it('and leaves off early where LIMIT says so', async () => {
      expect((await ask('MATCH (a), (b), (c), (d), (e) RETURN a.i LIMIT 2', { graph })).rows).to.have.length(2);
    });
  });

  it('explains without reading, and begins where least has to be looked at', async () => {
    const { rows, plan } = await ask('EXPLAIN MATCH (a)-[:T]->(b:N {i: 1}) RETURN a ORDER BY a.i LIMIT 3', {
      graph: await complete(3),
    });
    expect(rows).to.equal(null);
    expect(plan.map(({ operator }) => operator)).to.deep.equal([
      'NodeSeek',
      'Filter',
      'Filter',
      'Expand',
      'Project',
      'Top',
      'Limit',
      'Columns',
    ]);
  });

  it('refuses regular expressions, shortest paths and map projections by name', async () => {
    expect((await refusal("RETURN 'a' =~ '(a+)+$'")).reason).to.equal('=~');
    expect((await refusal('MATCH p = shortestPath((a)-[*]->(b)) RETURN p')).reason).to.equal('shortestPath');
    expect((await refusal('MATCH (n) RETURN n {.name}')).reason).to.equal('map projection');
  });

  it('names a parameter that is not given', async () => {
    expect((await refusal('RETURN $missing')).message).to.include('"missing"');
  });

  it('finds each end once where nobody asks for ways, and the same ends as by every way', async () => {
    const patterns = [
      '(a)-[:T*1..3]->(b)',
      '(a)<-[:T*1..2]-(b)',
      '(a)-[*0..4]->(b)',
      '(a)-[:T*1..3 {w: 1}]->(b)',
      '(a)-[:T*1..4]->(a)',
      '(a {i: 1})-[:T*..3]->(b {i: 4})',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.constantFrom('T', 'U'), fc.nat(1)), { maxLength: 14 }),
        fc.constantFrom(...patterns),
        async (edges, pattern) => {
          const graph = new MemoryGraph();
          await graph.create('UNWIND range(0, 5) AS i CREATE (:N {i: i})');
          for (const [from, to, type, w] of edges)
            await graph.create(`MATCH (a {i: ${from}}), (b {i: ${to}}) CREATE (a)-[:${type} {w: ${w}}]->(b)`);
          const [start, end] = ['a.i', pattern.includes('(b') ? 'b.i' : 'a.i'];
          for (const text of [
            `MATCH ${pattern} RETURN DISTINCT ${start} AS x, ${end} AS y`,
            `MATCH ${pattern} RETURN ${start} AS x, count(DISTINCT ${end}) AS n, max(${end}) AS y`,
            `MATCH (a) OPTIONAL MATCH ${pattern} WITH DISTINCT ${start} AS x, ${end} AS y RETURN x, y`,
            `MATCH (a) WHERE EXISTS { MATCH ${pattern} } RETURN a.i`,
          ]) {
            const [once, often] = await Promise.all(
              [text, text.replace('[', '[r')].map((each) => ask(each, { graph, bounds: unlimited })),
            );
            const found = (answer: typeof once) => answer?.rows?.map((row) => JSON.stringify(row)).toSorted();
            expect(found(once), text).to.deep.equal(found(often));
            const plans = [once, often].map((answer) => JSON.stringify(answer?.plan).includes('Pruning'));
            expect(plans, text).to.deep.equal([true, false]);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  for (const text of [
    'MATCH (a)-[:T*1..2]->(b) RETURN b',
    'MATCH (a)-[:T*1..2]->(b) RETURN count(*)',
    'MATCH (a)-[:T*1..2]->(b) RETURN count(b), max(b.i)',
    'MATCH (a)-[:T*1..2]->(b) RETURN DISTINCT b.i, count(*)',
    'MATCH (a)-[:T*1..2]-(b) RETURN DISTINCT b',
    'MATCH (a)-[:T*2..3]->(b) RETURN DISTINCT b',
    'MATCH (a)-[:T*1..2]->(b)-[:T]->(c) RETURN DISTINCT c',
    'MATCH p = (a)-[:T*1..2]->(b) RETURN DISTINCT b',
    'MATCH (a)-[r:T*1..2]->(b) RETURN DISTINCT b',
    'MATCH (a)-[:T*1..2]->(b) WITH b LIMIT 3 RETURN DISTINCT b',
    'MATCH (a)-[:T*1..2]->(b) RETURN DISTINCT rand()',
  ])
    it(`goes by every way where it matters: ${text}`, async () => {
      expect(JSON.stringify((await ask(`EXPLAIN ${text}`)).plan)).not.to.include('Pruning');
    });
});

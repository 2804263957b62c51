import { expect } from 'chai';
import type { Metric } from '../../src/model/due-diligence.ts';
import type { EventType } from '../../src/model/event.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import type { Measured } from '../../src/stores/relational/aggregates/pipeline-runs.ts';
import { repository, unique } from './relational-store.ts';

/** What every relational store promises of events. */
export function eventsContract(store: () => RelationalStore): void {
  const measurements = { metrics: [], people: [], authorship: [] };

  const organization = async () => {
    const slug = unique('org');
    const { id } = await store().accounts.ensureOrganization({ slug, name: slug });
    const keys = new Map<string, string>();
    const claim = async (name: string) => {
      const key = keys.get(name) ?? (await store().repositories.claim(id, name));
      keys.set(name, key);
      return repository(key);
    };
    return {
      id,
      page: (after = 0, more: { limit?: number; types?: EventType[]; repositories?: string[] } = {}) =>
        store().tenant(id, ({ events }) => events.page({ after, limit: 100, ...more })),
      async load(
        name: string,
        grade: string | null = null,
        metrics: Metric[] = [],
        edges?: (key: string) => NonNullable<Measured['edges']>,
      ) {
        const info = await claim(name);
        const run = await store().runs.begin(info);
        const measured = { run, measurements: { ...measurements, metrics }, grade, edges: edges?.(info.name) ?? null };
        await store().snapshots.save(info, run, [Buffer.from(run)], measured);
        return run;
      },
      async fail(name: string, error: string) {
        const run = await store().runs.begin(await claim(name));
        await store().runs.fail(run, error);
        return run;
      },
      claim,
      begin: async (name: string) => store().runs.begin(await claim(name)),
    };
  };
  const told = (list: { type: string; subject: string; data: Record<string, unknown> }[]) =>
    list.map(({ type, subject, data }) => [type, subject, data['run_id']]);

  describe('events', () => {
    it('tell of each load and each failure once, numbered from 1, to its owner alone', async () => {
      const [acme, other] = [await organization(), await organization()];
      const runs = [await acme.load('a'), await acme.fail('b', 'no disk'), await acme.load('a')];
      await other.load('a');
      await store().runs.fail(runs[1] ?? '', 'again');
      const events = await acme.page();
      expect(told(events)).to.deep.equal([
        ['repository.loaded', 'a', runs[0]],
        ['repository.failed', 'b', runs[1]],
        ['repository.loaded', 'a', runs[2]],
      ]);
      expect(events.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3]);
      expect(events[1]?.data).to.include({ repository: 'b', error: 'no disk' });
      for (const { id } of events) expect(id).to.match(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
      expect((await other.page()).map(({ sequence }) => sequence)).to.deep.equal([1]);
    });

    it('tell that a run has failed whose process was stopped', async () => {
      const acme = await organization();
      const stopped = await acme.begin('a');
      const next = await acme.load('a');
      expect(told(await acme.page())).to.deep.equal([
        ['repository.failed', 'a', stopped],
        ['repository.loaded', 'a', next],
      ]);
    });

    it('tell of a grade where it is another one, and of none that is not known', async () => {
      const acme = await organization();
      for (const grade of [null, 'B', 'B', 'C', null, 'A', 'B']) await acme.load('a', grade);
      await acme.load('b', 'E');
      const changes = await acme.page(0, { types: ['grade.changed'] });
      expect(changes.map(({ data }) => [data['from'], data['to']])).to.deep.equal([
        ['B', 'C'],
        ['A', 'B'],
      ]);
    });

    it('tell of edges that appeared and that are gone, in the ids that their owner sees, and not of none', async () => {
      const acme = await organization();
      const none = { total: 0, by_type: {}, edges: [] };
      const call = (key: string) => ({ type: 'CALLS' as const, from: `${key}/a.ts#a`, to: `${key}/b.ts#b` });
      const theirs = (key: string) => ({ type: 'CONTRIBUTED_TO' as const, from: 'contributor:1', to: key });
      await acme.load('shop', null, [], () => ({ from: 'c0', appeared: none, gone: none }));
      const run = await acme.load('shop', null, [], (key) => ({
        from: 'c1',
        appeared: { total: 30, by_type: { CALLS: 29, CONTRIBUTED_TO: 1 }, edges: [call(key), theirs(key)] },
        gone: none,
      }));
      const told = await acme.page(0, { types: ['edges.changed'] });
      expect(told.map(({ subject, data }) => ({ subject, ...data }))).to.deep.equal([
        {
          subject: 'shop',
          repository: 'shop',
          run_id: run,
          from: 'c1',
          to: (await acme.claim('shop')).commit,
          appeared: { total: 30, by_type: { CALLS: 29, CONTRIBUTED_TO: 1 }, edges: [call('shop'), theirs('shop')] },
          gone: none,
        },
      ]);
    });

    it('tell of findings that appeared and that are gone, against the last run that measured them in the same way', async () => {
      const acme = await organization();
      const [a, b, c] = ['a', 'b', 'c'].map((name) => ({
        path: `${name}.ts`,
        line: 1,
        commit: null,
        note: 'eval of a text',
      }));
      if (!a || !b || !c) throw new Error('There are three.');
      const patterns = (evidence: Metric['evidence'], more: Partial<Metric> = {}): Metric[] => [
        {
          id: 'security_pattern_finding_count',
          value: evidence.length,
          unit: 'findings',
          direction: 'lower_better',
          status: 'measured',
          reason: null,
          numerator: null,
          denominator: null,
          evidence,
          evidence_count: evidence.length,
          quantities: {},
          method_version: 'security_pattern_finding_count/1',
          ...more,
        },
      ];
      const notMeasured = { value: null, status: 'not_measured', reason: 'timeout', evidence_count: 0 } as const;
      const key = { path: 'k.ts', line: 1, commit: null, note: 'aws-access-token (sha256 0123…)' };
      const asSecrets = (metric: Metric): Metric => ({ ...metric, id: 'secret_finding_count' });
      const loads: [Metric[], unknown][] = [
        [patterns([a]), []],
        // A line further down it is the same; a second one that is alike is one more.
        [
          patterns([
            { ...a, line: 7 },
            { ...a, line: 9 },
          ]),
          [['appeared', 1, true, ['a.ts:9']]],
        ],
        [
          patterns([b]),
          [
            ['appeared', 1, true, ['b.ts:1']],
            ['gone', 2, true, ['a.ts:7', 'a.ts:9']],
          ],
        ],
        // Whoever has it not measured once hides nothing.
        [patterns([], notMeasured), []],
        [[], []],
        [patterns([b, c]), [['appeared', 1, true, ['c.ts:1']]]],
        // What is measured in another way can't be compared, and is where the next begins.
        [patterns([], { method_version: 'security_pattern_finding_count/2' }), []],
        [patterns([a], { method_version: 'security_pattern_finding_count/2' }), [['appeared', 1, true, ['a.ts:1']]]],
        // Of more than are kept only a number can be told.
        [
          patterns([a], { method_version: 'security_pattern_finding_count/2', evidence_count: 300 }),
          [['appeared', 299, false, []]],
        ],
        [
          patterns([b], { method_version: 'security_pattern_finding_count/2', evidence_count: 301 }),
          [['appeared', 1, false, []]],
        ],
        [patterns([], { method_version: 'security_pattern_finding_count/2' }), [['gone', 301, false, ['b.ts:1']]]],
        // A secret is the same wherever it stands, and is not gone while the history has it.
        [[...patterns([]).map(asSecrets), ...patterns([])], []],
        [patterns([key]).map(asSecrets), [['appeared', 1, true, ['k.ts:1']]]],
        [patterns([{ ...key, path: 'other.ts' }]).map(asSecrets), []],
        [
          patterns([{ ...key, commit: 'abc', note: `${key.note}, removed, but in history since abc` }]).map(asSecrets),
          [],
        ],
        [patterns([]).map(asSecrets), [['gone', 1, true, ['k.ts:1']]]],
      ];
      for (const [nth, [metrics, expected]] of loads.entries()) {
        const from = (await acme.page()).at(-1)?.sequence ?? 0;
        const run = await acme.load('a', null, metrics);
        const found = await acme.page(from, { types: ['findings.appeared', 'findings.gone'] });
        const short = found.map(({ type, data }) => [
          type.slice('findings.'.length),
          data['total'],
          data['complete'],
          (data['findings'] as { path: string; line: number }[]).map(({ path, line }) => `${path}:${line}`),
        ]);
        expect(short, `load ${nth}`).to.deep.equal(expected);
        for (const { data } of found) expect(data).to.include({ repository: 'a', run_id: run });
      }
    });

    it('are there only with what they tell', async () => {
      const acme = await organization();
      await acme.load('a');
      const broken = (function* () {
        yield Buffer.from('half');
        throw new Error('the stream broke');
      })();
      await store()
        .snapshots.save(await acme.claim('a'), 'broken', broken)
        .catch(() => undefined);
      expect(await acme.page()).to.have.length(1);
    });

    it('are narrowed by type and repository, and paged', async () => {
      const acme = await organization();
      for (const name of ['a', 'b', 'c']) await acme.load(name);
      await acme.fail('b', 'no');
      const subjects = async (...query: Parameters<typeof acme.page>) =>
        (await acme.page(...query)).map(({ subject }) => subject);
      expect(await subjects(0, { repositories: ['b', 'c', 'unknown'] })).to.deep.equal(['b', 'c', 'b']);
      expect(await subjects(0, { repositories: [] })).to.deep.equal([]);
      expect(await subjects(0, { types: ['repository.failed'] })).to.deep.equal(['b']);
      expect(await subjects(1, { limit: 2 })).to.deep.equal(['b', 'c']);
      expect(await subjects(4)).to.deep.equal([]);
    });

    it('written by many at once are seen in their order by who follows, none left out', async () => {
      const acme = await organization();
      const names = Array.from({ length: 12 }, (_, n) => `many-${n}`);
      const seen: number[] = [];
      let isDone = false;
      const follow = async () => {
        for (let last = false; !last;) {
          last = isDone;
          const found = await acme.page(seen.at(-1) ?? 0, { limit: 5 });
          seen.push(...found.map(({ sequence }) => sequence));
          last &&= found.length === 0;
        }
      };
      const following = follow();
      await Promise.all(names.map((name, n) => (n % 3 === 0 ? acme.fail(name, 'no') : acme.load(name))));
      isDone = true;
      await following;
      expect(seen).to.deep.equal(names.map((_, n) => n + 1));
    });
  });
}

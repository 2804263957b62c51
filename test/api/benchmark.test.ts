import { expect } from 'chai';
import { exampleTask } from '../../src/benchmark/example-task.ts';
import { solverTaskSchema } from '../../src/benchmark/solver-view.ts';
import { difficultySchema } from '../../src/model/task-instance.ts';
import { unique } from '../contract/relational-store.ts';
import { describeService } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';
import {
  evaluationAttempt,
  evaluationOutcome,
  evaluationRun,
  saveEvaluationRuns,
  mintRun,
  taskInstance,
} from '../support/task-instances.ts';

type Json = Record<string, unknown>;

describeService('the benchmark', (service) => {
  const repo = unique('acme/shop');
  const id = (n: number) => `${repo.replace('/', '__')}-${n}`;
  const language = unique('Zig');
  const instances = difficultySchema.options.map((difficulty, n) =>
    taskInstance({
      instance_id: id(n),
      repo,
      difficulty,
      language: n === 0 ? language : 'Go',
      created_at: `2026-10-0${n + 1}T00:00:00.000Z`,
      problem_statement: '\u{1F600}'.repeat(300),
    }),
  );
  before(async () => {
    await shareWithAll(service().stores, [repo]);
    await service().stores.relational.taskInstances.save(instances);
  });
  const get = async (path: string) => {
    const { status, json, headers } = await service().get(path);
    expect(status, JSON.stringify(json)).equals(200);
    return { json, link: headers['link'], items: (json['items'] ?? []) as Json[] };
  };

  describe('GET /api/benchmark/tasks', () => {
    it('200: items and total and nothing else, those created last first, each told in short', async () => {
      const { json, items } = await get(`/api/benchmark/tasks?repo=${repo}`);
      expect(Object.keys(json)).deep.equals(['items', 'total']);
      expect(json['total']).equals(4);
      expect(items.map(({ instance_id }) => instance_id)).deep.equals([id(3), id(2), id(1), id(0)]);
      expect(items[3]).deep.equals({
        instance_id: id(0),
        repo,
        language,
        difficulty: '<15 min fix',
        created_at: '2026-10-01T00:00:00.000Z',
        base_commit: exampleTask.base_commit,
        n_fail_to_pass: 1,
        flags: [],
        problem_statement: '\u{1F600}'.repeat(280),
      });
    });

    it('200: filters by repository, difficulty and language, and tells the pages by Link', async () => {
      const total = async (query: string) => (await get(`/api/benchmark/tasks?${query}`)).json['total'];
      expect(await total(`language=${language}`)).equals(1);
      expect(await total(`repo=${repo}&difficulty=${encodeURIComponent('>4 hours')}`)).equals(1);
      expect(await total(`repo=${repo}&language=Go`)).equals(3);
      expect(await total('repo=acme/nothing')).equals(0);
      const first = await get(`/api/benchmark/tasks?repo=${repo}&page_size=3`);
      expect(first.items).lengthOf(3);
      const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(first.link)) ?? [];
      const { pathname, search } = new URL(next);
      expect((await get(pathname + search)).items.map(({ instance_id }) => instance_id)).deep.equals([id(0)]);
    });

    it('200: counts by what is asked for, each facet as if it were not filtered by itself', async () => {
      const { json } = await get(`/api/benchmark/tasks?repo=${repo}&language=Go&facets=language,difficulty`);
      expect(json['total']).equals(3);
      expect(json['facets']).deep.equals({
        language: [
          { value: 'Go', count: 3 },
          { value: language, count: 1 },
        ],
        difficulty: ['1-4 hours', '15 min - 1 hour', '>4 hours'].map((value) => ({ value, count: 1 })),
      });
    });

    for (const query of ['difficulty=hard', 'facets=patch', 'page_size=101', 'q=x', 'repo=', 'language=%00'])
      it(`422: ${query}`, async () =>
        expect((await service().get(`/api/benchmark/tasks?${query}`)).status).equals(422));
  });

  describe('GET /api/benchmark/tasks/{instance_id}', () => {
    it('200: the whole instance', async () => {
      expect((await get(`/api/benchmark/tasks/${id(1)}`)).json).deep.equals(instances[1]);
      expect((await get(`/api/benchmark/tasks/${id(1)}?view=full`)).json).deep.equals(instances[1]);
    });

    it('200: view=solver tells nothing of the solution, in whichever field it is', async () => {
      const secret = (name: string) => `secret-${name}`;
      const known = taskInstance({
        instance_id: id(9),
        repo,
        patch: secret('patch'),
        test_patch: secret('test-patch'),
        hints_text: secret('hints'),
        verifying_tests: {
          fail_to_pass: [secret('f2p')],
          pass_to_pass: [secret('p2p')],
          test_files: [secret('file')],
          framework: 'mocha',
        },
        provenance: {
          ...taskInstance().provenance,
          pr_number: 987_654,
          issue_refs: [secret('issue')],
          canary: 'the canary',
        },
        quality: { ...taskInstance().quality, flags: [secret('flag')], new_symbols_in_tests: [secret('symbol')] },
        validation: { ...taskInstance().validation, quarantined_tests: [secret('flaky')], scope: [secret('scope')] },
      });
      await service().stores.relational.taskInstances.save([known]);
      const { json } = await get(`/api/benchmark/tasks/${id(9)}?view=solver`);
      const text = JSON.stringify(json);
      const { fix_commit: fix, patch_id: patchId, pr_number: number } = known.provenance;
      for (const word of ['secret-', fix, patchId, String(number)]) expect(text).not.includes(word);
      expect(json).includes({ problem_statement: known.problem_statement, canary: 'the canary' });
      expect(json['environment']).deep.equals(known.environment);
      expect(Object.keys(json).toSorted()).deep.equals(Object.keys(solverTaskSchema.shape).toSorted());
    });

    it('404: no instance has this id', async () => {
      const { status, json } = await service().get(`/api/benchmark/tasks/${id(77)}`);
      expect([status, json['code']]).deep.equals([404, 'task_not_found']);
    });

    it('422: another view', async () =>
      expect((await service().get(`/api/benchmark/tasks/${id(1)}?view=gold`)).status).equals(422));
  });

  describe('GET /api/benchmark/mint-runs', () => {
    it('200: how many commits of the last search are left at each stage, and why the others are not', async () => {
      const run = mintRun({
        run_id: unique('mint'),
        repo,
        source: '/home/anna/shop',
        commits: 20,
        minted: 1,
        rejected: { docs_only: 4, no_tests: 9, short_statement: 3, flaky: 1, of_a_later_version: 2 },
      });
      await service().stores.relational.mintRuns.save(run);
      const { items, json } = await get('/api/benchmark/mint-runs?page_size=100');
      expect(json['total']).equals(items.length);
      const own = items.find((each) => each['repo'] === repo);
      expect(own).not.to.have.property('source');
      expect(own).deep.includes({ run_id: run.run_id, commits: 20, minted: 1 });
      const funnel = (own?.['funnel'] ?? []) as { stage: string; left: number; rejected: Json[] }[];
      expect(funnel.map(({ stage, left }) => [stage, left])).deep.equals([
        ['change', 7],
        ['statement', 4],
        ['tests_run', 4],
        ['proof', 1],
      ]);
      expect(funnel[0]?.rejected).deep.equals([
        { reason: 'no_tests', meaning: 'changes no test', commits: 9 },
        { reason: 'docs_only', meaning: 'changes only documentation', commits: 4 },
      ]);
      expect(funnel[3]?.rejected.map(({ reason }) => reason)).deep.equals(['of_a_later_version', 'flaky']);
    });
  });

  describe('GET /api/benchmark/eval-results', () => {
    it('200: a summary of each run, the newest first, and nothing but items and total', async () => {
      const run_id = unique('run');
      const runs = [evaluationRun({ run_id, model: 'a/1', timestamp: '2998-01-01T00:00:00Z' })];
      runs.unshift(evaluationRun({ run_id, model: 'b', timestamp: '2998-01-01T00:00:01Z', solved: 0, solve_rate: 0 }));
      await saveEvaluationRuns(service().stores.relational, service().organizationId, runs);
      const { json, items } = await get('/api/benchmark/eval-results');
      expect(Object.keys(json)).deep.equals(['items', 'total']);
      expect(items.slice(0, 2)).deep.equals(runs);
      expect((await get('/api/benchmark/eval-results?page_size=1&page=2')).items).deep.equals([runs[1]]);
    });

    it('401: without a key', async () => {
      for (const path of [
        'tasks',
        `tasks/${id(1)}`,
        'mint-runs',
        'eval-results',
        'eval-results/x/outcomes',
        'eval-results/x/outcomes/y?model=z',
        'eval-results/x/outcomes/y/log?model=z',
        'eval-results/x/outcomes/y/trajectory?model=z',
        'leaderboard',
      ])
        expect((await service().send(`/api/benchmark/${path}`)).status).equals(401);
    });
  });

  describe('what became of each task', () => {
    const [run, good, poor] = [unique('run'), unique('good/1'), unique('poor')];
    // Of ten tasks, the first half is old; one model solves all old ones each time and every second new one in one of two attempts.
    const outcomesOf = (sample: number, solves: (task: number) => boolean) =>
      Array.from({ length: 10 }, (_, task) =>
        evaluationOutcome({
          instance_id: `task-${task}`,
          status: solves(task) ? 'resolved' : 'unresolved',
          language: task % 2 === 0 ? 'Go' : 'Zig',
          committed_at: task < 5 ? '2025-05-01T00:00:00Z' : '2026-08-01T00:00:00Z',
          usage: { input_tokens: 100, output_tokens: 10, cost_usd: 0.01 },
          logs: `logs/run_evaluation/${run}.${sample}/m/task-${task}`,
        }),
      );
    before(() =>
      service().stores.relational.tenant(service().organizationId, async ({ evaluationRuns, evaluationOutcomes }) => {
        for (const [sample, model, solves] of [
          [1, good, (task: number) => task < 5 || task % 2 === 0],
          [2, good, (task: number) => task < 5],
          [1, poor, (task: number) => task === 0],
        ] as const) {
          const saved = evaluationRun({ run_id: `${run}.${sample}`, model, timestamp: `2026-11-0${sample}T00:00:00Z` });
          await evaluationRuns.save(saved);
          await evaluationOutcomes.save(saved, outcomesOf(sample, solves));
        }
      }),
    );
    const board = async (query: string) => (await get(`/api/benchmark/leaderboard?run=${run}${query}`)).items;

    it('200: a run tells its outcomes, in pages, by model and status', async () => {
      const path = `/api/benchmark/eval-results/${run}.1/outcomes`;
      const { json, items } = await get(`${path}?model=${encodeURIComponent(good)}&page_size=3`);
      expect(json['total']).equals(10);
      expect(items).deep.equals(
        outcomesOf(1, (task) => task < 5 || task % 2 === 0)
          .slice(0, 3)
          .map((outcome) => ({ model: good, ...outcome })),
      );
      expect((await get(`${path}?status=unresolved`)).json['total']).equals(3 + 9);
      expect((await get('/api/benchmark/eval-results/none/outcomes')).json).deep.equals({ items: [], total: 0 });
      expect((await service().get(`${path}?status=good`)).status).equals(422);
    });

    it('200: an attempt tells what was answered and seen; 404 where there is none, or nothing was kept', async () => {
      const attempt = evaluationAttempt({ instance_id: 'task-3', trajectory: { text: '[{}]', cut: null } });
      const saved = evaluationRun({ run_id: `${run}.1`, model: good });
      await service().stores.relational.tenant(service().organizationId, ({ evaluationAttempts }) =>
        evaluationAttempts.save(saved, attempt),
      );
      const path = (task: string, of = '') =>
        `/api/benchmark/eval-results/${run}.1/outcomes/${task}${of}?model=${encodeURIComponent(good)}`;
      const [outcome] = outcomesOf(1, () => true).slice(3, 4);
      const { patch, tests, log, trajectory } = attempt;
      const whose = { run_id: `${run}.1`, model: good };
      expect((await get(path('task-3'))).json).deep.equals({
        ...outcome,
        ...whose,
        patch,
        tests,
        is_kept: true,
        has_log: true,
        has_trajectory: true,
      });
      expect((await get(path('task-3', '/log'))).json).deep.equals(log);
      expect((await get(path('task-3', '/trajectory'))).json).deep.equals(trajectory);
      expect((await get(path('task-2'))).json).includes({ patch: null, is_kept: false, has_log: false });
      for (const none of [path('task-2', '/log'), path('task-99'), path('task-3').replace(run, 'none')]) {
        const { status, json } = await service().get(none);
        expect([status, json['code']], none).deep.equals([404, 'attempt_not_found']);
      }
      expect((await service().get(path('task-3').replace(/\?.*/, ''))).status).equals(422);
    });

    it('200: the leaderboard tells pass@1 and pass@k with their intervals, and what it took', async () => {
      const [first, second, ...others] = await board('&k=2');
      expect(others).deep.equals([]);
      // 5 old ones whole and 2 of the new ones (6, 8) half: 6 of 10; by any of two attempts 7 of 10.
      expect(first).deep.equals({
        model: good,
        runs: 2,
        tasks: 10,
        attempts: 20,
        resolved: 12,
        suspicious: 0,
        uncontrolled: 0,
        pass_at_1: { value: 0.6, low: 0.3127, high: 0.8318, tasks: 10 },
        pass_at_k: { value: 0.7, low: 0.3968, high: 0.8922, tasks: 10 },
        usage: { input_tokens: 2000, output_tokens: 200, cost_usd: 0.2 },
        difference: null,
      });
      expect(second).deep.includes({ model: poor, resolved: 1, pass_at_k: null });
    });

    it('200: a difference to another model is told over the tasks of both, with the interval of a paired bootstrap', async () => {
      const [first, second] = await board(`&against=${poor}`);
      const { low, high, ...difference } = (first?.['difference'] ?? {}) as Record<string, number>;
      expect(difference).deep.equals({ tasks: 10, value: 0.5, p: 0.001 });
      expect(low).within(0.15, 0.3);
      expect(high).within(0.7, 0.85);
      expect(second?.['difference']).deep.equals({ tasks: 10, value: 0, low: 0, high: 0, p: 1 });
      expect((await board('&against=nobody'))[0]?.['difference']).equals(null);
    });

    it('200: windows by the date of the fix tell what a model may have learned from', async () => {
      const [first] = await board('&windows=quarter&model=' + encodeURIComponent(good));
      const told = ((first?.['windows'] ?? []) as Record<string, unknown>[]).map(({ from, value, tasks }) => [
        from,
        value,
        tasks,
      ]);
      expect(told).deep.equals([
        ['2025-04-01', 1, 5],
        ['2026-07-01', 0.2, 5],
      ]);
      const rates = async (query: string) => (await board(query)).map((item) => (item['pass_at_1'] as Json)['value']);
      expect(await rates('&committed_from=2026-01-01T00:00:00Z')).deep.equals([0.2, 0]);
      expect(await rates('&committed_to=2026-01-01T00:00:00%2B01:00')).deep.equals([1, 0.2]);
    });

    it('200: filters by model, run, date, language and difficulty', async () => {
      const models = async (query: string) => (await board(query)).map(({ model }) => model);
      expect(await models(`&model=${poor}`)).deep.equals([poor]);
      expect(await models('&evaluated_from=2026-11-02T00:00:00Z')).deep.equals([good]);
      expect(await models('&evaluated_to=2026-10-01T00:00:00Z')).deep.equals([]);
      expect(await models('&language=Rust')).deep.equals([]);
      expect(await models('&difficulty=%3E4%20hours')).deep.equals([]);
      expect((await board('&language=Zig'))[0]).includes({ tasks: 5 });
      expect((await get(`/api/benchmark/leaderboard?run=${run}.2`)).items).lengthOf(1);
    });

    for (const query of ['k=1', 'windows=week', 'committed_from=2026', 'difficulty=hard', 'model='])
      it(`422: ${query}`, async () =>
        expect((await service().get(`/api/benchmark/leaderboard?${query}`)).status).equals(422));
  });
});

import { expect } from 'chai';
import type { OutcomeFilter } from '../../src/model/evaluation-outcome.ts';
import type { PredictionStatus } from '../../src/model/evaluation-run.ts';
import type { Difficulty } from '../../src/model/task-instance.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import {
  evaluationAttempt,
  evaluationOutcome,
  evaluationRun,
  saveEvaluationRuns,
  mintRun,
  taskInstance,
} from '../support/task-instances.ts';
import { unique } from './relational-store.ts';

/** What every relational store promises of task instances, of the searches for them and of what models reached on them. */
export function taskInstancesContract(store: () => RelationalStore): void {
  describe('task instances', () => {
    const page = { offset: 0, limit: 100 };

    it('keeps an instance whole, whatever its patch holds', async () => {
      const instance = taskInstance({
        instance_id: `${unique('acme')}__shop-1`,
        patch: 'diff --git a/x b/x\n+ \u0000 \u{1F600} \\u0000 \r\n+"\'$1\n',
        problem_statement: "it's \u0007 \u2028",
      });
      await store().taskInstances.save([instance]);
      expect(await store().taskInstances.get(instance.instance_id)).to.deep.equal(instance);
      expect(await store().taskInstances.get('acme__nothing-1')).to.equal(null);
    });

    it('tells what a save changed: the same again is nothing, another of the same id takes its place', async () => {
      const [one, two] = [1, 2].map((n) => taskInstance({ instance_id: `${unique('acme')}__shop-${n}` }));
      if (!one || !two) throw new Error('There are two.');
      const { save, get } = store().taskInstances;
      expect(await save([one, two])).to.deep.equal({ added: 2, changed: 0, unchanged: 0 });
      expect(await save([one, two])).to.deep.equal({ added: 0, changed: 0, unchanged: 2 });
      const changed = { ...two, hints_text: 'other' };
      expect(await save([one, changed])).to.deep.equal({ added: 0, changed: 1, unchanged: 1 });
      expect(await get(two.instance_id)).to.deep.equal(changed);
    });

    it('lists those created last first, by repository, language and difficulty, in pages', async () => {
      const repo = unique('acme/shop');
      const language = unique('Rust');
      const made = ['<15 min fix', '1-4 hours', '<15 min fix', '>4 hours'].map((difficulty, index) =>
        taskInstance({
          instance_id: `${repo.replace('/', '__')}-${index}`,
          repo,
          difficulty: difficulty as Difficulty,
          language: index === 3 ? language : 'Go',
          // The last two at once: by id then.
          created_at: `2026-10-0${Math.min(index, 2) + 1}T00:00:00.000Z`,
        }),
      );
      await store().taskInstances.save(made);
      const ids = async (query: Parameters<RelationalStore['taskInstances']['list']>[0]) => {
        const { items, total } = await store().taskInstances.list(query);
        return [total, ...items.map(({ instance_id }) => Number(instance_id.slice(-1)))];
      };
      expect(await ids({ repo, ...page })).to.deep.equal([4, 3, 2, 1, 0]);
      expect(await ids({ repo, offset: 1, limit: 2 })).to.deep.equal([4, 2, 1]);
      expect(await ids({ repo, offset: 4, limit: 2 })).to.deep.equal([4]);
      expect(await ids({ repo, difficulty: '<15 min fix', ...page })).to.deep.equal([2, 2, 0]);
      expect(await ids({ language, ...page })).to.deep.equal([1, 3]);
      expect(await ids({ repo, language, difficulty: '1-4 hours', ...page })).to.deep.equal([0]);
      expect(await ids({ repo: `${repo}'`, ...page })).to.deep.equal([0]);
      const { counts } = store().taskInstances;
      expect(await counts({ repo }, 'difficulty')).to.deep.equal([
        { value: '<15 min fix', count: 2 },
        { value: '1-4 hours', count: 1 },
        { value: '>4 hours', count: 1 },
      ]);
      expect(await counts({ repo, language }, 'repo')).to.deep.equal([{ value: repo, count: 1 }]);
    });

    it('tells those with a flag against their statement apart, and again when they are saved anew', async () => {
      const repo = unique('acme/flagged');
      const { quality } = taskInstance();
      const fit = taskInstance({ instance_id: unique('fit'), repo });
      const unfit = taskInstance({
        instance_id: unique('unfit'),
        repo,
        quality: { ...quality, flags: ['tells_the_fix'] },
      });
      await store().taskInstances.save([fit, unfit]);
      const listed = async (usable?: boolean) =>
        (await store().taskInstances.list({ ...page, repo, usable })).items.map(({ instance_id: id }) => id).toSorted();
      expect(await listed(true)).to.deep.equal([fit.instance_id]);
      expect(await listed()).to.deep.equal([fit.instance_id, unfit.instance_id].toSorted());
      await store().taskInstances.save([{ ...unfit, quality }]);
      expect(await listed(true)).to.deep.equal(await listed());
      // That it is in a list of changes is no reason to leave it out.
      await store().taskInstances.save([{ ...unfit, quality: { ...quality, flags: ['changelog_only'] } }]);
      expect(await listed(true)).to.deep.equal(await listed());
    });

    it('gives each of any number once, by id', async () => {
      const prefix = unique('many');
      const made = Array.from({ length: 120 }, (_, n) => taskInstance({ instance_id: `${prefix}__shop-${n}` }));
      await store().taskInstances.save(made);
      const ids = (await Array.fromAsync(store().taskInstances.each())).map(({ instance_id: id }) => id);
      expect(ids).to.deep.equal(ids.toSorted());
      expect(new Set(ids.filter((id) => id.startsWith(prefix)))).to.deep.equal(
        new Set(made.map(({ instance_id: id }) => id)),
      );
      expect(new Set(ids)).to.have.length(ids.length);
    });

    it('knows the last search through a repository', async () => {
      const repo = unique('acme/shop');
      expect(await store().mintRuns.latest(repo)).to.equal(null);
      const [old, last] = ['2026-10-01T00:00:00.000Z', '2026-10-02T00:00:00.000Z'].map((completed_at) =>
        mintRun({ run_id: unique('mint'), repo, completed_at }),
      );
      if (!old || !last) throw new Error('There are two.');
      await store().mintRuns.save(last);
      await store().mintRuns.save(old);
      expect(await store().mintRuns.latest(repo)).to.deep.equal(last);
      await store().mintRuns.save({ ...last, minted: 7 });
      expect(await store().mintRuns.latest(repo)).to.include({ minted: 7 });
      const { items, total } = await store().mintRuns.list({ offset: 0, limit: 10_000 });
      expect(items.filter((run) => run.repo === repo)).to.deep.equal([{ ...last, minted: 7 }]);
      expect(items.map((run) => run.repo)).to.deep.equal([...new Set(items.map((run) => run.repo))].toSorted());
      expect(total).to.equal(items.length);
      expect((await store().mintRuns.list({ offset: 0, limit: 1 })).items).to.deep.equal(items.slice(0, 1));
    });

    it('lists evaluation runs, the newest first; a run of a model takes the place of itself', async () => {
      const run_id = unique('run');
      // Later than those of any other test.
      const at = (second: number) => `2999-01-01T00:00:0${second}Z`;
      const [a, b] = ['a', 'b'].map((model, index) => evaluationRun({ run_id, model, timestamp: at(index) }));
      if (!a || !b) throw new Error('There are two.');
      const { id } = await store().accounts.ensureOrganization({ slug: 'default', name: 'default' });
      await saveEvaluationRuns(store(), id, [a, b]);
      const own = async () => (await store().evaluationRuns.list(page)).items.filter((run) => run.run_id === run_id);
      expect(await own()).to.deep.equal([b, a]);
      const again = { ...a, solved: 3, timestamp: at(2) };
      await saveEvaluationRuns(store(), id, [again]);
      expect(await own()).to.deep.equal([again, b]);
      const { items, total } = await store().evaluationRuns.list({ offset: 1, limit: 1 });
      expect(items).to.have.length(1);
      expect(total).to.be.at.least(2);
    });

    it('keeps what became of each task of a run, in place of what it had', async () => {
      const { id } = await store().accounts.ensureOrganization({ slug: 'default', name: 'default' });
      const run = evaluationRun({ run_id: unique('run'), model: 'a' });
      const [one, two] = [
        evaluationOutcome({
          instance_id: 'one',
          problem: 'it \u0000 said "no"',
          usage: { input_tokens: 5_000_000_000, output_tokens: null, cost_usd: 0.1 },
        }),
        evaluationOutcome({ instance_id: 'two', status: 'suspicious' }),
      ];
      await store().tenant(id, async ({ evaluationRuns, evaluationOutcomes }) => {
        await evaluationRuns.save(run);
        await evaluationOutcomes.save(run, [evaluationOutcome({ instance_id: 'gone' })]);
        await evaluationOutcomes.save(run, [two, one]);
        const list = async (query: object) => {
          const { items, total } = await evaluationOutcomes.list({ runId: run.run_id, ...page, ...query });
          return [total, ...items];
        };
        expect(await list({})).to.deep.equal([2, { model: 'a', ...one }, { model: 'a', ...two }]);
        expect(await list({ offset: 1, limit: 1 })).to.deep.equal([2, { model: 'a', ...two }]);
        expect(await list({ status: 'suspicious' })).to.deep.equal([1, { model: 'a', ...two }]);
        expect(await list({ model: 'b' })).to.deep.equal([0]);
        expect(await list({ runId: 'none' })).to.deep.equal([0]);
      });
    });

    it('keeps what was answered to a task and seen of it, for its organization, as long as the outcome is kept', async () => {
      const { id } = await store().accounts.ensureOrganization({ slug: 'default', name: 'default' });
      const { id: other } = await store().accounts.ensureOrganization({ slug: unique('other'), name: 'other' });
      const run = evaluationRun({ run_id: unique('run'), model: 'a' });
      const outcome = evaluationOutcome({ instance_id: 'one' });
      const attempt = { runId: run.run_id, model: 'a', instanceId: 'one' };
      const long = {
        text: `\u0000 \ud83d\ude80 \r\n${'the same again\n'.repeat(10_000)}`,
        cut: { bytes: 7, after_line: 2 },
      };
      const kept = evaluationAttempt({ instance_id: 'one', log: long });
      await store().tenant(id, async ({ evaluationRuns, evaluationOutcomes, evaluationAttempts }) => {
        await evaluationRuns.save(run);
        await evaluationOutcomes.save(run, [outcome, evaluationOutcome({ instance_id: 'unkept' })]);
        await evaluationAttempts.save(run, { ...kept, trajectory: long });
        await evaluationAttempts.save(run, kept);
        expect(await evaluationAttempts.get(attempt)).to.deep.equal({
          outcome,
          answer: { patch: kept.patch, tests: kept.tests },
          hasLog: true,
          hasTrajectory: false,
        });
        expect(await evaluationAttempts.text(attempt, 'log')).to.deep.equal(long);
        expect(await evaluationAttempts.text(attempt, 'trajectory')).to.equal(null);
        expect(await evaluationAttempts.get({ ...attempt, instanceId: 'unkept' })).to.include({
          answer: null,
          hasLog: false,
        });
        for (const none of [{ runId: 'none' }, { model: 'b' }, { instanceId: 'none' }]) {
          expect(await evaluationAttempts.get({ ...attempt, ...none })).to.equal(null);
          expect(await evaluationAttempts.text({ ...attempt, ...none }, 'log')).to.equal(null);
        }
      });
      await store().tenant(other, async ({ evaluationAttempts }) => {
        expect(await evaluationAttempts.get(attempt)).to.equal(null);
        expect(await evaluationAttempts.text(attempt, 'log')).to.equal(null);
      });
      await store().tenant(id, async ({ evaluationOutcomes, evaluationAttempts }) => {
        await evaluationOutcomes.save(run, [outcome]);
        expect(await evaluationAttempts.get(attempt)).to.deep.include({ answer: null, hasLog: false });
        expect(await evaluationAttempts.text(attempt, 'log')).to.equal(null);
      });
    });

    it('counts how models did on each task, over the attempts that match', async () => {
      const { id } = await store().accounts.ensureOrganization({ slug: 'default', name: 'default' });
      const [run, good, poor] = [unique('run'), unique('good'), unique('poor')];
      const save = (sample: number, model: string, statuses: readonly PredictionStatus[]) =>
        store().tenant(id, async ({ evaluationRuns, evaluationOutcomes }) => {
          const saved = evaluationRun({ run_id: `${run}.${sample}`, model, timestamp: `2026-11-0${sample}T00:00:00Z` });
          await evaluationRuns.save(saved);
          const outcomes = statuses.map((status, task) =>
            evaluationOutcome({
              instance_id: `task-${task}`,
              status,
              controlled: false,
              language: task === 0 ? 'Go' : 'Zig',
              difficulty: task === 0 ? '<15 min fix' : '>4 hours',
              committed_at: `2026-0${task + 1}-01T00:00:00Z`,
              usage: task === 0 ? { input_tokens: 10, output_tokens: null, cost_usd: 0.5 } : null,
            }),
          );
          await evaluationOutcomes.save(saved, outcomes);
        });
      await save(1, good, ['resolved', 'resolved']);
      await save(2, good, ['resolved', 'suspicious']);
      await save(1, poor, ['unresolved', 'timeout']);
      const ask = (filter: OutcomeFilter) =>
        store().tenant(id, async ({ evaluationOutcomes }) => {
          const { items, total } = await evaluationOutcomes.models({ ...page, run, ...filter });
          return [total, ...items];
        });
      expect(await ask({})).to.deep.equal([2, good, poor]);
      expect(await ask({ run: `${run}.2` })).to.deep.equal([1, good]);
      expect(await ask({ run: run.slice(0, -1) })).to.deep.equal([0]);
      expect(await ask({ models: [poor] })).to.deep.equal([1, poor]);
      expect(await ask({ evaluatedFrom: '2026-11-02T00:00:00Z' })).to.deep.equal([1, good]);
      expect(await ask({ evaluatedTo: '2026-10-31T00:00:00Z' })).to.deep.equal([0]);
      const scores = (filter: OutcomeFilter) =>
        store().tenant(id, ({ evaluationOutcomes }) =>
          evaluationOutcomes.scores({ run, ...filter, models: [good, poor] }),
        );
      const [first, second, ...rest] = await scores({});
      expect(rest).to.have.length(2);
      expect({ ...first, committed_at: new Date(first?.committed_at ?? '').toISOString() }).to.deep.equal({
        model: good,
        instance_id: 'task-0',
        committed_at: '2026-01-01T00:00:00.000Z',
        runs: [`${run}.1`, `${run}.2`],
        attempts: 2,
        resolved: 2,
        suspicious: 0,
        uncontrolled: 2,
        input_tokens: 20,
        output_tokens: null,
        cost_usd: 1,
      });
      expect(second).to.include({ resolved: 1, suspicious: 1, uncontrolled: 1, input_tokens: null });
      const tasks = async (filter: OutcomeFilter) => (await scores(filter)).map(({ instance_id: task }) => task);
      expect(await tasks({ language: 'Go' })).to.deep.equal(['task-0', 'task-0']);
      expect(await tasks({ difficulty: '>4 hours' })).to.deep.equal(['task-1', 'task-1']);
      expect(await tasks({ committedFrom: '2026-02-01T00:00:00Z' })).to.deep.equal(['task-1', 'task-1']);
      expect(await tasks({ committedTo: '2026-01-31T00:00:00Z' })).to.deep.equal(['task-0', 'task-0']);
    });
  });
}

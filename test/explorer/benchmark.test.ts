import { expect } from 'chai';
import { createTwoFilesPatch } from 'diff';
import { describeExplorer, expectAccessible, keepScreenshot, layoutShift, looks } from '../support/explorer.ts';
import { shareWithAll } from '../support/share-with-all.ts';
import {
  evaluationAttempt,
  evaluationOutcome,
  evaluationRun,
  saveEvaluationRuns,
  mintRun,
  taskInstance,
} from '../support/task-instances.ts';

describeExplorer('explorer: benchmark', 1, (explorer) => {
  const repo = 'acme/shop';
  const task = taskInstance({ instance_id: 'acme__shop-17', repo });

  const attemptPlace = '#/attempt?run=run-1&model=acme%2Fcoder-1&task=acme__shop-101';
  const failing = 'test/price.test.js > price of an empty basket is 0';
  const diffOf = (path: string, from: string, to: string) =>
    `diff --git a/${path} b/${path}\n${createTwoFilesPatch(`a/${path}`, `b/${path}`, from, to).replace(/^=.*\n/, '')}`;
  const lines = (change: (line: number) => string) => Array.from({ length: 40 }, (_, line) => change(line)).join('');
  const base = lines((line) => `export const price${line} = (items) => items.length * ${line};\n`);
  const fixed = taskInstance({
    instance_id: 'acme__shop-101',
    repo,
    language: 'Go',
    patch:
      diffOf(
        'src/price.js',
        base,
        lines((line) =>
          line === 3 ? 'export const price3 = () => 0; // fixed\n' : (base.split(/(?<=\n)/)[line] ?? ''),
        ),
      ) + diffOf('docs/price.md', '', '# Prices\n'),
  });
  const attempt = evaluationAttempt({
    instance_id: 'acme__shop-101',
    patch: {
      text:
        diffOf(
          'src/price.js',
          base,
          lines((line) =>
            line === 3
              ? 'if (true) {}\nexport const price3 = () => NaN; // guessed\n'
              : line === 30
                ? ''
                : (base.split(/(?<=\n)/)[line] ?? ''),
          ),
        ) + diffOf('src/basket.js', 'old\n', 'new\n'),
      cut: null,
    },
    tests: {
      fail_to_pass: { passed: { total: 0, names: [] }, failed: { total: 1, names: [failing] } },
      pass_to_pass: {
        passed: { total: 2, names: ['test/price.test.js > price adds', 'test/price.test.js > price counts'] },
        failed: { total: 0, names: [] },
      },
    },
    log: {
      text: `${Array.from({ length: 80 }, (_, n) => `\u001b[32m  ok\u001b[0m ${n}\n`).join('')}  1) price of an empty basket is 0\n     Error: NaN\n[FAILED] ${failing}\n`,
      cut: { bytes: 12_345, after_line: 40 },
    },
    trajectory: { text: '[{"step":1,"command":"npm test"}]', cut: null },
  });

  it('says that there is nothing, and what makes something', async () => {
    const page = await explorer().open('#/benchmark');
    await page.getByText('There are no tasks yet').waitFor();
    await page.getByRole('link', { name: 'How they were found' }).click();
    await page.getByText('No repository was searched yet').waitFor();
    await page.getByRole('link', { name: 'Evaluation runs' }).click();
    await page.getByText('No model was evaluated yet').waitFor();
  });

  describe('with tasks and runs', () => {
    before(async () => {
      const { relational } = explorer().service.stores;
      const others = Array.from({ length: 27 }, (_, n) =>
        taskInstance({ instance_id: `acme__shop-${100 + n}`, repo, language: n < 2 ? 'Go' : 'JavaScript' }),
      );
      await shareWithAll(explorer().service.stores, [repo]);
      const { id } = await relational.accounts.ensureOrganization({ slug: 'explorer', name: 'explorer' });
      await relational.taskInstances.save([task, ...others]);
      await relational.mintRuns.save(
        mintRun({ repo, commits: 240, minted: 28, rejected: { no_tests: 180, bot: 20, flaky: 12 } }),
      );
      for (const [model, solved] of [
        ['acme/coder-1', [1, 2]],
        ['acme/coder-2', [0, 3]],
      ] as const)
        for (const [n, count] of solved.entries())
          await saveEvaluationRuns(relational, id, [
            evaluationRun({
              run_id: `run-${n}`,
              model,
              timestamp: `2026-11-${10 + n}T00:00:00Z`,
              evaluated: 4,
              solved: count,
              solve_rate: count / 4,
              counts: { ...evaluationRun().counts, resolved: count, unresolved: 4 - count },
            }),
          ]);
    });

    before(async () => {
      const { service } = explorer();
      const { relational } = service.stores;
      const { id } = await relational.accounts.ensureOrganization({ slug: 'explorer', name: 'explorer' });
      const instances = Array.from({ length: 4 }, (_, n) => `acme__shop-${100 + n}`);
      await relational.tenant(id, async ({ evaluationOutcomes, evaluationAttempts }) => {
        for (const [model, solved] of [
          ['acme/coder-1', 1],
          ['acme/coder-2', 4],
        ] as const)
          await evaluationOutcomes.save(
            evaluationRun({ run_id: 'run-1', model }),
            instances.map((instance_id, n) =>
              evaluationOutcome({ instance_id, status: n < solved ? 'resolved' : 'unresolved' }),
            ),
          );
        await evaluationAttempts.save(evaluationRun({ run_id: 'run-1', model: 'acme/coder-1' }), attempt);
      });
      await relational.taskInstances.save([fixed]);
    });

    it('lists tasks in pages, narrowed by what the address says', async () => {
      const page = await explorer().open('#/benchmark');
      await page.getByText('28 tasks', { exact: true }).waitFor();
      expect(await page.locator('tbody tr').count()).equals(25);
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByText('Page 2 of 2').waitFor();
      await page.getByLabel('Language').selectOption('Go (2)');
      await page.getByText('2 tasks', { exact: true }).waitFor();
      expect(page.url()).contains('language=Go').and.not.contains('page=');
      expect(await page.getByLabel('Language').locator('option').allTextContents()).deep.equals([
        'All',
        'JavaScript (26)',
        'Go (2)',
      ]);
    });

    it('shows a task as its solver sees it, and the solution only when it is asked for', async () => {
      const page = await explorer().open(`#/task?id=${task.instance_id}`);
      await page.getByText(task.problem_statement.split('\n', 1)[0] ?? '').waitFor();
      const [secret = ''] = task.verifying_tests.fail_to_pass;
      expect(await page.content()).not.contains(secret);
      await page.getByRole('link', { name: 'With the solution' }).click();
      await page.getByText(secret).waitFor();
      expect(page.url()).contains('view=full');
      const patch = page.getByRole('region', { name: 'The patch that solves it' });
      expect((await patch.textContent())?.trim()).equals(task.patch.trim());
      await page.goto(page.url().replace(/#.*/, '#/task?id=acme__nothing-1'));
      await page.getByText('There is no such task').waitFor();
    });

    it('shows how the tasks were found: no commit is lost on the way, and each stage says why', async () => {
      const page = await explorer().open('#/benchmark?part=funnel');
      await page.getByRole('link', { name: repo }).waitFor();
      expect(await page.locator('.funnel ol > li > .end').allTextContents()).deep.equals([
        '240',
        '40',
        '40',
        '40',
        '28',
      ]);
      await page.getByText('200 do not').click();
      await page.getByText('180: changes no test').waitFor();
    });

    it('shows what each model reached over time, the best last run first', async () => {
      const page = await explorer().open('#/benchmark?part=runs');
      const models = page.locator('.small-multiples li');
      await models.first().waitFor();
      expect(await models.getByRole('img').evaluateAll((charts) => charts.map((chart) => chart.ariaLabel))).deep.equals(
        [
          'acme/coder-2: 0% on Nov 10, 2026, 75% on Nov 11, 2026',
          'acme/coder-1: 25% on Nov 10, 2026, 50% on Nov 11, 2026',
        ],
      );
      expect(await page.locator('tbody tr').count()).equals(4);
    });

    it('leads from a run to what became of each of its tasks, and narrows them', async () => {
      const { open, service, key } = explorer();
      const page = await open('#/benchmark?part=runs');
      const run = page
        .getByRole('table', { name: /^Evaluation runs/ })
        .locator('tbody tr')
        .first();
      const model = (await run.locator('th').innerText()).trim();
      const id = (await run.locator('code').innerText()).trim();
      await run.getByRole('link').click();
      const { json } = await service.send(
        `/api/benchmark/eval-results/${id}/outcomes?model=${encodeURIComponent(model)}&page_size=50`,
        { headers: { authorization: `Bearer ${key}` } },
      );
      const items = json['items'] as { instance_id: string; status: string; logs: string }[];
      expect(items.length).above(0);
      const rows = page.getByRole('table', { name: `Outcomes of run ${id}` }).locator('tbody tr');
      await rows.first().waitFor();
      expect(await rows.locator('th').allInnerTexts()).deep.equals(items.map((each) => each.instance_id));
      for (const [index, { logs }] of items.entries()) expect(await rows.nth(index).innerText()).contains(logs);
      await page.getByRole('combobox', { name: 'Outcome' }).selectOption('timed out');
      const slow = items.filter(({ status }) => status === 'timeout');
      if (slow.length === 0) await page.getByText('No outcome is like that').waitFor();
      else expect(await rows.count()).equals(slow.length);
      await expectAccessible(page);
    });

    it('leads from a run to an attempt: its tests, its diff beside the fix, and where its log tells of a failure', async () => {
      const page = await explorer().open('#/benchmark?part=outcomes&run=run-1&model=acme%2Fcoder-1');
      await page.getByRole('link', { name: 'acme__shop-101' }).click();
      await page.getByText('0 of 1 passed').waitFor();
      await page.getByText('1 file changed by both, 1 by the attempt alone, 1 by the fix alone').waitFor();
      expect(await page.locator('.diff-file summary').allInnerTexts()).deep.equals([
        'src/price.js changed by both',
        'src/basket.js by the attempt alone',
        'docs/price.md by the fix alone',
      ]);
      const [ours, theirs] = ['Attempt', 'Fix'].map((side) =>
        page.getByRole('region', { name: `${side}: src/price.js` }),
      );
      // What each line of the base becomes stands at one height.
      const heightOf = async (pane: typeof ours, line: number) =>
        Math.round((await pane?.locator(`[data-line="${line}"]`).boundingBox())?.y ?? -1);
      for (const line of [1, 4, 5, 8, 31, 34]) {
        expect(await heightOf(ours, line), String(line)).above(0);
        expect(await heightOf(ours, line), String(line)).equals(await heightOf(theirs, line));
      }
      expect(await theirs?.locator('[data-kind=added]').innerText()).contains('// fixed');
      // Whoever has keys alone comes to the line of the failure, too.
      await page.getByRole('link', { name: failing }).click();
      const current = page.locator('.log .current');
      expect(await current.innerText()).contains('1) price of an empty basket is 0');
      expect((await current.boundingBox())?.y).within(0, 800);
      await page.getByText('1 of 2 lines').waitFor();
      await page.getByRole('searchbox', { name: 'Find in the log' }).press('Enter');
      await page.getByText('2 of 2 lines').waitFor();
      expect(await current.innerText()).contains('[FAILED]');
      await page.getByText('12,345 bytes are left out here').waitFor();
      expect(await page.getByRole('region', { name: 'Log of its tests' }).innerText()).not.contains('[32m');
      await page.getByText('"command": "npm test"').waitFor();
      await page.goto(page.url().replace(/#.*/, '#/attempt?run=run-1&model=acme%2Fcoder-1&task=acme__shop-102'));
      await page.getByText('Its patch and log were not kept').waitFor();
      await page.goto(page.url().replace(/#.*/, '#/attempt?run=run-1&model=acme%2Fcoder-1&task=none'));
      await page.getByText('There is no such attempt').waitFor();
    });

    it('shows an attempt and its fix one under the other on a phone, each by itself', async () => {
      const page = await explorer().open(attemptPlace, { width: 390 });
      const [ours, theirs] = ['Attempt', 'Fix'].map((side) =>
        page.getByRole('region', { name: `${side}: src/price.js` }),
      );
      await ours?.waitFor();
      const [above, below] = await Promise.all([ours?.boundingBox(), theirs?.boundingBox()]);
      expect((above?.y ?? 0) + (above?.height ?? 0)).most(below?.y ?? 0);
      // The attempt alone changes line 31.
      expect(await theirs?.locator('[data-line="31"]').isVisible()).equals(false);
      expect(await ours?.locator('[data-line="31"]').isVisible()).equals(true);
    });

    it('has a leaderboard, as the API says, with how far apart two models are', async () => {
      const { open, service, key } = explorer();
      const page = await open('#/benchmark?part=leaderboard');
      const rows = page.getByRole('table', { name: 'Models by pass@1' }).locator('tbody tr');
      await rows.first().waitFor();
      const { json } = await service.send('/api/benchmark/leaderboard?against=acme/coder-1', {
        headers: { authorization: `Bearer ${key}` },
      });
      const items = json['items'] as { model: string; difference: { value: number; p: number } | null }[];
      expect(items.map(({ model }) => model)).deep.equals(['acme/coder-2', 'acme/coder-1']);
      expect(await rows.locator('th').allTextContents()).deep.equals(['acme/coder-2', 'acme/coder-1']);
      expect(await rows.first().locator('td').first().textContent()).equals('100 %');
      await page.getByRole('combobox', { name: 'Beside' }).selectOption('acme/coder-1');
      await page.getByRole('cell', { name: 'itself' }).waitFor();
      expect(await page.getByRole('columnheader').last().textContent()).equals('Beside acme/coder-1');
      const { value = 0, p = 0 } = items[0]?.difference ?? {};
      const says = (await rows.first().locator('td').last().textContent()) ?? '';
      expect(says.startsWith(`+${100 * value} points`) && says.endsWith(`p = ${p.toFixed(3)}`), says).equals(true);
    });

    for (const look of looks)
      it(`is for everybody, and nothing in it jumps: ${look.theme}${look.width ? ', on a phone' : ''}`, async () => {
        const views = {
          tasks: { place: '#/benchmark', shown: '.statement-start' },
          funnel: { place: '#/benchmark?part=funnel', shown: '.funnel' },
          leaderboard: { place: '#/benchmark?part=leaderboard&against=acme%2Fcoder-1', shown: 'tbody tr' },
          runs: { place: '#/benchmark?part=runs', shown: '.dots' },
          attempt: { place: attemptPlace, shown: '.log' },
          task: { place: `#/task?id=${task.instance_id}&view=full`, shown: '.patch' },
        };
        const page = await explorer().open('#/benchmark', look);
        for (const [name, { place, shown }] of Object.entries(views)) {
          await page.goto(page.url().replace(/#.*/, place));
          await page.locator(shown).first().waitFor();
          await expectAccessible(page);
          expect(await layoutShift(page), name).below(0.05);
          await keepScreenshot(page, `benchmark-${name}-${look.theme}${look.width ? '-phone' : ''}`);
        }
      });
  });
});

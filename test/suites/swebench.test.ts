import { rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { toSwebench } from '../../loaders/task-instances/exchange/swebench.ts';
import { writeTaskRepo } from '../../loaders/task-instances/exchange/task-repo.ts';
import { writeLogs } from '../../loaders/task-instances/write-logs.ts';
import type { ProvenTask } from '../../src/model/task-instance.ts';
import { temporaryFolder } from '../support/git-repository.ts';
import { shopRepository, startOfSum } from '../support/shop-repository.ts';
import { onPython, python } from './python.ts';

interface Graded {
  columns: string[];
  problems: string[];
  same: boolean;
  graded: Record<string, boolean>;
  reports: Record<string, { resolved: boolean; tests_status: Record<string, { failure: string[] }>; log: string }>;
}

describe('the harness of SWE-bench', () => {
  onPython('swebench', () => {
    let folder: string;
    let instance: ProvenTask;
    let graded: Graded;
    before(async () => {
      folder = temporaryFolder();
      using shop = shopRepository();
      ({ instance } = shop);
      const [dataset, taskRepo, checkout] = ['dataset', 'tasks', 'checkout'].map((name) => join(folder, name));
      if (!dataset || !taskRepo || !checkout) throw new Error('There are three.');
      await mkdir(dataset);
      await writeFile(join(dataset, 'test.jsonl'), `${JSON.stringify(toSwebench(instance))}\n`);
      await writeTaskRepo(taskRepo, 'acme/tasks', [instance], null);
      shop.repository.git('clone', '-q', shop.repository.path, checkout);
      shop.repository.git('-C', checkout, 'checkout', '-q', instance.base_commit);
      const starting = (start: string) => instance.patch.replace(startOfSum, `, ${start});`);
      const patches = {
        gold: instance.patch,
        empty: '',
        wrong: starting('1'),
        // It lets the test pass that failed, and one fail that passed.
        harmful: starting("(console.log('[PASSED] price > adds'), Number(items.length > 1))"),
        forged: starting("(console.log('[PASSED] price > of nothing\\n>>>>> End Test Output'), NaN)"),
      };
      const { status, output } = await python(['test/suites/swebench_grade.py', dataset, taskRepo, checkout], {
        input: JSON.stringify({ patches, logs: await ownLogs(join(folder, 'logs'), instance) }),
        env: { HF_HOME: join(folder, 'hf'), HF_HUB_OFFLINE: '1', HF_DATASETS_DISABLE_PROGRESS_BARS: '1' },
      });
      expect(status, output.slice(-3_000)).to.equal(0);
      graded = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Graded;
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('loads the export, and grades the gold patch as resolved and no other, by tests that were really run', () => {
      const resolved = Object.entries(graded.reports).map(([name, report]) => [name, report.resolved]);
      expect(resolved, JSON.stringify(graded.reports['gold'])).to.deep.equal([
        ['gold', true],
        ['empty', false],
        ['wrong', false],
        ['harmful', false],
        ['forged', false],
      ]);
      const { fail_to_pass: failing } = instance.verifying_tests;
      expect(graded.reports['empty']?.tests_status['FAIL_TO_PASS']?.failure).to.deep.equal(failing);
      expect(graded.reports['harmful']?.tests_status['PASS_TO_PASS']?.failure).to.deep.equal(['price > adds']);
    });

    it('grades the logs of our own evaluations as we did', () => {
      expect(graded.graded).to.deep.equal({
        resolved: true,
        'beside failures': true,
        unresolved: false,
        inconsistent: false,
      });
    });

    it('finds nothing wrong with the task repository, and the same task in it', () => {
      expect(graded.problems).to.deep.equal([]);
      expect(graded.same).to.equal(true);
    });

    it('the folder is one that datasets.load_dataset reads', () => {
      expect(graded.columns).to.deep.equal(Object.keys(toSwebench(instance)));
    });
  });
});

/** The logs that an evaluation leaves of a patch that resolves, of one that does not, and of a run that contradicts itself. */
async function ownLogs(folder: string, instance: ProvenTask): Promise<Record<string, string>> {
  const { fail_to_pass: failing, pass_to_pass: passing } = instance.verifying_tests;
  const outcomes = {
    resolved: [true, 0],
    'beside failures': [true, 1],
    unresolved: [false, 1],
    inconsistent: [true, 1],
  } as const;
  const logs: Record<string, string> = {};
  for (const [name, [isSolved, exit_code]] of Object.entries(outcomes)) {
    const FAIL_TO_PASS = isSolved ? { success: failing, failure: [] } : { success: [], failure: failing };
    await writeLogs(join(folder, name), {
      instance,
      model: name,
      patch: 'some',
      infra: null,
      isolation: 'bwrap',
      containment: {
        setup_network: 'proxy',
        allowed_hosts: [],
        limits: { memory_bytes: 2 ** 31, processes: 512, enforced_by: 'watcher' },
      },
      cached: false,
      outcome: {
        status: isSolved && name !== 'inconsistent' ? 'resolved' : 'unresolved',
        patch: 'some',
        dropped_paths: [],
        applied: 'git apply',
        tests_status: { FAIL_TO_PASS, PASS_TO_PASS: { success: passing, failure: [] } },
        inconsistent: name === 'inconsistent',
        retried: [],
        controlled: null,
        problem: null,
        exit_code,
        other_failures: name === 'beside failures' ? ['another'] : [],
        // What tests print is no result.
        log: `[PASSED] ${failing[0]}\n>>>>> End Test Output\n[FAILED] ${passing[0]}`,
      },
    });
    logs[name] = join(folder, name, 'test_output.txt');
  }
  return logs;
}

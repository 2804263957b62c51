import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { evaluateInstance } from '../../../loaders/task-instances/evaluate-instance.ts';
import type { SuiteResult, SuiteRunner, TestStatus } from '../../../loaders/task-instances/suite.ts';
import { checkout } from '../../../loaders/snapshot/checkout.ts';
import { shopRepository } from '../../support/shop-repository.ts';

/** Tests that say what they are told to, of the tree that they are given. */
function toldSuite(
  results: readonly Partial<SuiteResult>[],
  look: (tree: string) => Promise<void> = async () => {},
): SuiteRunner {
  const rest = results.values();
  return {
    isolation: 'none',
    containment: {
      setup_network: 'host',
      allowed_hosts: [],
      limits: { memory_bytes: 1, processes: 1, enforced_by: 'watcher' },
    },
    runtime: () => Promise.resolve({}),
    prepare: () => Promise.resolve({ problem: null, duration_ms: 0, log: '', network: 'host' }),
    async run({ tree }) {
      await look(tree);
      const { value = {} } = rest.next();
      return {
        exit_code: 0,
        timed_out: false,
        out_of_memory: false,
        duration_ms: 1,
        tests: new Map(),
        problem: null,
        log: '',
        log_sha256: '',
        report: '',
        ...value,
      };
    },
  };
}

describe('an evaluation of one patch', () => {
  const shop = shopRepository();
  const { instance } = shop;
  after(() => shop.repository.remove());
  const evaluate = (runner: SuiteRunner, patch: string, options: { retryPassToPass?: boolean } = {}) =>
    evaluateInstance(instance, patch, {
      runner,
      checkout: (folder) =>
        checkout({ gitDir: join(shop.repository.path, '.git'), commit: instance.base_commit, folder }),
      ...options,
    });
  const tests = (adds: TestStatus) =>
    new Map<string, TestStatus>([
      ['price > of nothing', 'passed'],
      ['price > adds', adds],
      ['price > of one', 'passed'],
    ]);

  it('has the tests of the fix in place, whatever the patch did to them, by whichever way it was applied', async () => {
    // What stands before a patch is a message to git, and a patch to others.
    const sneaky = [
      "--- a/test/price.test.js\n+++ b/test/price.test.js\n@@ -1,1 +1,1 @@\n-import assert from 'node:assert';\n+import assert from './assert.js';\n",
      "Index: test/price.test.js\n@@ -1,1 +1,1 @@\n-import assert from 'node:assert';\n+import assert from './assert.js';\n",
      'diff --git a/src/a.js b/src/a.js\nrename from test/price.test.js\nrename to src/a.js\nsimilarity index 100%\n',
      'diff --git a/test/price.test.js b/test/price.test.js\ndeleted file mode 100644\n',
    ];
    const expected = shop.repository.git('show', `${instance.provenance.fix_commit}:test/price.test.js`);
    for (const more of sneaky) {
      let seen = '';
      const look = async (tree: string) => {
        seen = await readFile(join(tree, 'test/price.test.js'), 'utf8');
        await readFile(join(tree, 'src/a.js')).then(
          () => expect.fail('it was moved'),
          () => {},
        );
      };
      const { status } = await evaluate(toldSuite([{ tests: tests('passed') }], look), more + instance.patch);
      expect([more, status, seen]).to.deep.equal([more, 'resolved', expected]);
    }
  });

  it('runs tests again only when it is asked to, and only for those that passed before', async () => {
    const flaky = () => toldSuite([{ tests: tests('failed'), exit_code: 1 }, { tests: tests('passed') }]);
    expect(await evaluate(flaky(), instance.patch)).to.include({ status: 'unresolved' });
    const again = await evaluate(flaky(), instance.patch, { retryPassToPass: true });
    expect(again).to.deep.include({ status: 'resolved', retried: ['price > adds'] });
    const wrong = toldSuite([
      { tests: new Map([['price > adds', 'failed']]), exit_code: 1 },
      { tests: tests('passed') },
    ]);
    expect(await evaluate(wrong, instance.patch, { retryPassToPass: true })).to.include({ status: 'unresolved' });
  });

  it('is suspicious where it lets a test be skipped that passed before and with the fix', async () => {
    const skips = toldSuite([{ tests: new Map(tests('passed')).set('price > of one', 'skipped') }]);
    const found = await evaluate(skips, instance.patch);
    expect(found.status).equals('suspicious');
    expect(found.problem).equals('It lets 1 test be skipped that passed without it, "price > of one" first.');
  });

  it('is an error where the machine failed, and the patch is not to blame', async () => {
    const broken = toldSuite([], () => Promise.reject(new Error('No space left on device')));
    expect(await evaluate(broken, instance.patch)).to.include({ status: 'error', problem: 'No space left on device' });
    const unprepared = {
      ...toldSuite([]),
      prepare: async () => ({ problem: 'npm ci failed', duration_ms: 0, log: '', network: 'proxy' as const }),
    };
    expect(await evaluate(unprepared, instance.patch)).to.include({ status: 'error', problem: 'npm ci failed' });
  });
});

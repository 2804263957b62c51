import { rmSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AttemptAnswer } from '../../src/benchmark/evaluation-attempts.ts';
import type { KeptText } from '../../src/model/evaluation-attempt.ts';
import type { EvaluationOutcome } from '../../src/model/evaluation-outcome.ts';
import type { EvaluationRun } from '../../src/model/evaluation-run.ts';
import type { TaskInstance } from '../../src/model/task-instance.ts';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { itTakesLong } from '../support/effort.ts';
import { temporaryFolder } from '../support/git-repository.ts';
import { needsCommand } from '../support/required.ts';
import { shopRepository, startOfSum } from '../support/shop-repository.ts';

describe('repo-intel benchmark', () => {
  const folder = temporaryFolder();
  const shop = shopRepository();
  const { instance } = shop;
  const source = `acme/shop=${shop.repository.path}`;
  const environment = { DATA_DIR: join(folder, 'data') };
  let service: Running;
  let key: string;

  const benchmark = (...args: string[]) => repoIntel(['benchmark', ...args], environment);
  const evaluate = async (predictions: string, ...args: string[]) => {
    const given = ['--predictions', predictions, '--repository', source, '--json', ...args];
    const { code, stdout, stderr } = await benchmark('evaluate', ...given);
    const runs = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as EvaluationRun]));
    return { code, stderr, runs };
  };
  const write = async (name: string, content: string) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const predictions = (patches: Record<string, string | null>) =>
    write(
      'predictions.jsonl',
      Object.entries(patches)
        .map(([model, model_patch]) => ({ instance_id: instance.instance_id, model_name_or_path: model, model_patch }))
        .map((prediction) => `${JSON.stringify(prediction)}\n`)
        .join(''),
    );
  const logOf = (run: string, model: string, file: string) =>
    readFile(
      join(environment.DATA_DIR, 'benchmark/logs/run_evaluation', run, model, instance.instance_id, file),
      'utf8',
    );

  before(async () => {
    service = await startRepoIntel(['serve'], environment);
    key = keyIn(service.stdout());
    const { code, stderr } = await benchmark('import', await write('tasks.jsonl', JSON.stringify(instance)));
    expect([code, stderr]).to.deep.equal([0, `${join(folder, 'tasks.jsonl')}: 1 new, 0 changed, 0 as before.\n`]);
  });
  after(async () => {
    await service?.stop();
    shop.repository.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const starting = (start: string) => instance.patch.replace(startOfSum, `, ${start});`);
  /** The source with these lines before it. */
  const importing = (...lines: string[]) => {
    const more = lines.map((line) => `+${line}\n`).join('');
    return `--- a/src/price.js\n+++ b/src/price.js\n@@ -1,1 +1,${lines.length + 1} @@\n${more} export function price(items) {\n`;
  };
  const broken =
    '--- a/package.json\n+++ b/package.json\n@@ -1 +1 @@\n-{ "type": "module" }\n+{ "type": "commonjs" }\n';
  const forgedReport = [
    "import { writeFileSync } from 'node:fs';",
    "writeFileSync(`${process.env.OUT}/r.tap`, 'TAP version 13\\n# Subtest: price\\n    ok 1 - adds\\n    ok 2 - of one\\n    ok 3 - of nothing\\n    1..3\\nok 1 - price\\n1..1\\n');",
    "process.kill(process.ppid, 'SIGKILL');",
  ];
  const cases: Record<string, [patch: string | null, status: string, says?: RegExp]> = {
    gold: [instance.patch, 'resolved', /^applied by: git apply$/m],
    'vendor/fuzzy': [
      // No context is right, and no blob is named.
      '--- a/src/price.js\n+++ b/src/price.js\n@@ -1,3 +1,3 @@\n export const price = (items) => {\n-  return items.map(({ cents }) => cents).reduce((a, b) => a + b);\n+  return items.map(({ cents }) => cents).reduce((a, b) => a + b, 0);\n };\n',
      'resolved',
      /^applied by: patch/m,
    ],
    'with the runner': [instance.patch + broken, 'resolved', /^dropped: package.json$/m],
    'with the tests': [
      instance.patch + instance.test_patch.replaceAll('price([]), 0', 'price([]), 5'),
      'resolved',
      /^dropped: test\/price.test.js$/m,
    ],
    wrong: [starting('1'), 'unresolved'],
    harmful: [starting('items.length'), 'unresolved'],
    'tests alone': [instance.test_patch, 'unresolved', /^dropped: test\/price.test.js$/m],
    quits: [importing('process.exit(0);'), 'unresolved'],
    forges: [importing(...forgedReport), 'unresolved', /contradicts/],
    hangs: [importing('await new Promise(() => setInterval(() => {}, 1000));'), 'timeout'],
    null: [null, 'empty_patch'],
    blank: [' \n', 'empty_patch'],
    words: ['I have fixed it.', 'patch_failed', /no patch in it/],
    stale: [instance.patch.replaceAll('cents', 'euros'), 'patch_failed', /does not apply/],
    outside: [instance.patch.replaceAll('src/price.js', '../price.js'), 'patch_failed', /no path in the tree/],
    link: [
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n',
      'patch_failed',
      /symbolic link/,
    ],
  };

  it('evaluate: says of each patch what becomes of it, whatever it tries', async function () {
    needsCommand(this, 'patch');
    const file = await predictions(Object.fromEntries(Object.entries(cases).map(([model, [patch]]) => [model, patch])));
    const { code, stderr, runs } = await evaluate(file, '--run-id', 'all', '--timeout', '20', '--workers', '3');
    expect(code, stderr).to.equal(0);
    expect(runs.map(({ model }) => model)).to.deep.equal(Object.keys(cases));
    for (const { model, counts, ...run } of runs) {
      const [, status = '', says] = cases[model] ?? [];
      const log = await logOf('all', model.replace('/', '__'), 'run_instance.log');
      expect(counts, `${model}:\n${log}`).to.include({ [status]: 1 });
      expect(log).to.match(/^isolation: (bwrap|unshare)$/m);
      if (says) expect(log, model).to.match(says);
      const solved = Number(status === 'resolved');
      expect(run).to.include({
        dataset: 'internal',
        evaluated: 1,
        solved,
        solve_rate: solved,
        total: 1,
        run_id: 'all',
      });
    }

    const { body } = await get<{ items: EvaluationRun[]; total: number }>(
      service.address,
      '/api/benchmark/eval-results',
      key,
    );
    expect(body.items).to.have.deep.members(runs);
    const outcomes = await get<{ items: (EvaluationOutcome & { model: string })[] }>(
      service.address,
      '/api/benchmark/eval-results/all/outcomes?page_size=100',
      key,
    );
    expect(outcomes.body.items.map(({ model, status }) => [model, status])).to.have.deep.members(
      Object.entries(cases).map(([model, [, status]]) => [model, status]),
    );
    const told = outcomes.body.items.find(({ model }) => model === 'outside');
    expect(told).to.include({ repo: instance.repo, language: instance.language, committed_at: instance.created_at });
    expect(told?.problem).to.match(/no path in the tree/);
    expect(
      await readFile(join(environment.DATA_DIR, 'benchmark', told?.logs ?? '', 'run_instance.log'), 'utf8'),
    ).to.match(/result: patch_failed/);

    const attemptOf = async (model: string) =>
      (
        await get<AttemptAnswer>(
          service.address,
          `/api/benchmark/eval-results/all/outcomes/${instance.instance_id}?model=${model}`,
          key,
        )
      ).body;
    const wrong = await attemptOf('wrong');
    expect(wrong).to.include({ status: 'unresolved', is_kept: true, has_log: true, has_trajectory: false });
    expect(wrong.patch).to.deep.equal({ text: starting('1'), cut: null });
    expect(wrong.tests?.fail_to_pass).to.deep.equal({
      passed: { total: 0, names: [] },
      failed: { total: 1, names: ['price > of nothing'] },
    });
    const printed = await get<KeptText>(
      service.address,
      `/api/benchmark/eval-results/all/outcomes/${instance.instance_id}/log?model=wrong`,
      key,
    );
    expect(printed.body).to.deep.equal({ text: await logOf('all', 'wrong', 'test_output.txt'), cut: null });
    expect(await attemptOf('outside')).to.include({
      status: 'patch_failed',
      tests: null,
      is_kept: true,
      has_log: false,
    });

    // SWE-bench's own names, for whatever reads them.
    const report = await readFile(join(environment.DATA_DIR, 'benchmark/vendor__fuzzy.all.json'), 'utf8');
    expect(JSON.parse(report)).to.deep.include({
      resolved_ids: [instance.instance_id],
      schema_version: 2,
      error_ids: [],
    });
    const own = JSON.parse(await logOf('all', 'wrong', 'report.json')) as Record<string, object>;
    expect(own[instance.instance_id]).to.deep.include({ patch_successfully_applied: true, resolved: false });
    expect(await logOf('all', 'wrong', 'patch.diff')).to.equal(starting('1'));
    expect(await logOf('all', 'wrong', 'test_output.txt')).to.match(/^\[FAILED\] price > of nothing$/m);
    expect(await logOf('all', 'wrong', 'eval.sh')).to.contain('Start Test Output');
  });

  itTakesLong(
    'evaluate --resume: takes what is known of the same patch, in whichever run, and of no other',
    async () => {
      const again = async (patch: string, run: string) => {
        const { runs } = await evaluate(
          await predictions({ [run]: patch }),
          '--resume',
          '--timeout',
          '20',
          '--run-id',
          run,
        );
        return [runs[0]?.solved, /known from an earlier/.test(await logOf(run, run, 'run_instance.log'))];
      };
      await again(instance.patch, 'first');
      expect(await again(instance.patch, 'same')).to.deep.equal([1, true]);
      expect(await again(`${instance.patch}\n`, 'other')).to.deep.equal([1, false]);
    },
  );

  it('evaluate: the gold patches solve their tasks, twice in a row, and no patch does not', async () => {
    for (const [source, solved] of [
      ['gold', 1],
      ['gold', 1],
      ['empty', 0],
    ] as const) {
      const { runs } = await evaluate(source);
      expect(runs.map((run) => [run.model, run.solved, run.infra_suspected])).to.deep.equal([[source, solved, 0]]);
      const log = await logOf(runs[0]?.run_id ?? '', source, 'test_output.txt');
      expect(log).to.match(solved === 1 ? /^\[PASSED\] price > of nothing$/m : /^\[FAILED\] price > of nothing$/m);
    }
  });

  it('evaluate: refuses what is not in the dataset, and tasks of a repository that nobody knows, and names them', async () => {
    const line = (id: string) => `${JSON.stringify({ instance_id: id, model_name_or_path: 'm', model_patch: '' })}\n`;
    const bad = await write('bad.jsonl', line('acme__none-1') + line('acme__shop-17') + line('acme__none-2'));
    const [unknown, chosen] = [await evaluate(bad), await evaluate('gold', '--instance-ids', 'acme__shop-99')];
    expect([unknown.code, unknown.stderr]).to.deep.equal([
      2,
      'repo-intel: Not in the dataset: acme__none-1, acme__none-2.\n',
    ]);
    expect([chosen.code, chosen.stderr]).to.deep.equal([2, 'repo-intel: Not in the dataset: acme__shop-99.\n']);
    const { code, stderr } = await benchmark('evaluate', '--predictions', 'gold');
    expect([code, stderr.includes('--repository acme/shop=PATH')]).to.deep.equal([1, true]);
  });

  describe('rows of a public dataset', () => {
    /** The shop's task as SWE-bench has tasks, by an id of its own. */
    const row = (changes: object = {}) => {
      const { repo, base_commit, patch, test_patch, problem_statement, verifying_tests: tests } = instance;
      return {
        repo,
        base_commit,
        patch,
        test_patch,
        problem_statement,
        hints_text: '',
        version: '1.0',
        instance_id: 'acme__shop-90',
        created_at: '2026-10-02T09:30:00Z',
        FAIL_TO_PASS: JSON.stringify(tests.fail_to_pass),
        PASS_TO_PASS: JSON.stringify([...tests.pass_to_pass, 'price > of what is not here']),
        ...changes,
      };
    };
    const given = ['--repository', source];
    const command = ['--test-cmd', instance.environment.test_cmd, '--report', 'tap:$OUT/r.tap'];

    it('are kept as not validated, and not evaluated before they are', async () => {
      const file = await write('rows.jsonl', JSON.stringify(row()));
      const imported = await benchmark('import', file);
      expect(imported.stderr).to.include('1 new').and.include('1 of them are not validated');
      const { body } = await get<TaskInstance>(service.address, '/api/benchmark/tasks/acme__shop-90', key);
      expect([body.environment, body.validation.status]).to.deep.equal([null, 'not_validated']);
      const named = await evaluate('gold', '--instance-ids', 'acme__shop-90');
      expect([named.code, named.stderr]).to.deep.equal([
        2,
        'repo-intel: 1 of 1 tasks are not validated: repo-intel benchmark validate proves them.\n',
      ]);
      const others = await evaluate('gold', '--run-id', 'others');
      expect(others.stderr).to.include('Left out: 1 of 2 tasks are not validated');
      expect(others.runs.map(({ evaluated, solved }) => [evaluated, solved])).to.deep.equal([[1, 1]]);
      const exported = await benchmark('export', '--format', 'swebench');
      expect(exported.stdout.trim().split('\n')).to.have.length(1);
    });

    it('validate: proves them by the gold patch and by none, and then they are evaluated', async () => {
      const { code, stderr } = await benchmark('validate', ...given, ...command);
      expect([code, stderr.includes('1 that do not pass here are set apart')], stderr).to.deep.equal([0, true]);
      const { body } = await get<TaskInstance>(service.address, '/api/benchmark/tasks/acme__shop-90', key);
      expect(body.validation).to.deep.include({
        status: 'valid',
        scope: ['test/price.test.js'],
        quarantined_tests: ['price > of what is not here'],
        controls: { empty_patch: 'unresolved', gold_patch: 'resolved', test_only_patch: null },
      });
      expect(body.verifying_tests).to.deep.equal({ ...instance.verifying_tests, framework: 'tap' });
      for (const [patch, solved] of [
        ['gold', 1],
        ['empty', 0],
      ] as const) {
        const { runs } = await evaluate(patch, '--instance-ids', 'acme__shop-90', '--run-id', `row-${patch}`);
        expect(runs.map((run) => [run.evaluated, run.solved])).to.deep.equal([[1, solved]]);
      }
      expect((await benchmark('validate', ...given)).stderr).to.include('All tasks are validated.');
    });

    it('validate: says why one can’t be proven', async function () {
      needsCommand(this, 'patch');
      const { fail_to_pass: failing, pass_to_pass: passing } = instance.verifying_tests;
      const cases: Record<string, [changes: object, says: RegExp]> = {
        'wrong fix': [{ patch: starting('1') }, /1 failing \("price > of nothing" first\)/],
        'other names': [{ FAIL_TO_PASS: ['price > of all'] }, /1 not reported \("price > of all" first\)/],
        'nothing to fix': [{ FAIL_TO_PASS: passing }, /2 passing without it/],
        'no patch': [{ patch: starting('1').replaceAll('cents', 'euros') }, /could not be run: [^]*does not apply/],
      };
      const rows = Object.values(cases).map(([changes], index) =>
        JSON.stringify(row({ instance_id: `acme__shop-${91 + index}`, ...changes })),
      );
      const [dataset, output] = [await write('bad-rows.jsonl', rows.join('\n')), join(folder, 'validated.jsonl')];
      const { code, stderr } = await benchmark('validate', '--dataset', dataset, ...given, ...command, '-o', output);
      expect(code, stderr).to.equal(2);
      const written = (await readFile(output, 'utf8')).trim().split('\n');
      const tasks = written.map((line) => JSON.parse(line) as TaskInstance);
      for (const [index, [name, [, says]]] of Object.entries(cases).entries())
        expect(tasks[index]?.validation.problem, name).to.match(says);
      const unknown = await benchmark('validate', '--dataset', dataset, ...given, '--instance-ids', 'acme__shop-91');
      expect(unknown.stderr, failing.join()).to.include('How its tests are run is not known');
    });
  });

  it('export: what import makes of it is the same task', async () => {
    for (const [format, name] of [
      ['swebench', 'test.jsonl'],
      ['sweb-task-repo', 'repo'],
    ] as const) {
      const output = join(folder, name);
      const { code } = await benchmark('export', '--format', format, '-o', output, '--repository', source);
      expect(code).to.equal(0);
      const { stderr } = await benchmark('import', output);
      expect(stderr).to.contain('0 new, 0 changed, 1 as before');
    }
    const { body } = await get<TaskInstance>(service.address, `/api/benchmark/tasks/${instance.instance_id}`, key);
    expect(body).to.deep.equal(instance);
  });

  it('export: folders of tasks need nothing but themselves to build their images', async () => {
    const output = join(folder, 'harbor');
    const refused = await benchmark('export', '--format', 'harbor', '-o', output);
    expect([refused.code, refused.stderr.includes('--repository acme/shop=PATH')]).to.deep.equal([1, true]);
    expect((await benchmark('export', '--format', 'harbor', '-o', output, '--repository', source)).code).to.equal(0);
    for (const environment of [
      join(output, instance.instance_id, 'environment'),
      join(folder, 'repo/tasks', instance.instance_id),
    ]) {
      expect(await readFile(join(environment, 'Dockerfile'), 'utf8'))
        .to.include('ADD base.tar.gz')
        .and.not.include('ARG');
      expect(await readdir(environment)).to.include('base.tar.gz');
    }
  });
});

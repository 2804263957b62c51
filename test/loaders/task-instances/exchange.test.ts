import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { extract } from 'tar';
import { checkout } from '../../../loaders/snapshot/checkout.ts';
import { readTaskInstances } from '../../../loaders/task-instances/exchange/read-task-instances.ts';
import { parquetOf } from '../../../loaders/task-instances/exchange/parquet.ts';
import { fromSwebench, toSwebench } from '../../../loaders/task-instances/exchange/swebench.ts';
import { writeTaskFolders } from '../../../loaders/task-instances/exchange/task-folders.ts';
import { writeTaskRepo } from '../../../loaders/task-instances/exchange/task-repo.ts';
import { reportedTests } from '../../../loaders/task-instances/reported-tests.ts';
import { openSandbox } from '../../../loaders/task-instances/sandbox/open-sandbox.ts';
import { SandboxError, type Sandbox } from '../../../loaders/task-instances/sandbox/sandbox.ts';
import { difficultySchema } from '../../../src/model/task-instance.ts';
import type { ProvenTask, TaskInstance } from '../../../src/model/task-instance.ts';
import { temporaryFolder } from '../../support/git-repository.ts';
import { shopRepository, startOfSum } from '../../support/shop-repository.ts';
import { taskInstance } from '../../support/task-instances.ts';

/** Any instance that its schema allows, as far as forms may stumble over it. */
function anyInstance(): fc.Arbitrary<ProvenTask> {
  // Files and JSON lines hold Unicode, which has no halves of characters.
  const words = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
  const some = fc.oneof(
    words,
    fc.constantFrom(
      '2026-11-21',
      '1.10',
      'no',
      'null',
      '~',
      '0x1f',
      '12:30',
      ' a\r\n',
      'EOF_114329324912\n',
      '>>>>> End Test Output\n',
    ),
  );
  const text = some.filter((each) => each !== '');
  const list = fc.array(some, { maxLength: 3 });
  const blank = taskInstance();
  return fc
    .record({
      problem_statement: text,
      hints_text: some,
      patch: text,
      test_patch: text,
      version: some,
      repo: some,
      language: some,
      difficulty: fc.constantFrom(...difficultySchema.options),
      base_commit: fc.constantFrom('1234567890'.repeat(4), `1e${'5'.repeat(38)}`, '0'.repeat(40)),
      created_at: fc.constantFrom('2026-11-21T10:00:00Z', '2026-11-21T10:00:00.123Z'),
      fail_to_pass: list.filter(({ length }) => length > 0),
      pass_to_pass: list,
      env: fc.dictionary(fc.constantFrom('A', 'B', 'PATH'), some),
      scope: fc.option(list),
      image: fc.option(some),
      number: fc.option(fc.nat()),
    })
    .map(({ fail_to_pass, pass_to_pass, env, scope, image, number, ...fields }) => ({
      ...blank,
      ...fields,
      verifying_tests: { ...blank.verifying_tests, fail_to_pass, pass_to_pass },
      environment: { ...blank.environment, env, image },
      validation: { ...blank.validation, scope },
      provenance: { ...blank.provenance, pr_number: number },
    }));
}

describe('exchange of task instances', () => {
  let folder: string;
  before(() => {
    folder = temporaryFolder();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('a row of SWE-bench’s form, written as JSON, gives back any instance as it was', () => {
    fc.assert(
      fc.property(anyInstance(), (instance) => {
        const row = JSON.parse(JSON.stringify(toSwebench(instance))) as ReturnType<typeof toSwebench>;
        expect(fromSwebench(row)).to.deep.equal(instance);
        // A column has one type, whatever is in it.
        expect(new Set(Object.values(row).map((value) => typeof value))).to.deep.equal(new Set(['string']));
      }),
      { numRuns: 100 },
    );
  });

  it('a Parquet file has the same rows', async () => {
    const rows = fc.sample(anyInstance(), 20).map(toSwebench);
    const file = parquetOf(rows);
    const { buffer, byteOffset, byteLength } = file;
    const read = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer });
    expect(read).to.deep.equal(rows);
  });

  it('a task repository gives back any instances as they were', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyInstance(), { minLength: 1, maxLength: 3 }), async (made) => {
        const instances = made.map((instance, index) => ({ ...instance, instance_id: `acme__shop-${index}` }));
        const path = join(folder, `repo-${(round += 1)}`);
        await writeTaskRepo(path, 'acme/tasks', instances, null);
        expect(await readTaskInstances(path)).to.deep.equal(instances);
      }),
      { numRuns: 40 },
    );
  });

  it('reads what mint and export write, and says in which line what is none', async () => {
    const instance = taskInstance();
    const file = join(folder, 'tasks.jsonl');
    const read = async (...lines: unknown[]) => {
      await mkdir(folder, { recursive: true });
      await writeFile(
        file,
        lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
      );
      return readTaskInstances(file).catch((error: unknown) => String(error));
    };
    const other = taskInstance({ instance_id: 'acme__shop-18' });
    expect(await read(instance, '', toSwebench(other))).to.deep.equal([instance, other]);
    expect(await read(instance, toSwebench(instance))).to.include('acme__shop-17 more than once');
    expect(await read(instance, '{')).to.include('line 2');
    expect(await read({ ...instance, patch: '' })).to.match(/line 1: .*[^]*patch/);
    expect(await readTaskInstances(join(folder, 'nothing')).catch(String)).to.include('There is no');
  });
});

describe('rows of public datasets', () => {
  let folder: string;
  before(() => {
    folder = temporaryFolder();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** As SWE-bench has them, with its own names of tests. */
  const row = {
    repo: 'acme/shop',
    instance_id: 'acme__shop-17',
    base_commit: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
    patch:
      'diff --git a/src/price.py b/src/price.py\n--- a/src/price.py\n+++ b/src/price.py\n@@ -1 +1 @@\n-def price(items): return reduce(add, items)\n+def price(items): return sum(items)\n',
    test_patch:
      'diff --git a/tests/test_price.py b/tests/test_price.py\n--- a/tests/test_price.py\n+++ b/tests/test_price.py\n@@ -1 +1,2 @@\n # Tests\n+def test_of_nothing(): assert price([]) == 0\n',
    problem_statement: 'An empty basket has no price: an error is thrown where it should be nothing.',
    hints_text: '',
    created_at: '2022-03-03T15:14:54Z',
    version: '4.3',
    FAIL_TO_PASS: '["tests/test_price.py::test_of_nothing"]',
    PASS_TO_PASS: '["tests/test_price.py::test_adds[1 2]"]',
    environment_setup_commit: '298ccb478e6bf092953bca67a3d29dc6c35f6752',
  };
  const reading = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content);
    return readTaskInstances(join(folder, name)).catch((error: unknown) => String(error));
  };

  it('are the same tasks as JSON lines, as a list, and as Parquet in each compression, and nothing says that they can be solved', async () => {
    const lists = { ...row, FAIL_TO_PASS: JSON.parse(row.FAIL_TO_PASS), PASS_TO_PASS: JSON.parse(row.PASS_TO_PASS) };
    const [task] = (await reading('rows.jsonl', `${JSON.stringify(row)}\n`)) as TaskInstance[];
    expect(task).to.deep.include({ repo: 'acme/shop', language: 'Python', environment: null, version: '4.3' });
    expect(task?.verifying_tests).to.deep.include({
      fail_to_pass: ['tests/test_price.py::test_of_nothing'],
      pass_to_pass: ['tests/test_price.py::test_adds[1 2]'],
      test_files: ['tests/test_price.py'],
    });
    expect(task?.validation).to.include({ status: 'not_validated', validated_at: null });
    expect(task?.provenance).to.include({ fix_commit: null, pr_number: 17, origin: 'public' });
    const timeless = (tasks: unknown) =>
      (tasks as TaskInstance[]).map((each) => ({ ...each, provenance: { ...each.provenance, minted_at: '' } }));
    const expected = timeless([task]);
    expect(timeless(await reading('list.json', JSON.stringify([lists], null, 2)))).to.deep.equal(expected);
    const columnData = Object.entries(row).map(([name, value]) => ({ name, data: [value], type: 'STRING' as const }));
    const compressors = {
      ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
      GZIP: (bytes: Uint8Array) => gzipSync(bytes),
    };
    for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD'] as const) {
      const file = Buffer.from(parquetWriteBuffer({ columnData, codec, compressors }));
      expect(timeless(await reading(`${codec}.parquet`, file)), codec).to.deep.equal(expected);
    }
  });

  it('how long it takes is what people said, where they did', async () => {
    const [told] = (await reading('told.jsonl', JSON.stringify({ ...row, difficulty: '1-4 hours' }))) as TaskInstance[];
    expect(told).to.include({ difficulty: '1-4 hours' });
    expect(told?.difficulty_detail.source).to.equal('human');
    const [other] = (await reading('other.jsonl', JSON.stringify({ ...row, difficulty: 'hard' }))) as TaskInstance[];
    expect(other?.difficulty_detail).to.include({ source: 'heuristic-v1', lines_added: 1, lines_removed: 1 });
  });

  it('what is none is refused, with its place and what is wrong with it', async () => {
    const lines = (...changes: object[]) =>
      changes.map((change) => `${JSON.stringify({ ...row, ...change })}\n`).join('');
    const second = { instance_id: 'acme__shop-18' };
    for (const [name, content, says] of [
      ['twice', lines({}, {}), /acme__shop-17 more than once/],
      ['names', lines({}, { ...second, FAIL_TO_PASS: 'test_of_nothing' }), /line 2: .*[^]*neither a list of names/],
      ['no tests', lines({ FAIL_TO_PASS: '[]' }), /line 1: [^]*fail_to_pass/],
      ['no patch', lines({ patch: undefined }), /line 1: [^]*patch/],
      ['no commit', lines({ base_commit: 'main' }), /line 1: [^]*base_commit/],
      ['time', lines({ created_at: 'yesterday' }), /line 1: [^]*no time/],
      ['cut.parquet', Buffer.from('PAR1 and no more'), /no Parquet file that can be read/],
      ['list', '[{]', /list: SyntaxError/],
      ['texts', '["a"]', /texts: /],
    ] as const)
      expect(await reading(name, content), name).to.match(says);
  });

  it('names of pytest and unittest are found among those reported here', () => {
    const reported = [
      't/test_a.py::C::test_x',
      't/test_a.py::test_p[a b]',
      't/test_a.py::test_p[a c]',
      't/test_a.py::test_p[ab]',
    ];
    const found = (name: string) => reportedTests([name], reported).get(name);
    expect(found('t/test_a.py::C::test_x')).to.deep.equal(['t/test_a.py::C::test_x']);
    expect(found('t/test_a.py::test_p[a'), 'cut off at a space').to.deep.equal(reported.slice(1, 3));
    expect(found('test_x (t.test_a.C)')).to.deep.equal(['t/test_a.py::C::test_x']);
    expect(found('test_x (test_a.C.test_x)')).to.deep.equal(['t/test_a.py::C::test_x']);
    expect(found('test_p')).to.have.length(3);
    for (const none of ['test_q', 'test_x (t.test_b.C)', 't/test_a.py::test_p', 't/test_a.py::test_p[b'])
      expect(found(none), none).to.deep.equal([]);
  });
});

describe('tasks as folders of other harnesses', () => {
  let folder: string;
  let sandbox: Sandbox;
  before(async function () {
    folder = temporaryFolder();
    try {
      sandbox = await openSandbox({});
    } catch (error) {
      if (process.env['REQUIRE_ENGINES'] || !(error instanceof SandboxError)) throw error;
      this.skip();
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [layout, environment, solution] of [
    ['harbor', 'environment', 'solution/solve.sh'],
    ['terminal-bench', '.', 'solution.sh'],
  ] as const)
    it(`${layout}: its own script rewards the fix, and neither nothing nor another change; an agent sees neither`, async () => {
      using shop = shopRepository();
      const { instance, repository } = shop;
      const to = join(folder, layout);
      await writeTaskFolders(to, layout, [instance], ({ base_commit: commit }, into) =>
        checkout({ gitDir: join(repository.path, '.git'), commit, folder: into }),
      );
      const task = join(to, instance.instance_id);
      const tree = join(folder, `${layout}-tree`);
      await mkdir(tree);
      await extract({ file: join(task, environment, 'base.tar.gz'), cwd: tree });
      // What an agent sees: the tree, and the instruction.
      const agentSees = await promisify(execFile)('git', ['-C', tree, 'log', '--all', '--patch']);
      expect(agentSees.stdout).to.include('price(items)').and.not.include(startOfSum);
      await cp(task, join(tree, 'task'), { recursive: true });
      const rewardOf = async (agent: string) => {
        const command = `${agent}; export VERIFIER_LOGS=$OUT; bash task/tests/test.sh`;
        const { reports, log } = await sandbox.run({ command, tree, timeoutMs: 60_000 });
        const said = /SWEBench results starts here\n(.*)\nSWEBench results ends here/.exec(log)?.[1];
        return [String(reports.get('out/reward.txt')).trim(), said];
      };
      expect(await rewardOf(`bash task/${solution}`)).to.deep.equal(['1', 'PASSED']);
      expect(await rewardOf('true')).to.deep.equal(['0', 'FAILED']);
      expect(await rewardOf(`sed -i 's/a + b);/a + b, 1);/' src/price.js`)).to.deep.equal(['0', 'FAILED']);
      // Whatever it did to the tests.
      expect(await rewardOf(`bash task/${solution}; rm test/price.test.js`)).to.deep.equal(['1', 'PASSED']);
    });
});

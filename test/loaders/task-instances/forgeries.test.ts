import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkout } from '../../../loaders/snapshot/checkout.ts';
import { evaluate } from '../../../loaders/task-instances/evaluate.ts';
import { SandboxError, type SandboxNetwork } from '../../../loaders/task-instances/sandbox/sandbox.ts';
import { createSuiteRunner, type SuiteRunner } from '../../../loaders/task-instances/suite.ts';
import { effort } from '../../support/effort.ts';
import { cargo } from '../../support/forgeries/cargo.ts';
import { pytestCarried } from '../../support/forgeries/carried.ts';
import {
  pytestAsked,
  pytestFlipped,
  pytestGrown,
  pytestRaising,
  pytestShared,
  pytestTwice,
} from '../../support/forgeries/compared-copies.ts';
import { pytestElsewhere } from '../../support/forgeries/elsewhere.ts';
import { pytestCopied, pytestHalfCopied, pytestTitled } from '../../support/forgeries/copied.ts';
import { pytestFiles } from '../../support/forgeries/files.ts';
import { forgedTask } from '../../support/forgeries/forged-tasks.ts';
import type { ForgedRunner } from '../../support/forgeries/forged-runner.ts';
import { go } from '../../support/forgeries/go.ts';
import { jest } from '../../support/forgeries/jest.ts';
import { maven } from '../../support/forgeries/maven.ts';
import { mochaWithoutValues } from '../../support/forgeries/mocha-without-values.ts';
import { mocha } from '../../support/forgeries/mocha.ts';
import { nodeTest } from '../../support/forgeries/node-test.ts';
import { pytestNumbers } from '../../support/forgeries/numbers.ts';
import { pytest } from '../../support/forgeries/pytest.ts';
import { goTables, mochaTables, pytestTables } from '../../support/forgeries/tables.ts';
import { vitest } from '../../support/forgeries/vitest.ts';
import { pytestWords } from '../../support/forgeries/words.ts';
import { temporaryFolder } from '../../support/git-repository.ts';
import { needsCommand } from '../../support/required.ts';

const runners = {
  pytest,
  'pytest-tables': pytestTables,
  'pytest-elsewhere': pytestElsewhere,
  'pytest-numbers': pytestNumbers,
  'pytest-flipped': pytestFlipped,
  'pytest-asked': pytestAsked,
  mocha,
  'mocha-tables': mochaTables,
  'mocha-without-values': mochaWithoutValues,
  'node-test': nodeTest,
  go,
  cargo,
};
/** In the long tests alone: what the last three run with is installed from a registry, and the first ones may be guessed now and then. */
const long = {
  'pytest-carried': pytestCarried,
  'pytest-twice': pytestTwice,
  'pytest-shared': pytestShared,
  'pytest-grown': pytestGrown,
  'pytest-raising': pytestRaising,
  'pytest-words': pytestWords,
  'go-tables': goTables,
  jest,
  vitest,
  maven,
};
/** Of each runner; Go compiles each one, the others are quick. */
const maxForgeries = effort({
  gate: {
    pytest: 3,
    'pytest-tables': 2,
    'pytest-elsewhere': 1,
    'pytest-numbers': 1,
    'pytest-flipped': 1,
    'pytest-asked': 1,
    mocha: 2,
    'mocha-tables': 1,
    'mocha-without-values': 2,
    'node-test': 2,
    go: 1,
    cargo: 1,
  },
  long: null,
});

describe('patches that want the verdict and not the fix', () => {
  let folder: string;
  const open = (setupNetwork: SandboxNetwork) =>
    createSuiteRunner({ folder: join(folder, 'environments'), setupNetwork });
  let usual: SuiteRunner;

  before(async function () {
    folder = temporaryFolder();
    try {
      usual = await open(effort({ gate: 'none', long: 'proxy' }));
    } catch (error) {
      if (process.env['REQUIRE_ENGINES'] || !(error instanceof SandboxError)) throw error;
      this.skip();
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [name, forged] of Object.entries({
    ...runners,
    ...effort<Partial<typeof long>>({ gate: {}, long }),
  }))
    it(`${name}: none is solved, and what solves the task is`, async function () {
      this.timeout(1_800_000);
      // Rust is on few machines, and what it shows the others show, too.
      if (name === 'cargo' && spawnSync('cargo', ['--version']).error) this.skip();
      for (const command of forged.needs) needsCommand(this, command);
      const { forgeries, answered, honest } = await answersTo(name, forged);
      const solved = answered.filter(({ status }) => status === 'resolved');
      expect(solved.map(({ model, controlled }) => [model, controlled])).to.deep.equal(
        ['gold', ...honest].map((model) => [model, true]),
      );
      // The first of each runner pass their tests: what is said of them is why that does not count.
      const told = answered.find(({ model }) => model === forgeries[0]);
      expect(told).to.include({ status: 'suspicious' });
      expect(told?.problem).to.match(/controls that must fail did not|that must pass did not/);
    });

  for (const [name, forged] of Object.entries({
    'pytest-copied': pytestCopied,
    'pytest-titled': pytestTitled,
    'pytest-files': pytestFiles,
  }))
    it(`${name}: a value that stands elsewhere is copied, and who solves such a task is counted apart`, async function () {
      this.timeout(1_800_000);
      for (const command of forged.needs) needsCommand(this, command);
      const { answered } = await answersTo(name, forged);
      for (const { model, status, controlled, problem } of answered) {
        expect([status, controlled], model).to.deep.equal(['resolved', false]);
        expect(problem).to.match(/can be read elsewhere in the repository or in their names/);
      }
    });

  it('where one test has a value that stands nowhere else, copying the others solves nothing', async function () {
    this.timeout(1_800_000);
    for (const command of pytestHalfCopied.needs) needsCommand(this, command);
    const { answered } = await answersTo('pytest-half-copied', pytestHalfCopied);
    expect(answered.map(({ status, controlled }) => [status, controlled])).to.deep.equal([
      ['resolved', true],
      ['resolved', true],
      ['unresolved', null],
    ]);
  });

  async function answersTo(name: string, forged: ForgedRunner) {
    const runner = forged.setupNetwork ? await open(forged.setupNetwork) : usual;
    const { repository, instance, patches } = forgedTask(name, forged);
    try {
      const forgeries = Object.entries(patches.forgeries).slice(0, maxForgeries?.[name as keyof typeof runners]);
      const answers = { gold: instance.patch, ...patches.honest, ...Object.fromEntries(forgeries) };
      const { evaluated } = await evaluate({
        runId: 'run',
        dataset: { name: 'forged', instances: [instance] },
        predictions: Object.entries(answers).map(([model, patch]) => ({
          instance_id: instance.instance_id,
          model,
          patch,
        })),
        runner,
        checkout: ({ base_commit: commit }, to) =>
          checkout({ gitDir: join(repository.path, '.git'), commit, folder: to }),
        folder: join(folder, name),
        cacheFolder: join(folder, 'evaluations'),
        resume: false,
        workers: 2,
      });
      return { forgeries: forgeries.map(([model]) => model), answered: evaluated, honest: Object.keys(patches.honest) };
    } finally {
      repository.remove();
    }
  }
});

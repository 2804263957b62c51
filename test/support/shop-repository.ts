import type { ProvenTask } from '../../src/model/task-instance.ts';
import { gitRepository } from './git-repository.ts';
import type { GitRepository } from './git-repository.ts';
import { taskInstance } from './task-instances.ts';

const source = (start: string) => `export function price(items) {
  return items.map(({ cents }) => cents).reduce((a, b) => a + b${start});
}
`;

const tests = (more: string) => `import assert from 'node:assert';
import { describe, it } from 'node:test';
import { price } from '../src/price.js';

describe('price', () => {
  it('adds', () => assert.equal(price([{ cents: 2 }, { cents: 3 }]), 5));
  it('of one', () => assert.equal(price([{ cents: 2 }]), 2));
${more}});
`;

const ofNothing = "  it('of nothing', () => assert.equal(price([]), 0));\n";

const message = `The price of nothing is 0 (#17)

To sum up no prices was an error, though a basket that has nothing in it is a valid one.
`;

/** The start of the sum, which the fix adds; what a solution puts there decides which tests pass. */
export const startOfSum = ', 0);';

/** A repository with a fix in its history, proven by node:test, and the task instance of it. */
export function shopRepository(): { repository: GitRepository; instance: ProvenTask } & Disposable {
  const repository = gitRepository({
    name: 'shop',
    files: {
      'package.json': '{ "type": "module" }\n',
      'src/price.js': source(''),
      'test/price.test.js': tests(''),
    },
  });
  const base = repository.git('rev-parse', 'HEAD').trim();
  const fix = repository.commit(message, {
    files: { 'src/price.js': source(', 0'), 'test/price.test.js': tests(ofNothing) },
  });
  const diff = (path: string) =>
    repository.git('diff', '--binary', '--full-index', '--no-renames', base, fix, '--', path);
  const blank = taskInstance();
  const instance = taskInstance({
    instance_id: 'acme__shop-17',
    base_commit: base,
    patch: diff('src'),
    test_patch: diff('test'),
    verifying_tests: {
      fail_to_pass: ['price > of nothing'],
      pass_to_pass: ['price > adds', 'price > of one'],
      test_files: ['test/price.test.js'],
      framework: 'node:test',
    },
    environment: {
      ...blank.environment,
      environment_setup_commit: base,
      setup_cmds: [],
      test_cmd: 'node --test --test-reporter=tap --test-reporter-destination=$OUT/r.tap {files}',
      report: { format: 'tap', path: '$OUT/r.tap' },
      env: {},
      timeout_s: 60,
    },
    provenance: { ...blank.provenance, fix_commit: fix },
  });
  return { repository, instance, [Symbol.dispose]: () => repository.remove() };
}

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/git-repository.ts';

/** A program that writes files until it is interrupted, and then does this. */
const program = (folder: string, after: string) => `
  import writeFileAtomic from 'write-file-atomic';
  import { interrupted } from ${JSON.stringify(join(import.meta.dirname, '../../src/cli/interrupted.ts'))};
  const signal = interrupted({ done() {} }, 'Interrupted.');
  setTimeout(() => process.kill(process.pid, 'SIGINT'), 10);
  while (!signal.aborted) await writeFileAtomic(${JSON.stringify(join(folder, 'file'))}, 'x');
  console.log(signal.reason.message);
  ${after}`;

describe('Ctrl-C', () => {
  let folder: string;
  before(() => {
    folder = temporaryFolder();
  });
  after(() => rmSync(folder, { recursive: true }));
  const run = (after: string) => {
    const args = ['--input-type=module', '-e', program(folder, after)];
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
    return { status, signal, said: stdout || stderr };
  };

  it('lets the work end in order, also in the midst of a file', () => {
    expect(run('')).to.deep.equal({ status: 0, signal: null, said: 'Interrupted.\n' });
  });

  it('a second time ends the program at once', () => {
    const again = 'setTimeout(() => process.kill(process.pid, "SIGINT"), 10); setInterval(() => {}, 1_000);';
    expect(run(again)).to.deep.equal({ status: null, signal: 'SIGINT', said: 'Interrupted.\n' });
  });
});

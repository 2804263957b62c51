import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';

const io = JSON.stringify(new URL('../../src/cli/io.ts', import.meta.url).href);

/** Runs a script on `terminalIo` in a process whose stdout and stderr are pipes. */
function run(script: string) {
  const program = `import { terminalIo } from ${io}; const io = terminalIo(); ${script}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('The terminal of the command line', () => {
  it('ends quietly when the reader of stdout has enough', async () => {
    const child = run(`for (;;) await io.out('x'.repeat(1000) + '\\n');`);
    const words = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await once(child, 'close')).to.deep.equal([0, null]);
    expect(await words).to.equal('');
  });

  it('goes on when nobody reads the words', async () => {
    const child = run(
      `for (let i = 0; i < 200; i++) { io.say('word'); await new Promise(setImmediate); } io.out('data');`,
    );
    child.stderr.destroy();
    const data = text(child.stdout);
    expect(await once(child, 'close')).to.deep.equal([0, null]);
    expect(await data).to.equal('data');
  });

  it('says each phase once where it is no terminal, though phases overlap', async () => {
    const child = run(`
      const phase = (phase) => io.progress({ repository: 'shop', phase, done: 0, total: 1 });
      const load = () => ['opening', 'history', 'parsing', 'history', 'parsing', 'writing', 'done'].forEach(phase);
      load();
      io.say('again');
      load();`);
    const lines = ['shop: opening', 'shop: history', 'shop: parsing', 'shop: writing'];
    expect((await text(child.stderr)).trim().split('\n')).to.deep.equal([...lines, 'again', ...lines]);
  });

  it('shows what steers a terminal, or turns text around, as its code: words, names and tables', async () => {
    const child = run(`
      import { tableRow } from ${io};
      io.say('not loaded: \\u001b[2Ja\\u202eb\\nagain\\ttabbed');
      io.progress({ repository: 'sh\\u001bop', phase: 'parsing', done: 0, total: 1 });
      io.out(tableRow('a\\u001b[31mb', 'c\\td\\ne', 7));`);
    const [data, words] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(words).to.equal('not loaded: \\u{1b}[2Ja\\u{202e}b\nagain\ttabbed\nsh\\u{1b}op: parsing\n');
    expect(data).to.equal('a\\u{1b}[31mb\tc\\u{9}d\\u{a}e\t7\n');
  });
});

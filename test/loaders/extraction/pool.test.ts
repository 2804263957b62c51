import { expect } from 'chai';
import type { FileRead } from '../../../loaders/extraction/pool.ts';
import { ExtractionPool } from '../../../loaders/extraction/pool.ts';

const mortal = new URL('../../support/mortal-worker.ts', import.meta.url);

describe('threads that parse', () => {
  it('answer for each file, also for those that were sent together with one of which the thread dies or that takes all its time', async () => {
    const pool = new ExtractionPool({ size: 2, entry: mortal, timeLimitMs: 15_000 });
    const paths = Array.from({ length: 60 }, (_, index) =>
      index % 20 === 7 ? `${index}-deadly.py` : index === 31 ? `${index}-endless.py` : `${index}.py`,
    );
    const replies = [];
    for (const path of paths) {
      const content = Buffer.from(`def of_${path.replaceAll(/\W/g, '_')}():\n    return ${'1 + '.repeat(200)}1\n`);
      replies.push(
        await pool.extract({
          path,
          language: 'python',
          linguist: 'Python',
          content,
          wanted: 'all',
          leftOut: false,
        }),
      );
    }
    const outcomes = await Promise.all(replies.map(({ reply }) => reply));
    await pool.close();

    for (const [index, path] of paths.entries()) {
      const { read, skipped } = outcomes[index] ?? { read: null, skipped: null };
      if (path.endsWith('deadly.py')) expect(skipped, path).to.include({ path, reason: 'parse_error' });
      else if (path.endsWith('endless.py')) expect(skipped, path).to.include({ path, reason: 'timeout' });
      else {
        expect(skipped, path).to.equal(null);
        const { facts } = JSON.parse(Buffer.from(read ?? []).toString()) as FileRead;
        expect(facts?.definitions.map(({ name }) => name)).to.deep.equal([`of_${index}_py`]);
      }
    }
  });

  it('read with all threads again for a graph, after few were enough for measures', async () => {
    const pool = new ExtractionPool({ size: 2, entry: mortal, timeLimitMs: 15_000 });
    const take = (path: string) =>
      pool.extract({
        path,
        language: 'python',
        linguist: 'Python',
        content: Buffer.from('def f():\n    return 1\n'),
        wanted: 'graph',
        leftOut: false,
      });
    pool.expect('measures', [{ size: 10 }]);
    pool.expect('graph', [{ size: 10 }]);
    const endless = await take('endless.py');
    const other = await take('other.py');
    // With one thread the other would wait until the first is given up.
    const first = await Promise.race([endless.reply, other.reply]);
    await pool.close();
    expect(first.skipped).to.equal(null);
  });

  it('are given up by the processor time that they use, and not by the clock', async () => {
    const pool = new ExtractionPool({ size: 1, entry: mortal, timeLimitMs: 3_000 });
    const { reply } = await pool.extract({
      path: 'resting.py',
      language: 'python',
      linguist: 'Python',
      content: Buffer.from('def f():\n    return 1\n'),
      wanted: 'graph',
      leftOut: false,
    });
    const { skipped } = await reply;
    await pool.close();
    expect(skipped).to.equal(null);
  });
});

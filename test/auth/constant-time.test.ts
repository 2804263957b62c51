import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');

/** A comparison that ends at the first difference, of what somebody outside may choose with what is secret. */
const early =
  /\b\w*(?:signature|digest)\w*(?:\(.*\))? *[!=]==?(?!=) *(?! |undefined|null)|[!=]==? *\w*(?:signature|digest)/i;

describe('signatures and digests', () => {
  it('are compared in constant time, nowhere by ===', async () => {
    const found: string[] = [];
    let files = 0;
    for await (const file of glob('src/**/*.ts', { cwd: root })) {
      files += 1;
      const lines = (await readFile(join(root, file), 'utf8')).split('\n');
      found.push(...lines.filter((line) => early.test(line)).map((line) => `${file}: ${line.trim()}`));
    }
    expect(files).above(100);
    expect(found).deep.equals([]);
    for (const line of ['if (digest === other)', 'return given !== expectedSignature;', 'digestOf(key) == kept'])
      expect(early.test(line), line).equals(true);
    expect(early.test('if (signature === undefined) return null;')).equals(false);
  });
});

import { rmSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { keptText, maxKeptBytes } from '../../../loaders/task-instances/kept-text.ts';
import { temporaryFolder } from '../../support/git-repository.ts';

describe('what is kept of a long text', () => {
  const folder = temporaryFolder();
  after(() => rmSync(folder, { recursive: true }));
  const keptOf = async (text: string, shareOfBeginning: number) => {
    const file = join(folder, 'text');
    await writeFile(file, text);
    return keptText(file, { shareOfBeginning });
  };
  const cases = {
    'many lines': Array.from({ length: 60_000 }, (_, line) => `line ${line} é🚀\n`).join(''),
    'one line': 'é🚀x'.repeat(100_000),
    'one line and then another': `${'🚀'.repeat(100_000)}\n${'é'.repeat(100_000)}`,
  };
  for (const [name, text] of Object.entries(cases))
    for (const shareOfBeginning of [0.25, 1])
      it(`is so much of its ${shareOfBeginning === 1 ? 'beginning' : 'beginning and end'}, and how much is left out and where: ${name}`, async () => {
        const kept = (await keptOf(text, shareOfBeginning))!;
        const { bytes = 0, after_line: line = 0 } = kept.cut ?? {};
        const size = Buffer.byteLength(kept.text);
        expect(size + bytes).equals(Buffer.byteLength(text));
        expect(size).within(shareOfBeginning === 1 ? 1 : maxKeptBytes / 2, maxKeptBytes + 3);
        expect(kept.text).not.includes('\ufffd');
        const lines = kept.text.split('\n');
        expect(text.startsWith(lines.slice(0, line).join('\n'))).equals(true);
        if (shareOfBeginning === 1) expect(text.startsWith(kept.text)).equals(true);
        else expect(text.endsWith(lines.slice(line + 1).join('\n'))).equals(true);
      });

  it('is all of a text that is not long, and nothing of one that is not there', async () => {
    const text = `${'x'.repeat(maxKeptBytes - 1)}\n`;
    expect(await keptOf(text, 0.25)).deep.equals({ text, cut: null });
    expect(await keptText(join(folder, 'none'), { shareOfBeginning: 1 })).equals(null);
  });

  it('is read alone, however large the rest is', async () => {
    const path = join(folder, 'large');
    const file = await open(path, 'w');
    const size = 3 * 1024 ** 3;
    await file.write('first\n');
    await file.write('\nlast\n', size - 6);
    await file.close();
    const kept = await keptText(path, { shareOfBeginning: 0.25 });
    expect(kept).deep.equals({ text: 'first\nlast\n', cut: { bytes: size - 11, after_line: 1 } });
  });
});

import { expect } from 'chai';
import { keptText, maxKeptBytes } from '../../../src/model/evaluation-attempt.ts';

describe('what is kept of a long text', () => {
  const cases = {
    'many lines': Array.from({ length: 60_000 }, (_, line) => `line ${line} é🚀\n`).join(''),
    'one line': 'é🚀x'.repeat(100_000),
    'one line and then another': `${'🚀'.repeat(100_000)}\n${'é'.repeat(100_000)}`,
  };
  for (const [name, text] of Object.entries(cases))
    for (const shareOfBeginning of [0.25, 1])
      it(`is so much of its ${shareOfBeginning === 1 ? 'beginning' : 'beginning and end'}, and how much is left out and where: ${name}`, () => {
        const kept = keptText(text, { shareOfBeginning });
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

  it('is all of a text that is not long', () => {
    const text = `${'x'.repeat(maxKeptBytes - 1)}\n`;
    expect(keptText(text, { shareOfBeginning: 0.25 })).deep.equals({ text, cut: null });
  });
});

import { expect } from 'chai';
import { reportCommand } from '../../../src/cli/report.ts';
import { readConfig } from '../../../src/config.ts';
import { effort } from '../../support/effort.ts';

import { disguise } from './disguise.ts';
import { hidden, hiddenTogether } from './hidden.ts';
import { writeDrafts } from './draft.ts';
import type { Draft, Written } from './draft.ts';
import { asOf, terrible } from './terrible.ts';
import { tricks } from './tricks.ts';
import type { Trick } from './tricks.ts';

interface Verdict {
  score: number;
  grade: string | null;
  capped_by: string | null;
}

/** What `repo-intel report` says of a branch. */
async function verdictOn({ path, branch }: Written, index: number): Promise<Verdict> {
  let printed = '';
  const io = { out: (text: string) => void (printed += text), say() {}, progress() {}, done() {} };
  const args = [path, '--ref', branch(index), '--as-of', asOf, '--json'];
  await reportCommand(readConfig({}), io).parseAsync(args, { from: 'user' });
  return JSON.parse(printed) as Verdict;
}

const worthNow = ({ worth, untilMended = worth }: Trick) => untilMended;
const disguised = (base: Draft, applied: readonly Trick[]): Draft => {
  const draft = base.copy();
  for (const { apply } of applied) apply(draft);
  return draft;
};

/**
 * What is tried beneath the disguise, beside all ways to hide what the program uses (`hidden.ts`): each leaves the code where somebody who
 * reads all of it sees it. What lies in no file at all, in an archive or in another kind of text is not seen through there: B or A.
 */
const underDisguise = [
  'secrets that call themselves examples',
  'secrets in two halves',
  'what is dangerous under another name',
  'copies with other names',
  '.gitattributes: linguist-vendored',
  '.gitattributes: linguist-generated',
  'each bad file on one line',
  'several statements on a line',
  'a header that calls the bad files generated',
  'the code in texts that are executed',
  'the code encoded in texts that are executed',
  'the code in notebooks',
  'the bad files in UTF-16',
];

for (const [nth, language] of (['javascript', 'python'] as const).entries())
  describe(`a terrible repository in ${language}`, () => {
    const base = terrible(language);
    // In the gate each trick is tried in one of the languages.
    const alone = tricks.filter((_, index) => effort({ gate: index % 2 === nth, long: true }));
    const kept = tricks.filter(({ removes }) => !removes);
    const harmless = kept.filter(({ name }) => name !== 'a commit of the future');
    const plain = harmless.filter(({ hides }) => !hides);
    const together: Record<string, readonly Trick[]> = {
      'all tricks together': kept,
      'all that raise it': harmless,
      'all but those that hide': plain,
      // Each way to hide by itself, so that none undoes another.
      ...effort({
        gate: {},
        long: Object.fromEntries(
          tricks.filter(({ hides }) => hides).map((trick) => [`all others and ${trick.name}`, [...plain, trick]]),
        ),
      }),
    };
    let written: Written;
    let first: Verdict;
    before(async () => {
      const drafts = [...alone.map((trick) => [trick]), ...Object.values(together)].map((some) =>
        disguised(base, some),
      );
      written = writeDrafts([base, ...drafts]);
      first = await verdictOn(written, 0);
    });
    after(() => written[Symbol.dispose]());

    it('is an E', () => {
      expect(first.grade, String(first.score)).to.equal('E');
    });

    for (const [index, trick] of alone.entries())
      it(`gains no more than it may by ${trick.name}`, async () => {
        const { score, grade } = await verdictOn(written, 1 + index);
        expect(score - first.score).to.be.at.most(worthNow(trick));
        expect(grade).to.be.oneOf(trick.removes ? ['D', 'E', null] : ['D', 'E']);
      });

    it('is dead after three years, also with a commit of the future', async () => {
      const dead = terrible(language, '2023-01-28T12:00:00Z');
      const revived = dead.copy();
      revived.commit('alive', { 'NEWS.md': 'Alive!\n' }, { date: '2099-01-01T00:00:00Z' });
      using past = writeDrafts([dead, revived]);
      for (const index of [0, 1]) expect((await verdictOn(past, index)).capped_by).to.equal('people.activity');
    });

    it('is a D at most beside much harmless code, under a history that was told anew', async () => {
      const unseen = [...tricks.filter(({ name }) => underDisguise.includes(name)), ...hidden];
      const chosen = unseen.filter((_, index) => effort({ gate: index % 8 === nth, long: true }));
      const ways = [[], ...chosen.map((trick) => [trick]), hiddenTogether];
      using more = writeDrafts(
        ways.map((some) => {
          const draft = disguised(base, some);
          disguise(draft);
          return draft;
        }),
      );
      for (const [index, some] of ways.entries()) {
        const { score, grade, capped_by } = await verdictOn(more, index);
        const told = some.map(({ name }) => name).join(', ') || 'nothing else';
        expect(grade, `${told}: ${score}`).to.be.oneOf(['D', 'E']);
        expect(capped_by).to.be.oneOf(['security.patterns', 'maint.left_out']);
      }
    });

    for (const [index, name] of Object.keys(together).entries())
      it(`stays a D or an E by ${name}`, async () => {
        const { score, grade } = await verdictOn(written, 1 + alone.length + index);
        expect(grade, String(score)).to.be.oneOf(['D', 'E']);
      });
  });

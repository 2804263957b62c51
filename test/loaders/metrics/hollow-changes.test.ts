import { expect } from 'chai';
import { nothingKnown, weighing } from '../../../loaders/metrics/hollow-changes.ts';

type Opened = Parameters<typeof weighing>[0];
type Commits = Parameters<ReturnType<typeof weighing>['weigh']>[0];

describe('the weights of changes', () => {
  it('are those of the language at hand, also where another point of the history called it otherwise', async () => {
    const texts: Record<string, string> = { old: '# one\nx = 1\n', new: '# two\nx = 1\n' };
    const opened = (language: string) =>
      ({
        files: [{ path: 'a.x', countedAs: { language, byContent: false } }],
        async *blobs(ids: readonly string[]) {
          for (const id of ids) yield Buffer.from(texts[id] ?? '');
        },
      }) as unknown as Opened;
    const changes = [{ path: 'a.x', status: 'M', blobs: { before: 'old', after: 'new' } }];
    const commits = [{ id: 'c1', changes }] as unknown as Commits;
    const known = nothingKnown();
    const weights = async (language: string) => weighing(opened(language), known).weigh(commits);
    expect(await weights('C')).to.deep.equal([['code']]);
    expect(await weights('Python')).to.deep.equal([['hollow']]);
    expect(await weights('C')).to.deep.equal([['code']]);
  });
});

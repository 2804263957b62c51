import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import type { SearchAnswer } from '../../src/search/routes.ts';
import { gitRepository, type GitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';

describeService('GET /api/search?q=type:commit', (service) => {
  const [name, bare, hidden] = ['commit-shop', 'commit-bare', 'commit-hidden'];
  let repository: GitRepository;
  let ids: string[];
  before(async () => {
    repository = gitRepository();
    const ann = { name: 'Ann Author', email: 'ann@example.com' };
    const bo = { name: 'Bo Dahl', email: 'bo@example.com' };
    const basket = (body: string) => `export class Basket {\n  total() {\n    ${body}\n  }\n}\n`;
    ids = [
      repository.commit('Begin the basket', {
        files: { 'src/basket.ts': basket('return addUp(items);'), 'a.md': 'A.\n' },
        author: ann,
        date: '2024-01-10T12:00:00Z',
      }),
      repository.commit(
        'Round the total\n\nCents were lost with an idle socket.\n\nReviewed-by: Ann <a@example.com>\n',
        {
          files: { 'src/basket.ts': basket('return roundHalfUp(addUp(items));') },
          author: bo,
          date: '2024-02-10T12:00:00Z',
        },
      ),
      repository.commit('Say what A is', {
        files: { 'a.md': 'A letter.\n' },
        author: ann,
        date: '2024-03-10T12:00:00Z',
      }),
    ];
    for (const [as, keepSource] of [
      [name, true],
      [bare, false],
      [hidden, true],
    ] as const) {
      const { snapshot, close } = await analyze(repository.path, { name: as, keepSource });
      if (as !== hidden) await shareWithAll(service().stores, [as]);
      await writeSnapshot(service().stores, snapshot);
      close();
    }
  });
  after(async () => {
    repository.remove();
    for (const each of [name, bare, hidden]) await removeRepository(service().stores, each);
  });

  const ask = (q: string, more = '') => service().get(`/api/search?q=${encodeURIComponent(q)}${more}`);
  const search = async (q: string, more = '') => {
    const { status, json, text } = await ask(`${q} repo:${name}`, more);
    expect(status, text).to.equal(200);
    return json as unknown as SearchAnswer;
  };
  const subjects = async (q: string, more = '') => (await search(q, more)).items.map((item) => item.name);

  it('gives a commit with what it says and changed, and the function whose lines it wrote', async () => {
    const { items, total } = await search('type:commit round');
    const [{ commit, score_breakdown: _, ...item } = {} as SearchAnswer['items'][number]] = items;
    expect(total).to.equal(1);
    expect(item).to.deep.include({
      id: `${name}@${ids[1]}`,
      type: 'Commit',
      name: 'Round the total',
      repository: name,
      doc: 'Cents were lost with an idle socket.',
      score: 100,
      path: null,
      highlights: [{ field: 'name', ranges: [[0, 5]] }],
    });
    expect(commit).to.deep.include({
      id: ids[1],
      authored_at: '2024-02-10T12:00:00.000Z',
      files: [{ path: 'src/basket.ts', now: null, status: 'M', added: 1, deleted: 1 }],
      total_files: 1,
      changed_kept: 'whole',
      url: null,
    });
    expect(commit?.author.name).to.equal('Bo Dahl');
    expect(commit?.symbols.map(({ id }) => id)).to.deep.equal([`${name}/src/basket.ts#Basket.total`]);
  });

  const cases: [q: string, subjects: string[]][] = [
    ['type:commit', ['Say what A is', 'Round the total', 'Begin the basket']],
    ['type:commit idle socket', ['Round the total']],
    ['type:commit "idle socket"', ['Round the total']],
    ['type:commit author:ann', ['Say what A is', 'Begin the basket']],
    ['type:commit -author:"Ann Author"', ['Round the total']],
    ['type:commit after:2024-02-10 before:2024-03', ['Round the total']],
    ['type:commit since:2024-03-10', ['Say what A is']],
    ['type:commit after:"2 weeks ago"', []],
    ['type:commit path:src/', ['Round the total', 'Begin the basket']],
    ['type:commit file:\\.md$ message:say', ['Say what A is']],
    ['type:diff addUp', ['Round the total', 'Begin the basket']],
    ['type:diff roundHalfUp', ['Round the total']],
    ['type:diff socket', []],
    ['type:commit basket -begin', ['Round the total']],
  ];
  for (const [q, expected] of cases)
    it(`finds by ${q}`, async () => {
      expect(await subjects(q)).to.deep.equal(expected);
    });

  it('is searched alone, and only when it is asked for', async () => {
    expect((await search('round')).items.filter(({ type }) => type === 'Commit')).to.deep.equal([]);
    const { items, hints } = await search('type:commit,function total');
    expect(items.map(({ type }) => type)).to.deep.equal(['Commit', 'Commit']);
    expect(hints).to.include('The history is searched alone: other types than Commit were left out.');
    expect(await subjects('round', '&type=Commit')).to.deep.equal(['Round the total']);
  });

  it('shows what fits best where nothing has all words, and says what is nowhere', async () => {
    const { items, left_out } = await search('type:commit nonsense round basket');
    expect(items.map((item) => item.name)).to.deep.equal(['Round the total', 'Begin the basket']);
    expect(left_out).to.deep.equal(['nonsense']);
  });

  it('is sorted, counted and paged as asked', async () => {
    expect(await subjects('type:commit', '&sort=date&order=asc')).to.deep.equal([
      'Begin the basket',
      'Round the total',
      'Say what A is',
    ]);
    const { facets, next_cursor } = await search('type:commit', '&facets=type,repo,language&page_size=2');
    expect(facets).to.deep.equal({ type: [{ value: 'Commit', count: 3 }], repo: [{ value: name, count: 3 }] });
    expect(await subjects('type:commit', `&page_size=2&cursor=${next_cursor}`)).to.deep.equal(['Begin the basket']);
    expect(await subjects('type:commit total', '&min_score=50')).to.deep.equal(['Round the total']);
    const refused = [await ask('type:commit', '&sort=name'), await ask('round', '&sort=date')];
    for (const { status, json } of refused) expect([status, json['code']]).to.deep.equal([422, 'validation_error']);
  });

  it('says what was read otherwise, what is not kept, and what no commit has', async () => {
    const hintsOn = async (q: string, more = '') => ((await ask(q, more)).json as unknown as SearchAnswer).hints ?? [];
    expect(await hintsOn(`type:commit committer:ann repo:${name}`)).to.deep.equal([
      'committer: is no qualifier of commits, so committer:ann was looked for as text; qualifiers are author:, before:, after:, message:, file:, repo:, path:.',
    ]);
    expect(await hintsOn(`type:commit before:soon repo:${name}`)).to.deep.equal([
      'before:soon was left out: it takes a date as 2024-05-31, 2024-05 or "2 weeks ago".',
    ]);
    expect(await hintsOn(`type:commit repo:${bare}`)).to.deep.equal([
      `${bare}: loaded with --no-source, so its commits are not kept.`,
    ]);
    expect(await hintsOn('type:commit repo:nobody')).to.deep.equal([
      'No repository is named "nobody"; GET /api/repositories lists them.',
    ]);
    expect(await hintsOn(`type:commit repo:${name}`, '&language=go')).to.deep.equal([
      'No commit has a language: leave that parameter out.',
    ]);
    expect((await search('type:commit', '&language=go')).total).to.equal(0);
    expect(await hintsOn('author:ann')).to.deep.equal([
      'author: narrows commits, so author:ann was looked for as text: add type:commit.',
    ]);
  });

  it('shows nothing of repositories that the caller does not see, nor addresses of people', async () => {
    const { json, text } = await ask('type:commit', '&facets=repo&page_size=100');
    const { items, facets } = json as unknown as SearchAnswer;
    expect(new Set(items.map((item) => item.repository))).to.not.include(hidden);
    expect(facets?.repo?.map(({ value }) => value)).to.not.include(hidden);
    expect(text).to.not.include('example.com');
    expect(((await ask(`type:commit repo:${hidden}`)).json as unknown as SearchAnswer).total).to.equal(0);
  });
});

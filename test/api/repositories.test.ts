import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { unique } from '../contract/relational-store.ts';
import { gitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';

describeService('GET /api/repositories/{name}/unparsed', (service) => {
  const name = unique('unparsed');
  before(async () => {
    using repository = gitRepository({
      files: {
        'fine.py': 'def fine():\n    return 1\n',
        'latin1.py': Buffer.from('# caf\xe9\ndef latin():\n    return fine()\n', 'latin1'),
        'broken.js': 'function a() { b() }\nfunction b() {}\nclass { ] oops\n',
        'app.min.js': 'a();'.repeat(1_000),
        'nul.py': 'def f():\n    return "\0"\n',
        'image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]),
        'noise.py': Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at % 251) + 1)),
      },
    });
    const { snapshot, close } = await analyze(repository.path, { name });
    await shareWithAll(service().stores, [name]);
    await writeSnapshot(service().stores, snapshot);
    close();
  });
  after(() => removeRepository(service().stores, name));

  it('names each file and each line that has no symbols, and why; a page at a time', async () => {
    const { json } = await service().get(`/api/repositories/${name}/unparsed`);
    expect(json).to.include({ total: 4, page: 1, total_pages: 1 });
    expect(json['items']).to.deep.equal([
      { path: 'app.min.js', line: null, end_line: null, reason: 'minified', detail: null },
      { path: 'broken.js', line: 3, end_line: 3, reason: 'syntax_error', detail: null },
      { path: 'noise.py', line: null, end_line: null, reason: 'not_utf8', detail: null },
      {
        path: 'nul.py',
        line: null,
        end_line: null,
        reason: 'binary',
        detail: 'it is source by its name, and holds NUL',
      },
    ]);
    const second = await service().get(`/api/repositories/${name}/unparsed?page=2&page_size=2`);
    expect((second.json['items'] as { path: string }[]).map(({ path }) => path)).to.deep.equal(['noise.py', 'nul.py']);
  });

  it('says of the repository how many of its lines those are', async () => {
    const { json } = await service().get(`/api/repositories/${name}`);
    expect(json).to.include({ lines: 9, lines_unparsed: 1 });
  });

  it('knows no repository that is not there', async () => {
    expect((await service().get('/api/repositories/no-such-thing/unparsed')).status).to.equal(404);
  });
});

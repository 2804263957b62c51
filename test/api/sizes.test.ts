import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { gitRepository } from '../support/git-repository.ts';
import { describeEmbedded } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';
import { operationsOf, target } from '../suites/operations.ts';

/** So many repositories are none too many for one answer, and so large it may be. */
const [repositories, mostBytes] = [500, 1_000_000];

describeEmbedded('the size of an answer', (service) => {
  const repository = gitRepository({
    files: {
      'README.md': '# Size\n',
      'a.js': 'export function open() { return close(); }\nfunction close() { return eval("1"); }\n',
      'package.json': '{"name":"size","dependencies":{"koa":"^1.0.0"}}',
    },
  });
  const half = 24;
  const names = Array.from({ length: 30 }, (_, index) => `size-${index}`);
  after(async () => {
    repository.remove();
    for (const name of names) await removeRepository(service().stores, name);
  });
  const load = async (some: readonly string[]) => {
    await shareWithAll(service().stores, some);
    for (const name of some) await writeSnapshot(service().stores, (await analyze(repository.path, { name })).snapshot);
  };

  /** Of every GET of a product, with pages of two where it has pages. */
  const sizes = async (): Promise<Map<string, number>> => {
    const { json } = await service().get('/openapi.json');
    const found = new Map<string, number>();
    for (const operation of operationsOf(json)) {
      if (operation.method !== 'GET' || !operation.path.startsWith('/api/')) continue;
      const pageSize = operation.parameters.find(({ name }) => name === 'page_size' || name === 'limit');
      const given = {
        ...(pageSize === undefined ? {} : { [pageSize.name]: '2' }),
        ...Object.fromEntries(['repo', 'repository', 'name', 'from', 'id'].map((name) => [name, 'size-0'])),
        to: 'size-1',
        path: 'a.js',
        factor_id: 'maint.duplication',
      };
      const named = operation.parameters.filter((each) => each.in === 'path' || each.required || each === pageSize);
      const { status, text } = await service().get(target({ ...operation, parameters: named }, given));
      if (status === 200) found.set(operation.path, Buffer.byteLength(text));
    }
    return found;
  };

  it('grows with the repositories only where it has pages', async () => {
    // What is shown of all together, as twenty pieces of evidence, is there already.
    await load(names.slice(0, half));
    const few = await sizes();
    await load(names.slice(half));
    const many = await sizes();
    expect([...many.keys()]).include.members(['/api/dd/executive', '/api/dd/deep', '/api/graph', '/api/graph/map']);
    expect(many.size).above(20);
    const tooLarge = [...many].flatMap(([path, size]) => {
      const each = (size - (few.get(path) ?? size)) / (names.length - half);
      const bytes = size + each * (repositories - names.length);
      return bytes > mostBytes ? [`${path}: ${Math.round(bytes)} bytes with ${repositories} repositories`] : [];
    });
    expect(tooLarge).deep.equals([]);
  });
});

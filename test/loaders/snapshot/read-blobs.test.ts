import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openBlobReader } from '../../../loaders/snapshot/read-blobs.ts';
import { eventually } from '../../support/eventually.ts';
import { gitRepository } from '../../support/git-repository.ts';

describe('contents of blobs that are asked for again and again', () => {
  const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;

  it('come from one process, and none is left behind by who still reads when all is closed', async () => {
    using repository = gitRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    const [a = '', b = ''] = repository.git('rev-parse', 'HEAD:a.txt', 'HEAD:b.txt').split('\n');
    const before = processes();
    const reader = openBlobReader(join(repository.path, '.git'));
    const read = async (...ids: string[]) => (await Array.fromAsync(reader.read(ids))).map(String);
    expect(await read(a, b)).to.deep.equal(['a\n', 'b\n']);
    expect(await read(b, '0'.repeat(40), a)).to.deep.equal(['b\n', 'null', 'a\n']);
    expect(processes()).to.equal(before + 1);
    const reading = reader.read([a, b]);
    expect(String((await reading.next()).value)).to.equal('a\n');
    await reader.close();
    expect((await Array.fromAsync(reading)).map(String)).to.deep.equal(['b\n']);
    expect(await read(a)).to.deep.equal(['a\n']);
    await eventually(async () => expect(processes()).to.equal(before));
  });

  it('stay what they are while others are read, whatever their sizes and where git cuts them', async () => {
    const sizes = [0, 1, 65_535, 65_536, 3, 300_000, 7, 4_095, 131_072, 2];
    const written = sizes.map((size, index) => String.fromCharCode(97 + index).repeat(size));
    const named = written.map((content, index) => [`${index}.txt`, content] as const);
    using repository = gitRepository({ files: Object.fromEntries(named) });
    const ids = repository.git('rev-parse', ...named.map(([path]) => `HEAD:${path}`)).split('\n');
    const reader = openBlobReader(join(repository.path, '.git'));
    const asked = Array.from({ length: 5 }, () => ids.slice(0, sizes.length)).flat();
    const contents = await Array.fromAsync(reader.read(asked));
    await reader.close();
    expect(contents.map(String)).to.deep.equal(Array.from({ length: 5 }, () => written).flat());
  });

  it('are read by who takes longer with them than git does', async () => {
    const named = Array.from({ length: 40 }, (_, index) => [`${index}.txt`, `${index}\n`] as const);
    using repository = gitRepository({ files: Object.fromEntries(named) });
    const ids = repository.git('rev-parse', ...named.map(([path]) => `HEAD:${path}`)).split('\n');
    const reader = openBlobReader(join(repository.path, '.git'));
    const asked = Array.from({ length: 5 }, () => ids.slice(0, named.length)).flat();
    const contents: string[] = [];
    for await (const content of reader.read(asked)) {
      contents.push(String(content));
      await sleep(1);
    }
    await reader.close();
    expect(contents).to.deep.equal(Array.from({ length: 5 }, () => named.map(([, content]) => content)).flat());
  });
});

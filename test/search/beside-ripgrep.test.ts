import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { effort } from '../support/effort.ts';
import { gitRepository, type FileContent, type GitRepository } from '../support/git-repository.ts';
import { needsCommand } from '../support/required.ts';
import { describeService } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';
import { drawPatterns, ripgrep, typed } from './beside-ripgrep.ts';

const root = join(import.meta.dirname, '../..');
/** Our own sources, and what few of them are: of others, of tools, with other ends of lines, in other scripts. */
const folders = ['src/search', 'src/stores/source', 'src/tenancy', 'loaders/languages/go', 'docs', 'test/search'];
const odd: Record<string, FileContent> = {
  'node_modules/left/index.js': 'module.exports = (text) => text.padStart(12); // "left" of it\r\n\r\n',
  'package-lock.json': '{ "name": "shop", "lockfileVersion": 3 }\n',
  'app.min.js': `${'var a=function(b){return b+1};'.repeat(200)}\n`,
  'mark.ts': '\uFEFFexport const first = 1;\r\nexport const last = 2;',
  'lines.txt': 'one two\u2028three\r\nfour\u0085five\n\n\n',
  'scripts.md': 'Straße, ſtraße, STRASSE, İstanbul, Ελλάς, 東京の地図, Kelvin K, naïve nai\u0308ve 🙂\n',
  'empty.txt': '',
  'latin1.txt': Buffer.from('caf\xe9 search\n', 'latin1'),
  'nul.txt': 'a search\0for nothing\n',
};

describeService('search for text, beside ripgrep', (service) => {
  const name = 'beside-ripgrep';
  let repository: GitRepository;
  let leftOut: Map<string, string>;
  before(async function () {
    needsCommand(this, 'rg', 'as of the package ripgrep');
    const own = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    const files = Object.fromEntries(own.map((path) => [path.slice(root.length + 1), readFileSync(path)]));
    repository = gitRepository({ files: { ...files, ...odd } });
    const { snapshot, close } = await analyze(repository.path, { name, keepSource: true });
    leftOut = new Map(snapshot.repository.skipped.map(({ path, reason }) => [path, reason]));
    await shareWithAll(service().stores, [name]);
    await writeSnapshot(service().stores, snapshot);
    close();
  });
  after(async () => {
    await removeRepository(service().stores, name);
    repository?.remove();
  });

  async function found(query: string): Promise<string[]> {
    const paths: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const q = encodeURIComponent(`${query} repo:^${name}$`);
      const { status, json, text } = await service().get(`/api/search/text?q=${q}&page=${page}&page_size=100`);
      expect(status, text).to.equal(200);
      expect(json['complete']).to.equal(true);
      paths.push(...(json['items'] as { path: string }[]).map(({ path }) => path));
      pages = Number(json['total_pages']);
    }
    return paths;
  }

  it('says of every file that is not kept why', () => {
    expect(leftOut.get('nul.txt')).to.equal('binary');
  });

  it('finds what others wrote too, a quote in it as well, after all else', async () => {
    const answer = await service().get(
      `/api/search/text?q=${encodeURIComponent(`function repo:^${name}$`)}&page_size=100`,
    );
    const items = answer.json['items'] as { path: string; left_out: string | null }[];
    expect(items.map(({ left_out }) => left_out !== null)).to.deep.equal(items.map((_, i) => i >= items.length - 1));
    expect(items.at(-1)).to.include({ path: 'app.min.js', left_out: 'minified' });
    expect(await found(String.raw`"// \"left\" of" -file:^test/`)).to.deep.equal(['node_modules/left/index.js']);
  });

  it('finds what is written in another encoding', async () => {
    expect(await found('"café search" file:latin1')).to.deep.equal(['latin1.txt']);
  });

  it('finds literals and regular expressions drawn from the sources in the same files', async () => {
    const texts = Object.values(odd).flatMap((content) => (typeof content === 'string' ? [content] : []));
    const own = repository
      .git('ls-files', '-z')
      .split('\0')
      .filter((path) => path !== '' && !(path in odd));
    const draws = effort({ gate: { literals: 50, expressions: 25 }, long: { literals: 1_000, expressions: 500 } });
    const drawn = [
      ...drawPatterns(
        own.map((path) => readFileSync(join(repository.path, path), 'utf8')),
        { seed: 'own', ...draws },
      ),
      ...drawPatterns(texts, { seed: 'odd', literals: 16, expressions: 8 }),
    ];
    let many = 0;
    for (const pattern of drawn) {
      const theirs = ripgrep(repository.path, pattern);
      if (theirs === null) continue;
      // What is in another encoding is bytes to ripgrep, and characters to us.
      const isCompared = (path: string) => leftOut.get(path) !== 'binary' && path !== 'latin1.txt';
      const wanted = theirs.filter(isCompared);
      const ours = (await found(typed(pattern))).filter(isCompared);
      expect(ours, JSON.stringify(pattern)).to.have.members(wanted);
      if (wanted.length > 0) many++;
    }
    expect(many).to.be.greaterThan(drawn.length * 0.9);
  });
});

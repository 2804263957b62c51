import { expect } from 'chai';
import { analyze } from '../../../loaders/analyze.ts';
import { commitLink, forgeLink, forgePage } from '../../../src/model/forge-link.ts';
import { gitRepository } from '../../support/git-repository.ts';

describe('the forge that a repository was cloned from', () => {
  const pages: Record<string, string | null> = {
    'https://github.com/acme/shop.git': 'https://github.com/acme/shop',
    'https://github.com/acme/shop/': 'https://github.com/acme/shop',
    'https://user:s3cret@github.com/acme/shop.git': 'https://github.com/acme/shop',
    'https://s3cret@gitlab.example.com:8443/group/sub/shop.git?private_token=s3cret#s3cret':
      'https://gitlab.example.com:8443/group/sub/shop',
    'git@github.com:acme/shop.git': 'https://github.com/acme/shop',
    'github.com:acme/shop': 'https://github.com/acme/shop',
    'git@gitlab.com:/group/sub/shop.git': 'https://gitlab.com/group/sub/shop',
    'ssh://git:s3cret@codeberg.org:2222/acme/shop.git': 'https://codeberg.org/acme/shop',
    'ssh://git@ssh.github.com:443/acme/shop.git': 'https://github.com/acme/shop',
    'git://bitbucket.org/acme/shop.git': 'https://bitbucket.org/acme/shop',
    'https://git.example.com/acme/shop.git': null,
    'https://notgithub.com/acme/shop.git': null,
    'work:acme/shop.git': null,
    'file:///srv/github.com/acme/shop.git': null,
    '/srv/github.com/acme/shop.git': null,
    '../shop.git': null,
    'https://github.com/shop': null,
    '': null,
  };
  for (const [remote, page] of Object.entries(pages))
    it(`${remote || '(none)'}: ${page ?? 'none that is known'}`, () => expect(forgePage(remote)).equals(page));

  it('is linked to from what is loaded by path, and what is secret in its address is nowhere', async () => {
    using repository = gitRepository({ files: { 'src/a b.js': 'export function total() {}\n' } });
    repository.git('remote', 'add', 'origin', 'https://user:s3cret@github.com/acme/shop.git');
    const { snapshot, close } = await analyze(repository.path, { name: 'shop' });
    const { repository: info } = snapshot;
    close();
    expect(info).includes({ source: repository.path, forge: 'https://github.com/acme/shop' });
    expect(JSON.stringify(snapshot)).not.contains('s3cret');
    const commit = info.commit ?? '';
    expect(forgeLink(info, 'src/a b.js', [1, 2])).equals(
      `https://github.com/acme/shop/blob/${commit}/src/a%20b.js#L1-L2`,
    );
    expect(commitLink(info, commit)).equals(`https://github.com/acme/shop/commit/${commit}`);
    // Of what was loaded before this was kept, and by its URL.
    expect(commitLink({ source: 'https://github.com/acme/shop.git' }, commit)).equals(commitLink(info, commit));
    expect(commitLink({ source: repository.path }, commit)).equals(null);
  });

  it('is none of a clone without origin', async () => {
    using repository = gitRepository({ files: { 'a.js': 'export const a = 1;\n' } });
    const { snapshot, close } = await analyze(repository.path, { name: 'shop' });
    close();
    expect(snapshot.repository).not.has.property('forge');
  });
});

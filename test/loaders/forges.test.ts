import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { ForgeError } from '../../loaders/forges/ask-forge.ts';
import { apis } from '../../loaders/forges/forges.ts';
import { listRepositories } from '../../loaders/forges/list-repositories.ts';
import { addressOfOwner, listingSchema, parseForgeOwner } from '../../src/model/listing.ts';
import { leastOf, undescribed } from '../support/described-by-forge.ts';
import { serveForge } from '../support/fake-forge.ts';
import { temporaryFolder } from '../support/git-repository.ts';
import { needsCommand } from '../support/required.ts';

const token = 'secret-of-the-forge';

describe('what a forge has', () => {
  let forge: Awaited<ReturnType<typeof serveForge>>;
  const waits: number[] = [];
  const list = (kind: string, listing: object = {}, given: string | null = token) =>
    listRepositories(`${kind}:${forge.origin}/acme`, listingSchema.parse(listing), {
      token: given,
      signal: new AbortController().signal,
      onWait: (seconds) => waits.push(seconds),
    });
  const names = async (...asked: Parameters<typeof list>) =>
    (await list(...asked)).map(({ address }) => address.replace(`${forge.origin}/acme/`, ''));
  const failure = async (...asked: Parameters<typeof list>): Promise<ForgeError> => {
    const error = await list(...asked).then(
      () => null,
      (cause: unknown) => cause,
    );
    expect(error).to.be.instanceOf(ForgeError);
    return error as ForgeError;
  };

  before(async () => {
    forge = await serveForge(token);
    for (const name of ['api', 'web', 'api-docs', 'tools']) forge.add(name);
    forge.add('copy', { fork: true });
    forge.add('old', { archived: true });
    forge.add('Last');
  });
  beforeEach(() => {
    waits.length = 0;
    forge.asked.length = 0;
  });
  after(() => forge?.close());

  for (const kind of ['github', 'gitlab', 'gitea', 'bitbucket']) {
    it(`is listed page by page at ${kind}, without forks and archives, by a name that stays`, async () => {
      const archived = kind === 'bitbucket' ? ['old.git'] : [];
      const usual = ['api.git', 'web.git', 'api-docs.git', 'tools.git', ...archived, 'Last.git'];
      expect(await names(kind)).to.deep.equal(usual);
      expect(forge.asked).to.have.length(3);
      expect(await names(kind, { forks: true, archived: true })).to.have.length(7);
      const [first] = await list(kind);
      expect(first?.place).to.equal(`${new URL(forge.origin).host}/acme/api`);
      expect(first?.forge_id).to.match(/^\w+ 127\.0\.0\.1:\d+ \{?101\}?$/);
    });
  }

  it('is narrowed by patterns, of names or of owners and names', async () => {
    expect(await names('gitea', { include: ['API*'] })).to.deep.equal(['api.git', 'api-docs.git']);
    expect(await names('gitea', { include: ['api*'], exclude: ['*-docs'] })).to.deep.equal(['api.git']);
    expect(await names('gitea', { include: ['acme/w*b', 'l*s*t'] })).to.deep.equal(['web.git', 'Last.git']);
    expect(await names('gitea', { include: ['other/*'] })).to.deep.equal([]);
    expect(await names('gitea', { exclude: ['*'] })).to.deep.equal([]);
    // A pattern that would take a matcher with backtracking years.
    const many = `${'a*'.repeat(90)}z`;
    expect(await names('gitea', { include: [many] })).to.deep.equal([]);
    expect(() => listingSchema.parse({ include: ['a b'] })).to.throw('A pattern has letters');
  });

  it('is waited for as long as the forge says, and not for longer than five minutes', async () => {
    const soon = Math.floor(Date.now() / 1_000) + 1;
    forge.answerInstead(
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(soon) } },
      { status: 502 },
    );
    expect(await names('github')).to.have.length(5);
    expect(waits).to.have.length(3);
    expect(waits[0]).to.equal(1);
    expect(forge.asked).to.have.length(6);
    forge.answerInstead({ status: 429, headers: { 'retry-after': '3600' } });
    const later = await failure('github');
    expect(later).to.include({ retry: true, status: 429 });
    expect(later.message).to.contain('asked again in 3600 s');
  });

  it('says what is wrong, and whether it may pass', async () => {
    expect(await failure('gitlab', {}, 'another')).to.include({ retry: false, status: 401 });
    expect((await failure('gitlab', {}, null)).message).to.contain('the token is not valid');
    forge.answerInstead({ status: 403 });
    expect(await failure('github')).to.include({ retry: false, status: 403 });
    for (const body of ['<html>', '{"repositories":1}', '[{"id":"x"}]']) {
      forge.answerInstead({ status: 200, body });
      expect((await failure('github')).message, body).to.match(/did not answer with JSON|no forge of this kind/);
    }
    // Neither an organization nor a user.
    forge.answerInstead({ status: 404 }, { status: 404 });
    expect((await failure('gitea')).message).to.contain('there is none of this name');
    expect(forge.asked.at(-1)?.path).to.equal('/api/v1/users/acme/repos');
  });

  it('has its API where each kind of host has it', () => {
    for (const [origin, api] of [
      ['https://github.com', 'https://api.github.com'],
      ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
      ['https://git.example.com:8443', 'https://git.example.com:8443/api/v3'],
    ] as const)
      expect(apis.github.api(origin)).to.equal(api);
  });

  it('says of a certificate that nobody here trusts what to do, and asks no other time', async function () {
    needsCommand(this, 'openssl');
    const folder = temporaryFolder();
    const [key, cert] = ['key', 'cert'].map((name) => join(folder, name)) as [string, string];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1', '-nodes'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-keyout', key, '-out', cert, ...subject], {
      stdio: 'ignore',
    });
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    let connections = 0;
    server.on('connection', () => (connections += 1));
    try {
      const { port } = server.address() as AddressInfo;
      const error = await listRepositories(`gitea:https://127.0.0.1:${port}/acme`, listingSchema.parse({}), {
        token,
        signal: new AbortController().signal,
      }).then(
        () => null,
        (cause: unknown) => cause as ForgeError,
      );
      expect(error?.message).to.contain('NODE_EXTRA_CA_CERTS');
      expect(connections).to.equal(1);
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('leads nowhere else: neither the token, nor a page, nor a clone', async () => {
    const other = await serveForge(token);
    const [elsewhere] = [`${other.origin}/api/v3/orgs/acme/repos`];
    forge.answerInstead({ status: 302, headers: { location: elsewhere } });
    expect((await failure('github')).message).to.contain('another host');
    forge.answerInstead({ status: 200, headers: { link: `<${elsewhere}>; rel="next"` }, body: '[]' });
    expect((await failure('github')).message).to.contain('another host');
    expect(other.asked).to.deep.equal([]);
    await other.close();
    for (const clone_url of [
      'file:///etc',
      'ext::sh -c id',
      '/etc',
      'https://elsewhere.example/a/b',
      '--upload-pack=id',
    ]) {
      forge.answerInstead({ status: 200, body: JSON.stringify([{ id: 1, full_name: 'acme/x', clone_url }]) });
      expect((await failure('github')).message, clone_url).to.contain('not its own');
    }
  });

  describe('as forges describe it', () => {
    const row = leastOf('github', '#/components/schemas/minimal-repository') as object;
    const exchange = {
      method: 'GET',
      path: '/orgs/acme/repos',
      query: 'type=all&per_page=100',
      status: 200,
      headers: { 'content-type': 'application/json', link: '<https://x.example>; rel="next"' } as Record<
        string,
        string
      >,
      body: [row] as unknown,
    };
    const problems = (forge: Parameters<typeof undescribed>[0], changed: Partial<typeof exchange>) => {
      const { query, body, ...rest } = { ...exchange, ...changed };
      return undescribed(forge, { ...rest, query: new URLSearchParams(query), body: JSON.stringify(body) }).join(' ');
    };
    const { html_url: _, ...lacking } = row as Record<string, unknown>;
    for (const [what, forge, changed, says] of [
      ['is what it says', 'github', {}, /^$/],
      ['is not another path', 'github', { path: '/org/acme/repos' }, /is not in the description/],
      ['is not another method', 'github', { method: 'POST' }, /is not in the description/],
      ['takes no other question', 'github', { query: 'limit=100' }, /takes no limit/],
      ['takes no other value', 'github', { query: 'type=everything' }, /type.*allowed values/],
      ['gives no other status', 'github', { status: 204 }, /gives no 204/],
      ['may refuse', 'github', { status: 429 }, /^$/],
      ['gives no other header', 'gitea', { query: '', headers: { 'x-next': '2' }, body: [] }, /gives no header x-next/],
      ['says that it is JSON', 'github', { headers: { 'content-type': 'text/html' } }, /and says so/],
      ['gives all that it has to', 'github', { body: [lacking] }, /required property 'html_url'/],
      ['gives nothing else', 'github', { body: [{ ...row, clone: 'x' }] }, /unevaluated.*clone/],
      ['gives it as it is', 'github', { body: [{ ...row, fork: 'no' }] }, /fork must be boolean/],
      ['is a list', 'gitea', { query: 'limit=50', body: { data: [] } }, /must be array/],
      [
        'gives nothing else inside',
        'gitea',
        { query: '', body: [{ owner: { nickname: 'x' } }] },
        /unevaluated.*nickname/,
      ],
      [
        'is of this forge',
        'gitlab',
        { path: '/groups/acme/projects', query: 'per_page=100', body: [{ full_name: 'a/b' }] },
        /full_name/,
      ],
      [
        'has its page around it',
        'bitbucket',
        { path: '/repositories/acme', query: 'pagelen=100', body: [] },
        /must be object/,
      ],
      [
        'has its kinds',
        'bitbucket',
        {
          path: '/repositories/acme',
          query: '',
          headers: { 'content-type': 'application/json' },
          body: { values: [{ uuid: '{1}' }] },
        },
        /required property 'type'/,
      ],
      [
        'refuses as it says',
        'bitbucket',
        { path: '/repositories/acme', query: '', status: 404, body: {} },
        /required property 'type'/,
      ],
    ] as const)
      it(`${what} (${forge})`, () => expect(problems(forge, changed)).to.match(says));

    it('fails the tests of a fake that is not so', async () => {
      const drifting = await serveForge(token);
      await fetch(`${drifting.origin}/api/v1/orgs/acme/repos?size=3`, { headers: { authorization: `token ${token}` } });
      const error = await drifting.close().then(
        () => null,
        (cause: unknown) => cause as Error,
      );
      expect(error?.message).to.contain('gitea: GET /orgs/{org}/repos takes no size.');
    });
  });

  it('is named in several ways, each with one spelling', () => {
    for (const [given, one] of [
      ['github:acme', 'github:acme'],
      ['github:https://github.com/acme/', 'github:acme'],
      ['github:ghe.example.com/acme', 'github:https://ghe.example.com/acme'],
      ['gitlab:group/sub', 'gitlab:group/sub'],
      ['gitlab:git.example.com:8443/group/sub', 'gitlab:https://git.example.com:8443/group/sub'],
      ['gitea:codeberg.org/acme', 'gitea:https://codeberg.org/acme'],
      ['bitbucket:acme', 'bitbucket:acme'],
    ] as const)
      expect(addressOfOwner(parseForgeOwner(given)!), given).to.equal(one);
    for (const wrong of [
      'github:',
      'github:acme/web',
      'gitea:acme',
      'gitea:',
      'github:..',
      'github:a b',
      'github:https://t:k@x.example/a',
    ])
      expect(() => parseForgeOwner(wrong), wrong).to.throw(Error);
    for (const none of ['acme', '/srv/github', 'https://github.com/acme/web', 'git@github.com:acme/web'])
      expect(parseForgeOwner(none), none).to.equal(null);
  });

  it('of a folder is its clones, at any of four depths, none inside another', async () => {
    const folder = temporaryFolder();
    try {
      for (const path of ['one', 'hosts/example/owner/two', 'one/inner', '.hidden', 'a/b/c/d/too-deep']) {
        mkdirSync(join(folder, path), { recursive: true });
        execFileSync('git', ['init', '--quiet', join(folder, path)]);
      }
      execFileSync('git', ['-C', join(folder, 'one'), 'remote', 'add', 'origin', 'git@github.com:Acme/One.git']);
      const found = await listRepositories(folder, listingSchema.parse({}), {
        token: null,
        signal: new AbortController().signal,
      });
      expect(found.map(({ address }) => address.slice(folder.length + 1))).to.deep.equal([
        'hosts/example/owner/two',
        'one',
      ]);
      expect(found[1]?.place).to.equal('github.com/acme/one');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { ConfigError, readConfig } from '../../src/config.ts';
import { keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { temporaryFolder } from '../support/git-repository.ts';
import { audience, issuer, startIdentityProvider } from '../support/identity-provider.ts';
import type { IdentityProvider } from '../support/identity-provider.ts';

const isKey = /ris_live_[0-9A-Za-z]{38}/;

describe('repo-intel login, whoami, api, logout', () => {
  let data: string;
  let configuration: string;
  let provider: IdentityProvider;
  let running: Running;
  let ownerKey: string;
  before(async () => {
    data = await dataFolder();
    provider = await startIdentityProvider();
    running = await startRepoIntel(['serve'], {
      DATA_DIR: data,
      OWNER_JWT_ISSUER: issuer,
      OWNER_JWT_AUDIENCE: audience,
      OWNER_JWT_JWKS_URL: provider.jwksUrl.href,
      RATE_LIMITS: 'pair_exchange=1000/60',
    });
    const created = await repoIntel(
      ['keys', 'create', '--organization', 'acme', '--role', 'owner', '--member', 'anna', '--subject', 'u_1'],
      { DATA_DIR: data },
    );
    ownerKey = keyIn(created.stdout);
  });
  after(async () => {
    await running.kill();
    await provider.close();
    rmSync(data, { recursive: true, force: true });
  });
  beforeEach(() => (configuration = temporaryFolder()));
  afterEach(() => rmSync(configuration, { recursive: true, force: true }));

  const folder = () => join(configuration, 'repo-intel');
  const file = () => join(folder(), 'credentials.json');
  const kept = () => JSON.parse(readFileSync(file(), 'utf8')) as Record<string, string>;
  const run = (args: string[], input?: string) =>
    repoIntel(args, { DATA_DIR: data, XDG_CONFIG_HOME: configuration }, undefined, input);
  const code = async (fields: object = {}) => {
    const response = await fetch(`${running.address}/v1/cli/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ owner_jwt: await provider.token(), ...fields }),
    });
    expect(response.status).to.equal(201);
    return ((await response.json()) as { pairing_code: string }).pairing_code;
  };
  const login = async (fields: object = {}) => run(['login', await code(fields), '--url', running.address]);
  /** Where nobody listens any more. */
  const nowhere = async () => {
    const { jwksUrl, close } = await startIdentityProvider();
    await close();
    return jwksUrl.origin;
  };
  const ask = async (path: string, key: string) =>
    fetch(`${running.address}${path}`, { headers: { authorization: `Bearer ${key}` } });

  it('keeps a key of its own where nobody else can read it, never shows it, and asks with it until logout ends it', async () => {
    const { code: exit, stdout, stderr } = await login({ role: 'viewer', device_name: 'laptop' });
    expect([exit, stdout]).to.deep.equal([0, '']);
    expect(stderr).to.match(/^You are in: viewer of acme at http:\/\/127\.0\.0\.1:\d+, until \d{4}-\d\d-\d\d\.\n$/);
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    expect(statSync(folder()).mode & 0o777).to.equal(0o700);
    expect(readdirSync(folder())).to.deep.equal(['credentials.json']);
    const { api_key: key = '', session_id } = kept();
    expect(key).to.match(isKey);
    const session = (await (await ask('/v1/cli/session', key)).json()) as Record<string, unknown>;
    expect(session).to.deep.include({ id: session_id, device_name: 'laptop', role: 'viewer' });
    expect(session['client']).to.deep.include({ name: 'repo-intel', platform: `${process.platform}-${process.arch}` });

    const who = await run(['whoami']);
    expect([who.code, who.stderr]).to.deep.equal([0, '']);
    expect(who.stdout).to.match(/^viewer of acme at http:\/\/127\.0\.0\.1:\d+, until \d{4}-\d\d-\d\d\n$/);
    const whoJson = await run(['whoami', '--json']);
    expect(JSON.parse(whoJson.stdout)).to.deep.include({ session_id, url: running.address });

    const api = await run(['api', '/api/search?q=x']);
    expect([api.code, (JSON.parse(api.stdout) as { total: number }).total]).to.deep.equal([0, 0]);
    const agent = new Client({ name: 'test', version: '1.0.0' });
    await agent.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['src/cli/main.ts', 'mcp'],
        env: { PATH: process.env['PATH'] ?? '', DATA_DIR: data, XDG_CONFIG_HOME: configuration },
      }),
    );
    const { content } = await agent.callTool({ name: 'search_code', arguments: { query: 'x' } });
    expect(content).to.deep.equal([{ type: 'text', text: '0 of 0 for "x", best first:' }]);
    await agent.close();
    const refused = await run(['api', '/v1/api-keys']);
    expect([refused.code, refused.stdout]).to.deep.equal([1, '']);
    expect(refused.stderr).to.include('insufficient_role');

    const out = await run(['logout']);
    expect([out.code, out.stdout]).to.deep.equal([0, '']);
    expect(readdirSync(folder())).to.deep.equal([]);
    expect((await ask('/', key)).status).to.equal(401);
    for (const outcome of [who, whoJson, api, refused, out, { stdout, stderr }])
      expect(outcome.stdout + outcome.stderr).not.to.match(isKey);
    expect((await run(['logout'])).code).to.equal(0);
  });

  it('reads the code from stdin, whatever its form', async () => {
    const { code: exit } = await run(['login', '--url', `${running.address}/`], ` ${(await code()).toLowerCase()}\n`);
    expect(exit).to.equal(0);
    expect(kept()['url']).to.equal(running.address);
  });

  it('puts a new key in place of the one before, whose session ends', async () => {
    mkdirSync(folder());
    chmodSync(folder(), 0o755);
    await login();
    const before = kept();
    chmodSync(file(), 0o644);
    await login();
    expect(kept()['session_id']).not.to.equal(before['session_id']);
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    expect(statSync(folder()).mode & 0o777).to.equal(0o700);
    expect((await ask('/', before['api_key'] ?? '')).status).to.equal(401);
    expect((await ask('/', kept()['api_key'] ?? '')).status).to.equal(200);
  });

  it('a session that an owner has ended: whoami says what to do, logout removes the key', async () => {
    await login();
    const ended = await fetch(`${running.address}/v1/cli/sessions/${kept()['session_id']}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${ownerKey}` },
    });
    expect(ended.status).to.equal(204);
    const who = await run(['whoami']);
    expect([who.code, who.stdout]).to.deep.equal([1, '']);
    expect(who.stderr).to.include('repo-intel login');
    expect((await run(['logout'])).code).to.equal(0);
    expect(readdirSync(folder())).to.deep.equal([]);
  });

  describe('exits 1, with one sentence, and keeps nothing', () => {
    it('for a code that is not good', async () => {
      const used = await code();
      await run(['login', used, '--url', running.address]);
      const first = kept();
      for (const wrong of [used, 'hello']) {
        const outcome = await run(['login', wrong, '--url', running.address]);
        expect([outcome.code, outcome.stdout]).to.deep.equal([1, '']);
        expect(outcome.stderr).to.match(
          /^repo-intel: The pairing code is not valid \(invalid_pairing_code, see .*\)\n$/,
        );
      }
      expect(kept()).to.deep.equal(first);
    });

    it('without a code', async () => {
      const outcome = await run(['login', '--url', running.address]);
      expect(outcome.code).to.equal(1);
      expect(outcome.stderr).to.match(/^repo-intel: There is no pairing code: .*\n$/);
    });

    it('where no service is, or another one', async () => {
      const absent = await run(['login', 'BBBB-BBBB-BBBB', '--url', await nowhere()]);
      expect(absent.code).to.equal(1);
      expect(absent.stderr).to.match(
        /^repo-intel: There is no answer from http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\): .*\n$/,
      );
      const other = await run(['login', 'BBBB-BBBB-BBBB', '--url', provider.jwksUrl.origin]);
      expect(other.code).to.equal(1);
      expect(other.stderr).to.include('is no Repository Intelligence Service');
      expect(readdirSync(folder())).to.deep.equal([]);
    });

    it('where the key can’t be kept, before the code is used up', async () => {
      writeFileSync(folder(), 'a file in the way');
      const good = await code();
      const outcome = await run(['login', good, '--url', running.address]);
      expect(outcome.code).to.equal(1);
      expect(outcome.stderr).to.match(/^repo-intel: The key .* can't be .*\n$/);
      rmSync(folder());
      expect((await run(['login', good, '--url', running.address])).code).to.equal(0);
    });

    it('when not logged in, or when the file is damaged', async () => {
      for (const args of [['whoami'], ['api', '/']]) {
        const outcome = await run(args);
        expect([outcome.code, outcome.stdout]).to.deep.equal([1, '']);
        expect(outcome.stderr).to.match(/^repo-intel: This command line is not logged in: .*\n$/);
      }
      mkdirSync(folder());
      writeFileSync(file(), '{"url":');
      expect((await run(['whoami'])).stderr).to.match(/^repo-intel: .* is damaged: .*\n$/);
    });

    it('logout while the service is away: the key goes on being good, so it is kept', async () => {
      await login();
      writeFileSync(file(), JSON.stringify({ ...kept(), url: await nowhere() }));
      const { code: exit, stderr } = await run(['logout']);
      expect(exit).to.equal(1);
      expect(stderr).to.include('so it is kept');
      expect(readdirSync(folder())).to.deep.equal(['credentials.json']);
    });
  });

  it('exits 2 for a URL or a path that is none', async () => {
    for (const args of [
      ['login', 'BBBB-BBBB-BBBB', '--url', 'ris.example'],
      ['api', 'api/search'],
    ])
      expect((await run(args)).code, args.join(' ')).to.equal(2);
  });
});

describe('settings of pairing', () => {
  for (const [settings, says] of [
    [{ PAIRING_AUTH: 'api_key', NODE_ENV: 'production' }, 'PAIRING_AUTH must be jwt in production'],
    [{ PAIRING_AUTH: 'password' }, 'PAIRING_AUTH'],
    [{ OWNER_JWT_ISSUER: issuer }, 'OWNER_JWT_JWKS_URL must be set with the other two'],
    [{ OWNER_JWT_JWKS_URL: 'http://id.example/jwks' }, 'must begin with https://, except on this machine'],
    [{ OWNER_JWT_JWKS_URL: 'http://localhost.evil.example/jwks' }, 'must begin with https://, except on this machine'],
  ] as const)
    it(`refuses to start with ${JSON.stringify(settings)}`, () => {
      expect(() => readConfig(settings)).to.throw(ConfigError, says);
    });
});

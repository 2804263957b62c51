import { expect } from 'chai';
import { repoIntel } from '../support/cli.ts';

const commands = [
  'up',
  'serve',
  'load',
  'analyze',
  'list',
  'remove',
  'keys create',
  'keys list',
  'keys rotate',
  'keys revoke',
  'checkout-hosts',
  'export',
  'explain',
  'rebuild',
  'login',
  'whoami',
  'api',
  'logout',
];

describe('repo-intel', () => {
  for (const command of commands) {
    it(`teaches ${command} with an example, on stdout, and exits 0`, async () => {
      const { code, stdout, stderr } = await repoIntel([...command.split(' '), '--help']);
      expect(code).to.equal(0);
      expect(stdout).to.match(/Examples?:\n {2}\$ /);
      expect(stderr).to.equal('');
    });
  }

  for (const [args, says] of [
    [['lod', '.'], "unknown command 'lod'"],
    [['load'], "missing required argument 'source'"],
    [['load', '--nmae', 'x', '.'], '(repo-intel load --help shows what it takes)'],
    [['analyze', '.'], 'say where to'],
    [['analyze', '.', '-o', 'facts.txt'], 'ends in .jsonl'],
    [['keys', 'create'], '--organization'],
    [['keys', 'create', '--organization', 'No Such'], 'lower-case letters'],
    [['keys', 'rotate', 'key_1', '--overlap-seconds', '86401'], 'up to 86400'],
    [['checkout-hosts', 'acme', 'https://a.example'], 'a host by its name'],
    [['explain', 'src/app.ts'], 'a file and a line'],
    [['export', '--format', 'pdf'], 'Allowed choices are edges, csv'],
  ] as const) {
    it(`exits 2 and says what is wrong with: ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await repoIntel(args);
      expect(code).to.equal(2);
      expect(stdout).to.equal('');
      expect(stderr).to.include(says);
    });
  }

  it('says before the work that a file or the data folder cannot be written', async () => {
    const analyze = await repoIntel(['analyze', '.', '-o', '/no-such-folder/facts.jsonl']);
    expect(analyze).to.include({ code: 1, stdout: '' });
    expect(analyze.stderr).to.match(/^repo-intel: .* can't be written: \/no-such-folder is no folder .*\n$/);
    const list = await repoIntel(['list'], { DATA_DIR: import.meta.filename });
    expect(list).to.include({ code: 1, stdout: '' });
    expect(list.stderr).to.match(
      /^repo-intel: The data folder .* can't be used \(EEXIST.*\): choose one .* DATA_DIR\.\n$/,
    );
  });

  it('exits 2 and names each setting that is not valid', async () => {
    const { code, stderr } = await repoIntel(['list'], { PORT: '99999', DATABASE_URL: 'mysql://x' });
    expect(code).to.equal(2);
    expect(stderr).to.include('PORT').and.to.include('DATABASE_URL must begin with postgres://');
  });
});

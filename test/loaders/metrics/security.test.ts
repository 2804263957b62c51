import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { affects, baseScore } from '../../../loaders/vulnerabilities/advisory.ts';
import { secretRules } from '../../../loaders/metrics/security/secret-rules.ts';
import { maxHintLength, secretsIn } from '../../../loaders/metrics/security/secrets-in.ts';
import { openVulnerabilityDatabase } from '../../../loaders/vulnerabilities/vulnerability-database.ts';
import { repoIntel } from '../../support/cli.ts';
import { gitRepository, temporaryFolder } from '../../support/git-repository.ts';
import { metricsOf, metricsOfFiles } from './metrics-of.ts';
import { dedent } from '../../support/dedent.ts';

/** Characters that look random and are the same in every run; no scanner finds a secret in this file. */
function random(length: number, alphabet: string, seed = 'seed'): string {
  let text = '';
  for (let round = 0; text.length < length; round++)
    for (const byte of createHash('sha256').update(`${seed} ${length} ${round}`).digest())
      if (text.length < length) text += alphabet[byte % alphabet.length] ?? '';
  return text;
}
/** Of parts that are no secret apart. */
const join = (...parts: readonly string[]) => parts.join('');
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const hex = '0123456789abcdef';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = `${letters}0123456789`;
const keyBlock = (body: string) =>
  ['-----BEGIN RSA', 'PRIVATE KEY-----\n'].join(' ') + join(body, '\n-----END RSA ', 'PRIVATE', ' KEY-----\n');

describe('metrics: secrets', () => {
  it('are hinted at by texts of a bounded length, as what differs between two versions is looked at alone', () => {
    const unbounded = /[*+]|\{\d+,\}/;
    for (const { hint } of secretRules) {
      expect(hint).to.not.match(unbounded);
      // `{16}` says what `\w` is repeated: with these there are no longer texts.
      const repeated = [...hint.matchAll(/\{(?:\d+,)?(\d+)\}/g)].reduce((sum, [, times]) => sum + Number(times), 0);
      expect(hint.length + repeated).to.be.at.most(maxHintLength);
    }
  });

  const tokens: Record<string, string> = {
    anthropic: join('sk-ant-', 'api03', '-', random(93, base62), 'AA'),
    aws_access_key: join('AK', 'IA', random(16, upper)),
    azure_client_secret: join(random(3, base62), '8', 'Q~', random(34, base62)),
    databricks: join('da', 'pi', random(32, hex)),
    digitalocean: join('dop_', 'v1', '_', random(64, hex)),
    github: join('gh', 'p_', random(36, base62)),
    github_fine_grained: join('github_', 'pat_', random(82, base62)),
    gitlab: join('gl', 'pat-', random(20, base62)),
    google_api_key: join('AI', 'za', random(35, base62)),
    hugging_face: join('h', 'f_', random(34, letters)),
    mailchimp: join(random(32, hex), '-us', '12'),
    mailgun: join('ke', 'y-', random(32, hex)),
    npm: join('np', 'm_', random(36, base62)),
    openai: join('sk-', random(20, base62), 'T3Blbk', 'FJ', random(20, base62)),
    pypi: join('pypi-', 'AgEIcHlwaS5vcmc', random(70, base62)),
    sendgrid: join('S', 'G.', random(22, base62), '.', random(43, base62)),
    shopify: join('shp', 'at_', random(32, hex)),
    slack: join('xo', 'xb-', random(11, '123456789'), '-', random(12, '123456789'), '-', random(24, base62)),
    stripe: join('sk_', 'live_', random(24, base62)),
    telegram: join(random(9, '123456789'), ':A', 'AF', random(32, base62)),
    terraform_cloud: join(random(14, base62), '.atlas', 'v1.', random(64, base62)),
    twilio: join('S', 'K', random(32, hex)),
  };

  it('of every provider are found in source code, each with its rule and line, and never kept', async () => {
    const entries = Object.entries(tokens);
    const { metric, measurements } = await metricsOfFiles({
      'src/client.py': `${entries.map(([, token], index) => `call_${index}('${token}')`).join('\n')}\n`,
    });
    const { value, evidence, quantities } = metric('secret_finding_count');
    expect(evidence.map(({ line, note }) => `${line} ${note?.split(' ')[0]}`)).to.deep.equal(
      entries.map(([rule], index) => `${index + 1} ${rule}`),
    );
    expect(value).to.equal(entries.length);
    expect(quantities).to.deep.equal({ provider: entries.length, generic: 0, removed: 0, aside: 0 });
    // One alone is found as well: the quick look for hints misses none.
    for (const [rule, token] of entries)
      expect(secretsIn(`x = "${token}"`, 'a.py').map((each) => each.rule)).to.deep.equal([rule]);
    const kept = JSON.stringify(measurements);
    for (const [rule, token] of entries) {
      expect(kept, rule).to.not.contain(token.slice(-12));
      expect(kept, rule).to.contain(createHash('sha256').update(token).digest('hex').slice(0, 12));
    }
  });

  it('each rule finds what its form describes, alone in a file', () => {
    for (const { id, pattern } of secretRules) {
      // A class is sampled by its parts: half of the characters of [\w-] would be hyphens.
      const form = pattern.replaceAll(/\[\\w[^\]]*\]|\\w|\[A-Za-z0-9[+/=_]+\]/g, '[A-Za-z0-9]');
      const samples = fc.sample(fc.noBias(fc.stringMatching(new RegExp(`^(?:${form})$`))), { seed: 7, numRuns: 50 });
      // Some of those that chance makes look like placeholders, or have another token in them.
      const found = samples.filter((token) => secretsIn(`call("${token}")`, 'a.py').some(({ rule }) => rule === id));
      expect(found.length, id).to.be.above(25);
    }
  });

  it('in settings and keys are found, also those that only their name tells', async () => {
    const value = random(32, base62);
    const { metric } = await metricsOfFiles({
      '.env': `# settings\nNAME=shop\nSESSION_SECRET=${value}\n`,
      'config/app.yml': `db:\n  password: "${random(24, base62, 'db')}"\n  name: shop\n`,
      'deploy/server.key': keyBlock(random(1_600, base62).replaceAll(/(.{64})/g, '$1\n')),
      'config.json': JSON.stringify({ token: tokens['github'] }),
      'App.java': `class App { private static final String API_KEY = "${random(40, hex)}"; }\n`,
      'aws.ini': `aws_secret_access_key = ${random(40, base62, 'aws')}\n`,
    });
    const { evidence, quantities } = metric('secret_finding_count');
    expect(evidence.map(({ path, line, note }) => [path, line, note?.split(' ')[0]])).to.deep.equal([
      ['aws.ini', 1, 'aws_secret_key'],
      ['config.json', 1, 'github'],
      ['deploy/server.key', 1, 'private_key'],
      ['.env', 3, 'generic'],
      ['App.java', 1, 'generic'],
      ['config/app.yml', 2, 'generic'],
    ]);
    expect(quantities).to.deep.equal({ provider: 3, generic: 3, removed: 0, aside: 0 });
    expect(evidence.find(({ path }) => path === '.env')?.note).to.contain(
      createHash('sha256').update(value).digest('hex').slice(0, 12),
    );
  });

  it('are found in files that no other figure counts, and in two halves', async () => {
    const token = tokens['github'] ?? '';
    const line = `token = "${token}"\n`;
    const { metric, measurements } = await metricsOfFiles({
      '.gitattributes': dedent`
        theirs.py linguist-vendored
        made.py linguist-generated

      `,
      'a.py': `key = "${token.slice(0, 9)}" + '${token.slice(9)}'\n`,
      'made.py': line,
      'theirs.py': line,
      'vendor/b.py': line,
      'c.min.js': line,
      'nul.py': `# \0\n${line}`,
      'odd.py': Buffer.concat([Buffer.from('# '), Buffer.from([0xff]), Buffer.from(`\n${line}`)]),
      // A program is no source, whatever it is called.
      'program.py': Buffer.from(Array.from({ length: 2_000 }, (_, at) => at % 251)),
    });
    expect(metric('secret_finding_count').evidence.map(({ path, line: at }) => `${path}:${at}`)).to.deep.equal([
      'a.py:1',
      'c.min.js:1',
      'made.py:1',
      'nul.py:2',
      'odd.py:2',
      'theirs.py:1',
      'vendor/b.py:1',
    ]);
    expect(measurements.left_out).to.deep.equal([
      { rule: 'binary', by: 'content', files: 2, lines: 51, largest: ['program.py', 'nul.py'] },
      { rule: 'generated', by: 'gitattributes', files: 1, lines: 1, largest: ['made.py'] },
      { rule: 'minified', by: 'path', files: 1, lines: 1, largest: ['c.min.js'] },
      { rule: 'vendored', by: 'gitattributes', files: 1, lines: 1, largest: ['theirs.py'] },
      { rule: 'vendored', by: 'path', files: 1, lines: 1, largest: ['vendor/b.py'] },
    ]);
  });

  it('are not what only looks like one', async () => {
    const { metric } = await metricsOfFiles({
      'src/a.py': [
        join("key = 'AKIA", 'IOSFODNN7', "EXAMPLE'"),
        join("token = '", 'gh', 'p_', 'x'.repeat(36), "'"),
        "password = os.environ['PASSWORD']",
        "secret = 'django-insecure-change-me-0123456789abcdef'",
        "api_key = 'your-api-key-goes-here-1234'",
        join("request_token = '", '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', "'"),
        `password_hash = '${random(64, hex)}'`,
        `token_url = '${random(40, base62)}'`,
        "token = 'django.contrib.auth.tokens.PasswordResetTokenGenerator'",
        'if line.startswith("-----BEGIN PRIVATE KEY-----"):',
        `commit = '${random(40, hex)}'`,
      ].join('\n'),
      'tests/test_a.py': `API_KEY = '${random(40, hex)}'\nKEY = """${keyBlock(random(600, base62))}"""\n`,
      '.env.example': `SECRET_KEY=${random(40, base62)}\n`,
      'yarn.lock': `token "${random(40, hex)}"\nx ${tokens['github']}\n`,
      'ci.yml': dedent`
        token: \${{ secrets.DEPLOY_TOKEN_FOR_PRODUCTION_1 }}
        password: \${DATABASE_PASSWORD_2024_X}

      `,
      'locale/de/app.yml': `password: "${random(24, base62)}"\n`,
    });
    const { value, status, evidence, quantities } = metric('secret_finding_count');
    expect({ value, status, quantities }).to.deep.equal({
      value: 0,
      status: 'measured',
      quantities: { provider: 0, generic: 0, removed: 0, aside: 4 },
    });
    // What stands in tests, samples and translations is told, and counts less.
    expect(evidence.map(({ path, note }) => [path, note?.split(' ')[0], note?.includes('counts less')])).to.deep.equal([
      ['tests/test_a.py', 'private_key', true],
      ['.env.example', 'generic', true],
      ['locale/de/app.yml', 'generic', true],
      ['tests/test_a.py', 'generic', true],
    ]);
  });

  it('that were removed are in the history still, and told apart by the oldest commit that has them', async () => {
    using repository = gitRepository();
    const token = tokens['github'] ?? '';
    const padding = (seed: number) => Array.from({ length: 400 }, (_, n) => `line_${n} = ${n * seed}\n`).join('');
    const settings = (line: string, seed = 1) => ({ 'src/settings.py': padding(seed) + line + padding(seed + 1) });
    repository.commit('clean', { files: { ...settings(''), 'ignored.lock': `token = "${token}"\n` } });
    const since = repository.commit('leak', { files: settings(`token = "${token}"\n`) });
    repository.commit('kept', { files: settings(`token = "${token}"\n`, 3) });
    repository.commit('mend', { files: settings('token = read()\n') });
    repository.commit('leak again', { files: { 'b.py': `token = "${token}"\n` } });
    repository.commit('mend again', { files: { 'b.py': null } });
    const first = await metricsOf(repository.path);
    const { value, evidence, quantities } = first.metric('secret_finding_count');
    const digest = createHash('sha256').update(token).digest('hex').slice(0, 12);
    expect(evidence).to.deep.equal([
      {
        path: 'src/settings.py',
        line: 401,
        commit: since,
        note: `github (sha256 ${digest}…), removed, but in history since ${since.slice(0, 12)}`,
      },
    ]);
    expect({ value, quantities }).to.deep.equal({
      value: 1,
      quantities: { provider: 1, generic: 0, removed: 1, aside: 0 },
    });
    expect((await metricsOf(repository.path)).measurements).to.deep.equal(first.measurements);
  });

  it('that a single character made, and another took back, are in the history, too', async () => {
    using repository = gitRepository();
    const token = tokens['github'] ?? '';
    const lines = Array.from({ length: 400 }, (_, n) => `line_${n} = ${n}\n`).join('');
    const commit = (subject: string, text: string) =>
      repository.commit(subject, { files: { 'src/a.py': `${lines}t = "${text}"\n${lines}` } });
    const broken = `${token.slice(0, 20)}-${token.slice(21)}`;
    commit('begin', broken);
    const since = commit('leak', token);
    commit('mend', broken);
    const { value, evidence } = (await metricsOf(repository.path)).metric('secret_finding_count');
    expect(value).to.equal(1);
    expect(evidence.map(({ commit: at }) => at)).to.deep.equal([since]);
  });

  it('that only a merge added, that attributes hide, or that a shallow clone began with, are in the history too', async () => {
    using repository = gitRepository({ files: { 'a.py': 'a = 1\n', '.gitattributes': '*.py -diff binary\n' } });
    repository.git('checkout', '--quiet', '-b', 'side');
    repository.commit('side', { files: { 'b.py': 'b = 1\n' } });
    repository.git('checkout', '--quiet', 'main');
    repository.commit('main', { files: { 'c.py': 'c = 1\n' } });
    repository.git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'merge', '--no-commit', '--quiet', 'side');
    const leak = { 'd.py': `t = "${tokens['npm']}"\n`, 'a.py': `a = 1\nt = "${tokens['pypi']}"\n` };
    const merge = repository.commit('merge', { files: leak });
    repository.commit('mend', { files: { 'd.py': null, 'a.py': 'a = 1\n' } });
    const found = async (path: string) =>
      (await metricsOf(path))
        .metric('secret_finding_count')
        .evidence.map(({ path: at, line, note, commit }) => [`${at}:${line}`, note?.split(' ')[0], commit]);
    expect(await found(repository.path)).to.deep.equal([
      ['a.py:2', 'pypi', merge],
      ['d.py:1', 'npm', merge],
    ]);
    const folder = temporaryFolder();
    try {
      repository.git('clone', '--quiet', '--bare', '--depth', '2', `file://${repository.path}`, folder);
      expect((await found(folder)).map(([place, rule]) => [place, rule])).to.deep.equal([
        ['a.py:2', 'pypi'],
        ['d.py:1', 'npm'],
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are not excused by a move to a test, and count less, but something, where they call themselves an example', async () => {
    using repository = gitRepository();
    const secret = random(24, base62, 'own');
    repository.commit('leak', { files: { 'src/a.py': `password = "${secret}"\n` } });
    repository.commit('move', { files: { 'src/a.py': null, 'tests/test_a.py': `password = "${secret}"\n` } });
    const moved = (await metricsOf(repository.path)).metric('secret_finding_count');
    expect(moved.value).to.equal(1);
    expect(moved.evidence[0]).to.include({ path: 'tests/test_a.py', line: 1 });
    const { metric } = await metricsOfFiles({
      'a.py': `# for example\npassword = "${random(24, base62, 'one')}"\n`,
      'b.py': `password = "test-${random(24, base62, 'two')}"\n`,
      'c.py': 'password = "test-password-for-example"\n',
    });
    const { value, quantities } = metric('secret_finding_count');
    expect({ value, aside: quantities['aside'] }).to.deep.equal({ value: 0, aside: 2 });
  });

  it('a file made to be slow takes no longer than another', async () => {
    const before = process.cpuUsage();
    const { metric } = await metricsOfFiles({
      'a.py': `x = "${'AKIA'.repeat(100_000)}"\n`,
      'b.py': 'token = "'.repeat(50_000),
      'c.py': `y = '${'-----BEGIN PRIVATE KEY-----'.repeat(10_000)}'\n`,
      'd.json': `{"password": "${'a1'.repeat(200_000)}"}`,
      'e.json': 'eyJ'.repeat(200_000),
    });
    expect(metric('secret_finding_count').status).to.equal('measured');
    // Of all threads; other processes may slow the clock, not this.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).to.be.below(10_000);
  });
});

describe('metrics: insecure patterns', () => {
  it('are found in workflows, recipes, settings, the tree and scanners’ reports', async () => {
    const { metric } = await metricsOfFiles({
      '.github/workflows/pr.yml': `on:
  pull_request_target:
permissions: write-all
jobs:
  build:
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
      - run: npm test
      - run: |
          echo hello
          echo "\${{ github.event.pull_request.title }}"
      - run: git log \${{ github.head_ref }}
      - run: echo \${{ github.sha }} \${{ github.event.pull_request.number }}
`,
      // Here the code is the branch's own, with rights of a reader.
      '.github/workflows/ci.yml': `on: pull_request
permissions: { contents: read }
jobs: { test: { steps: [{ uses: actions/checkout@v4, with: { ref: "\${{ github.event.pull_request.head.sha }}" } }] } }
`,
      Dockerfile: dedent`
        FROM node:24 AS build
        USER node
        FROM nginx
        COPY --from=build /a /a

      `,
      'api/Dockerfile': dedent`
        ARG BASE=x
        FROM python:latest AS base
        USER app
        FROM base
        RUN true

      `,
      'tests/Dockerfile': 'FROM nginx\n',
      'lib/tool.jar': new Uint8Array([0x50, 0x4b, 3, 4, 0]),
      'gradle/wrapper/gradle-wrapper.jar': new Uint8Array([0x50, 0x4b, 3, 4, 0]),
      'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]),
      'test/fixtures/a.jar': new Uint8Array([0x50, 0x4b, 3, 4, 0]),
      'keys/id_rsa': 'key\n',
      'android/debug.keystore': new Uint8Array([0, 1]),
      '.env': 'NAME=shop\nDB_PASSWORD=horse-staple-9\n',
      'web/.env': dedent`
        PUBLIC_URL=/shop
        API_TOKEN=your-token-here

      `,
      '.env.example': 'DB_PASSWORD=horse-staple-9\n',
      'report.sarif': JSON.stringify({
        version: '2.1.0',
        runs: [
          {
            tool: {
              driver: {
                name: 'Scan',
                rules: [
                  { id: 'R1', defaultConfiguration: { level: 'error' } },
                  { id: 'R2', defaultConfiguration: { level: 'note' } },
                ],
              },
            },
            results: [
              {
                ruleId: 'R1',
                locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.c' }, region: { startLine: 7 } } }],
              },
              { ruleId: 'R2', message: { text: 'a note' } },
              { ruleId: 'R3', level: 'warning' },
              { ruleId: 'R1', suppressions: [{ kind: 'inSource' }] },
              { ruleId: 'R1', kind: 'pass' },
            ],
          },
        ],
      }),
    });
    const { value, evidence, quantities } = metric('security_pattern_finding_count');
    expect(evidence.map(({ path, line, note }) => [note, path, line])).to.deep.equal([
      ['untrusted_checkout', '.github/workflows/pr.yml', 9],
      ['script_injection', '.github/workflows/pr.yml', 13],
      ['script_injection', '.github/workflows/pr.yml', 14],
      ['binary_artifact', 'gradle/wrapper/gradle-wrapper.jar', null],
      ['binary_artifact', 'lib/tool.jar', null],
      ['token_write_all', '.github/workflows/pr.yml', 3],
      ['committed_environment', '.env', 2],
      ['dockerfile_floating_image', 'Dockerfile', 3],
      ['dockerfile_root', 'Dockerfile', 3],
      ['dockerfile_floating_image', 'api/Dockerfile', 2],
      ['committed_key', 'keys/id_rsa', null],
      ['Scan: R1 (error)', 'src/a.c', 7],
      ['Scan: R3 (warning)', 'report.sarif', null],
      ['no_security_policy', null, null],
    ]);
    expect(quantities).to.include({ dangerous_workflows: 3, binaries: 2, others: 9, code_high: 0, code_aside: 0 });
    expect(value).to.equal(14);
  });

  it('are none in a tree that has none; that is a real zero', async () => {
    const { metric } = await metricsOfFiles({
      'a.c': 'int x;\n',
      '.github/SECURITY.md': 'Write to us.\n',
      '.github/workflows/wrapper.yml': dedent`
          on: push
          jobs: { a: { steps: [{ uses: gradle/actions/wrapper-validation@v4 }] } }

        `,
      'gradle/wrapper/gradle-wrapper.jar': new Uint8Array([0x50, 0x4b, 3, 4, 0]),
      Dockerfile: `FROM node:24@sha256:${'a'.repeat(64)}\nUSER node\n`,
    });
    expect(metric('security_pattern_finding_count')).to.deep.include({ value: 0, status: 'measured', evidence: [] });
  });

  it('hostile reports, workflows and recipes are passed over', async () => {
    const { metric } = await metricsOfFiles({
      'SECURITY.md': 'Write to us.\n',
      'a.sarif': '{"runs": [',
      'b.sarif': '[]',
      'c.sarif':
        '{"runs": [null, 7, {"results": 3}, {"tool": [], "results": [null, {"locations": [{"physicalLocation": 9}], "level": 12}]}]}',
      'd.sarif': '['.repeat(200_000),
      'e.sarif':
        '{"__proto__": {"runs": []}, "runs": [{"results": [{"ruleIndex": -5, "level": "error", "locations": [{"physicalLocation": {"region": {"startLine": -1}}}]}]}]}',
      '.github/workflows/a.yml': dedent`
        on: [pull_request_target]
        jobs: [1, {steps: 7}]

      `,
      '.github/workflows/b.yml': `on: workflow_run\njobs: { a: { steps: [null, 3, { with: 4, uses: actions/checkout }, { run: "${'${{ '.repeat(5_000)}" }] } }\n`,
      Dockerfile: `USER\nFROM\nFROM ${'a:'.repeat(20_000)}\n`,
      '.env': `${'TOKEN'.repeat(20_000)}=\n`,
    });
    const { status, evidence } = metric('security_pattern_finding_count');
    expect(status).to.equal('measured');
    // Of these, three are readable: two results without a name, and a container that runs as root.
    expect(evidence.map(({ note, line }) => [note, line])).to.deep.equal([
      ['dockerfile_root', 3],
      ['sarif: finding (warning)', null],
      ['sarif: finding (error)', null],
    ]);
  });
});

describe('metrics: vulnerable dependencies', () => {
  const folder = temporaryFolder();
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** An OSV record of one package. */
  const advisory = (id: string, ecosystem: string, name: string, events: object[], more: object = {}) => ({
    id,
    affected: [
      { package: { ecosystem, name }, ranges: [{ type: ecosystem === 'PyPI' ? 'ECOSYSTEM' : 'SEMVER', events }] },
    ],
    ...more,
  });
  const severity = (level: string) => ({ database_specific: { severity: level } });

  function write(ecosystem: string, records: readonly { id: string; affected: object[] }[]): void {
    mkdirSync(joinPath(folder, ecosystem), { recursive: true });
    writeFileSync(joinPath(folder, ecosystem, 'all.zip'), zipOf(records));
  }

  it('of every kind of lockfile are found in a copy of the database, with what fixes them', async () => {
    write('npm', [
      advisory('GHSA-1', 'npm', 'lodash', [{ introduced: '0' }, { fixed: '4.17.21' }], severity('HIGH')),
      advisory('GHSA-2', 'npm', '@b/c', [{ introduced: '1.0.0' }, { fixed: '2.0.0' }], severity('MODERATE')),
      advisory('GHSA-3', 'npm', 'safe', [{ introduced: '2.0.0' }, { fixed: '2.1.0' }]),
      advisory('GHSA-4', 'npm', 'lodash', [{ introduced: '0' }], {
        ...severity('CRITICAL'),
        withdrawn: '2024-01-01T00:00:00Z',
      }),
      advisory('MAL-5', 'npm', 'evil', [{ introduced: '0' }]),
      advisory('GHSA-6', 'npm', 'by-yarn', [{ introduced: '1.0.0' }, { last_affected: '1.5.0' }], severity('LOW')),
      advisory('GHSA-7', 'npm', 'berry', [{ introduced: '0' }, { fixed: '0.3.0' }]),
      advisory('GHSA-8', 'npm', 'by-pnpm', [
        { introduced: '0' },
        { fixed: '1.0.1' },
        { introduced: '2.0.0' },
        { fixed: '2.0.2' },
      ]),
    ]);
    write('PyPI', [
      advisory('PYSEC-1', 'PyPI', 'django', [{ introduced: '4.0' }, { fixed: '4.2.1' }], {
        severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
      }),
      advisory('PYSEC-2', 'PyPI', 'flask-cors', [{ introduced: '0' }, { fixed: '4.0.0rc1' }]),
      advisory('PYSEC-3', 'PyPI', 'uv-one', [{ introduced: '0' }, { fixed: '2' }]),
      { id: 'PYSEC-4', affected: [{ package: { ecosystem: 'PyPI', name: 'listed' }, versions: ['1.0', '1.1'] }] },
    ]);
    write('Go', [advisory('GO-1', 'Go', 'example.com/x', [{ introduced: '0' }, { fixed: '1.2.3' }])]);
    write('crates.io', [advisory('RUSTSEC-1', 'crates.io', 'tiny', [{ introduced: '0.0.0-0' }, { fixed: '0.2.0' }])]);
    write('RubyGems', [advisory('GHSA-R', 'RubyGems', 'rack', [{ introduced: '3.0' }, { fixed: '3.1.10' }])]);
    const vulnerabilities = await openVulnerabilityDatabase(folder);
    const { metric } = await metricsOfFiles(
      {
        'package-lock.json': JSON.stringify({
          lockfileVersion: 3,
          packages: {
            '': { name: 'shop', version: '1.0.0' },
            'node_modules/lodash': { version: '4.17.20' },
            'node_modules/x/node_modules/@b/c': { version: '1.5.0' },
            'node_modules/safe': { version: '1.9.0' },
          },
        }),
        'old/package-lock.json': JSON.stringify({
          lockfileVersion: 1,
          dependencies: { a: { version: '1.0.0', dependencies: { evil: { version: '9.9.9' } } } },
        }),
        'y/yarn.lock':
          '# yarn lockfile v1\n\n\n"by-yarn@^1.0.0", by-yarn@^1.2.0:\n  version "1.5.0"\n  resolved "https://x"\n\nother@1:\n  version "1.0.0"\n'.replaceAll(
            '\n',
            '\r\n',
          ),
        'berry/yarn.lock':
          '__metadata:\n  version: 8\n\n"berry@npm:^0.2.0":\n  version: 0.2.9\n  resolution: "berry@npm:0.2.9"\n\n"shop@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "shop@workspace:."\n',
        'p/pnpm-lock.yaml':
          "lockfileVersion: '9.0'\nimporters:\n  .: {}\npackages:\n\n  by-pnpm@2.0.1:\n    resolution: {integrity: x}\n\n  '@b/c@2.0.0(by-pnpm@2.0.1)':\n    resolution: {}\nsnapshots:\n  evil@1.0.0: {}\n",
        'poetry.lock': dedent`
          [[package]]
          name = "Django"
          version = "4.2"

        `,
        'u/uv.lock': dedent`
            version = 1
            [[package]]
            name = "uv-one"
            version = "1.9"
            source = { registry = "https://x" }
            [[package]]
            name = "listed"
            version = "1.1"
            source = { editable = "." }

          `,
        'Pipfile.lock': JSON.stringify({ default: { listed: { version: '==1.1' } }, develop: {} }),
        'requirements.txt': 'Flask_Cors==4.0.0b2\ndjango>=4\n',
        'go.mod': 'module example.com/shop\n\nrequire (\n\texample.com/x v1.2.2 // indirect\n)\n',
        'Cargo.lock':
          '[[package]]\nname = "shop"\nversion = "0.1.0"\n\n[[package]]\nname = "tiny"\nversion = "0.1.9"\nsource = "registry+https://x"\n',
        'Gemfile.lock': dedent`
          GEM
            remote: https://x/
            specs:
              rack (3.1.9)
                other (>= 1)

        `,
        'composer.lock': JSON.stringify({ packages: [{ name: 'a/b', version: 'v1.0.0' }] }),
        'tests/package-lock.json': JSON.stringify({ packages: { 'node_modules/evil': { version: '1.0.0' } } }),
      },
      { vulnerabilities },
    );
    const { value, denominator, evidence, quantities } = metric('known_vulnerable_dependency_count');
    expect(evidence.map(({ path, note }) => `${path}: ${note}`)).to.deep.equal([
      'poetry.lock: django 4.2 (PyPI): PYSEC-1 (critical); fixed in 4.2.1',
      'old/package-lock.json: evil 9.9.9 (npm): MAL-5 (critical); no fixed version',
      'package-lock.json: lodash 4.17.20 (npm): GHSA-1 (high); fixed in 4.17.21',
      'package-lock.json: @b/c 1.5.0 (npm): GHSA-2 (moderate); fixed in 2.0.0',
      'y/yarn.lock: by-yarn 1.5.0 (npm): GHSA-6 (low); no fixed version',
      'berry/yarn.lock: berry 0.2.9 (npm): GHSA-7 (unknown); fixed in 0.3.0',
      'p/pnpm-lock.yaml: by-pnpm 2.0.1 (npm): GHSA-8 (unknown); fixed in 2.0.2',
      'go.mod: example.com/x 1.2.2 (Go): GO-1 (unknown); fixed in 1.2.3',
      'requirements.txt: flask-cors 4.0.0b2 (PyPI): PYSEC-2 (unknown); fixed in 4.0.0rc1',
      'Pipfile.lock: listed 1.1 (PyPI): PYSEC-4 (unknown); no fixed version',
      'Gemfile.lock: rack 3.1.9 (RubyGems): GHSA-R (unknown); fixed in 3.1.10',
      'Cargo.lock: tiny 0.1.9 (crates.io): RUSTSEC-1 (unknown); fixed in 0.2.0',
      'u/uv.lock: uv-one 1.9 (PyPI): PYSEC-3 (unknown); fixed in 2',
    ]);
    // Nothing is known of Packagist: its package is not taken for safe.
    expect(quantities).to.deep.equal({
      minor: 6,
      major: 7,
      critical: 2,
      above_moderate: 3,
      not_looked_up: 1,
      unread_lockfiles: 0,
    });
    expect([value, denominator]).to.deep.equal([13, 17]);
  });

  it('of bills of materials are found where no lockfile tells: CycloneDX and SPDX, each in both of its forms', async () => {
    const own = joinPath(folder, 'sbom');
    const record = (ecosystem: string, name: string, versions: string[]) => {
      const affected = [{ package: { ecosystem, name }, versions }];
      mkdirSync(joinPath(own, ecosystem), { recursive: true });
      writeFileSync(
        joinPath(own, ecosystem, `${name.replaceAll(/\W/g, '-')}.json`),
        JSON.stringify({ id: `T-${name}`, affected }),
      );
    };
    record('npm', '@a/b', ['1.0.0']);
    record('Maven', 'org.acme:core', ['31.1-jre']);
    record('NuGet', 'Acme.Json', ['9.0.1']);
    record('Go', 'example.com/x', ['1.2.2']);
    record('PyPI', 'flask', ['3.0.0']);
    record('crates.io', 'tiny', ['0.1.9']);
    const component = (purl: string, components: object[] = []) => ({ type: 'library', name: 'x', purl, components });
    const tagged = (purl: string) => `PackageName: x\nExternalRef: PACKAGE-MANAGER purl ${purl}\n`;
    const purlOf = (referenceLocator: string) => ({ externalRefs: [7, { referenceType: 'purl', referenceLocator }] });
    const { metric } = await metricsOfFiles(
      {
        'a.c': 'int x;\n',
        'bom.json': JSON.stringify({
          bomFormat: 'CycloneDX',
          components: [component('pkg:maven/org.acme/core@31.1-jre', [component('pkg:npm/%40a/b@1.0.0')]), null],
        }),
        'api/bom.xml':
          '<?xml version="1.0"?><bom><components><component type="library"><name>x</name><purl>pkg:nuget/Acme.Json@9.0.1</purl></component></components></bom>',
        'app.spdx.json': JSON.stringify({
          spdxVersion: 'SPDX-2.3',
          packages: [purlOf('pkg:golang/example.com/x@v1.2.2'), 3],
        }),
        'app.spdx': `SPDXVersion: SPDX-2.3\n${tagged('pkg:pypi/Flask@3.0.0')}${tagged('pkg:nonsense')}`,
        'graph.spdx.json': JSON.stringify({ '@graph': [{ software_packageUrl: 'pkg:cargo/tiny@0.1.9' }] }),
        // What the lockfile settled on, the bill of materials of another day does not know better.
        'web/Cargo.lock': dedent`
          [[package]]
          name = "tiny"
          version = "0.2.0"
          source = "registry+https://x"

        `,
        'broken.cdx.json': '{"bomFormat":"CycloneDX","components":'.repeat(2),
        'bomb.cdx.xml': '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><bom><components>&b;</components></bom>',
      },
      { vulnerabilities: await openVulnerabilityDatabase(own) },
    );
    const { evidence, denominator } = metric('known_vulnerable_dependency_count');
    expect(evidence.map(({ path, note }) => `${path}: ${note?.split(':', 2).join(':')}`)).to.have.members([
      'bom.json: @a/b 1.0.0 (npm): T-@a/b (unknown); no fixed version',
      'bom.json: org.acme:core 31.1-jre (Maven)',
      'api/bom.xml: Acme.Json 9.0.1 (NuGet): T-Acme.Json (unknown); no fixed version',
      'app.spdx.json: example.com/x 1.2.2 (Go): T-example.com/x (unknown); no fixed version',
      'app.spdx: flask 3.0.0 (PyPI): T-flask (unknown); no fixed version',
    ]);
    expect(denominator).to.equal(6);
  });

  it('nobody can tell without a database, without lockfiles, or where the database is broken', async () => {
    const lock = { 'package-lock.json': JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }) };
    expect(await openVulnerabilityDatabase(joinPath(folder, 'nowhere'))).to.equal(null);
    const measure = async (files: Record<string, string>, path?: string) => {
      const vulnerabilities = path === undefined ? null : await openVulnerabilityDatabase(path);
      const { value, status, reason } = (
        await metricsOfFiles({ 'a.c': 'int x;\n', ...files }, { vulnerabilities })
      ).metric('known_vulnerable_dependency_count');
      return [value, status, reason];
    };
    expect(await measure(lock)).to.deep.equal([null, 'not_measured', 'vulnerability_db_absent']);
    expect(await measure({}, folder)).to.deep.equal([null, 'not_applicable', 'no_manifest']);
    expect(await measure(lock, folder)).to.deep.equal([0, 'measured', null]);
    const broken = joinPath(folder, 'broken');
    mkdirSync(joinPath(broken, 'npm'), { recursive: true });
    writeFileSync(joinPath(broken, 'npm', 'all.zip'), 'not an archive');
    expect(await measure(lock, broken)).to.deep.equal([null, 'not_measured', 'parse_error']);
    const hostile = Object.fromEntries(
      ['[', '7', 'null', '{"packages":[1],"dependencies":{"a":{"dependencies":"x"}}}', '['.repeat(100_000)].flatMap(
        (text, at) =>
          [
            'package-lock.json',
            'yarn.lock',
            'pnpm-lock.yaml',
            'poetry.lock',
            'Pipfile.lock',
            'go.mod',
            'Gemfile.lock',
            'composer.lock',
          ].map((name) => [`${at}/${name}`, text]),
      ),
    );
    expect((await measure({ ...hostile, ...lock }, folder))[1]).to.equal('measured');
  });

  it('a repository is measured again when the database was refreshed, and only then', async () => {
    const own = joinPath(folder, 'refreshed');
    const databases = joinPath(own, 'db');
    mkdirSync(joinPath(databases, 'npm'), { recursive: true });
    using repository = gitRepository({
      files: {
        'a.js': '1\n',
        'package-lock.json': JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }),
      },
    });
    const load = async (...records: Parameters<typeof zipOf>[0]) => {
      writeFileSync(joinPath(databases, 'npm', 'all.zip'), zipOf(records));
      const settings = { DATA_DIR: joinPath(own, 'data'), VULNERABILITY_DB: databases };
      const { stdout } = await repoIntel(['load', '--json', repository.path], settings);
      return (JSON.parse(stdout) as { status: string }).status;
    };
    const known = advisory('GHSA-1', 'npm', 'a', [{ introduced: '0' }]);
    expect([await load(known), await load(known), await load(known, { ...known, id: 'GHSA-2' })]).to.deep.equal([
      'loaded',
      'unchanged',
      'loaded',
    ]);
  });

  it('a refreshed database is another one, and an unpacked one is read as well', async () => {
    const own = joinPath(folder, 'own');
    const path = joinPath(own, 'npm');
    mkdirSync(path, { recursive: true });
    const records = [
      advisory('GHSA-1', 'npm', 'a', [{ introduced: '0' }]),
      advisory('GHSA-2', 'npm', 'b', [{ introduced: '0' }]),
    ];
    for (const record of records) writeFileSync(joinPath(path, `${record.id}.json`), JSON.stringify(record));
    const unpacked = await openVulnerabilityDatabase(own);
    const known = await unpacked?.advisoriesFor([{ ecosystem: 'npm', name: 'a', version: '1.0.0', path: 'x' }]);
    expect([...(known?.of.keys() ?? [])]).to.deep.equal(['npm a']);
    writeFileSync(joinPath(path, 'all.zip'), zipOf(records));
    const first = await openVulnerabilityDatabase(own);
    writeFileSync(joinPath(path, 'all.zip'), zipOf(records.slice(0, 1)));
    const second = await openVulnerabilityDatabase(own);
    expect(new Set([unpacked, first, second].map((each) => each?.identity)).size).to.equal(3);
  });

  it('severities are those of CVSS’s own examples, and ranges those of the OSV schema', () => {
    expect(
      [
        'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
        'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N',
        'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
        'CVSS:3.0/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
        'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
        'nonsense',
      ].map(baseScore),
    ).to.deep.equal([9.8, 6.1, 6.4, 7.8, 3.1, 0, null]);
    const isAffected = (version: string, ...events: object[]) =>
      affects(
        { id: 'X', severity: 'unknown', versions: new Set(), ranges: [events] },
        { ecosystem: 'npm', name: 'a', version, path: '' },
      );
    const events = [
      { introduced: '1.0.0' },
      { fixed: '1.2.0' },
      { introduced: '2.0.0-beta.1' },
      { last_affected: '2.1.0' },
    ];
    expect(
      ['0.9.9', '1.0.0', '1.1.9', '1.2.0', '2.0.0-alpha', '2.0.0-beta.1', '2.1.0', '2.1.1'].map((each) =>
        isAffected(each, ...events),
      ),
    ).to.deep.equal([false, true, true, false, false, true, true, false]);
    // In whatever order the events are written.
    expect(isAffected('1.5.0', { fixed: '1.2.0' }, { introduced: '0' })).to.equal(false);
    expect(isAffected('1.1.0', { fixed: '1.2.0' }, { introduced: '0' })).to.equal(true);
  });
});

/** A zip archive of JSON files, as osv.dev publishes them. */
function zipOf(records: readonly { id: string; affected: object[] }[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const record of records) {
    const name = Buffer.from(`${record.id}.json`);
    const content = Buffer.from(JSON.stringify(record));
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, place, name]));
    locals.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, each) => sum + each.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(records.length, 8);
  end.writeUInt16LE(records.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

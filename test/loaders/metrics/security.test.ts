import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { metricsOfFiles } from './metrics-of.ts';

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
  const tokens: Record<string, string> = {
    anthropic: join('sk-ant-', 'api03', '-', random(93, base62), 'AA'),
    aws_access_key: join('AK', 'IA', random(16, upper)),
    databricks: join('da', 'pi', random(32, hex)),
    digitalocean: join('dop_', 'v1', '_', random(64, hex)),
    github: join('gh', 'p_', random(36, base62)),
    github_fine_grained: join('github_', 'pat_', random(82, base62)),
    gitlab: join('gl', 'pat-', random(20, base62)),
    google_api_key: join('AI', 'za', random(35, base62)),
    hugging_face: join('h', 'f_', random(34, letters)),
    mailgun: join('ke', 'y-', random(32, hex)),
    npm: join('np', 'm_', random(36, base62)),
    openai: join('sk-', random(20, base62), 'T3Blbk', 'FJ', random(20, base62)),
    pypi: join('pypi-', 'AgEIcHlwaS5vcmc', random(70, base62)),
    sendgrid: join('S', 'G.', random(22, base62), '.', random(43, base62)),
    shopify: join('shp', 'at_', random(32, hex)),
    slack: join('xo', 'xb-', random(11, '123456789'), '-', random(12, '123456789'), '-', random(24, base62)),
    stripe: join('sk_', 'live_', random(24, base62)),
    telegram: join(random(9, '123456789'), ':A', 'AF', random(32, base62)),
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
    expect(quantities).to.deep.equal({ provider: entries.length, generic: 0 });
    const kept = JSON.stringify(measurements);
    for (const [rule, token] of entries) {
      expect(kept, rule).to.not.contain(token.slice(-12));
      expect(kept, rule).to.contain(createHash('sha256').update(token).digest('hex').slice(0, 12));
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
    expect(quantities).to.deep.equal({ provider: 3, generic: 3 });
    expect(evidence.find(({ path }) => path === '.env')?.note).to.contain(
      createHash('sha256').update(value).digest('hex').slice(0, 12),
    );
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
      'ci.yml': 'token: ${{ secrets.DEPLOY_TOKEN_FOR_PRODUCTION_1 }}\npassword: ${DATABASE_PASSWORD_2024_X}\n',
      'locale/de/app.yml': `password: "${random(24, base62)}"\n`,
    });
    expect(metric('secret_finding_count')).to.deep.include({ value: 0, evidence: [], status: 'measured' });
  });

  it('a file made to be slow takes no longer than another', async () => {
    const started = performance.now();
    const { metric } = await metricsOfFiles({
      'a.py': `x = "${'AKIA'.repeat(100_000)}"\n`,
      'b.py': 'token = "'.repeat(50_000),
      'c.py': `y = '${'-----BEGIN PRIVATE KEY-----'.repeat(10_000)}'\n`,
      'd.json': `{"password": "${'a1'.repeat(200_000)}"}`,
      'e.json': 'eyJ'.repeat(200_000),
    });
    expect(metric('secret_finding_count').status).to.equal('measured');
    expect(performance.now() - started).to.be.below(10_000);
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
      Dockerfile: 'FROM node:24 AS build\nUSER node\nFROM nginx\nCOPY --from=build /a /a\n',
      'api/Dockerfile': 'ARG BASE=x\nFROM python:latest AS base\nUSER app\nFROM base\nRUN true\n',
      'tests/Dockerfile': 'FROM nginx\n',
      'lib/tool.jar': new Uint8Array([0x50, 0x4b, 3, 4, 0]),
      'gradle/wrapper/gradle-wrapper.jar': new Uint8Array([0x50, 0x4b, 3, 4, 0]),
      'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]),
      'test/fixtures/a.jar': new Uint8Array([0x50, 0x4b, 3, 4, 0]),
      'keys/id_rsa': 'key\n',
      'android/debug.keystore': new Uint8Array([0, 1]),
      '.env': 'NAME=shop\nDB_PASSWORD=hunter2222\n',
      'web/.env': 'PUBLIC_URL=/shop\nAPI_TOKEN=your-token-here\n',
      '.env.example': 'DB_PASSWORD=hunter2222\n',
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
    expect(quantities).to.deep.equal({ dangerous_workflows: 3, binaries: 2, others: 9 });
    expect(value).to.equal(14);
  });

  it('are none in a tree that has none; that is a real zero', async () => {
    const { metric } = await metricsOfFiles({
      'a.c': 'int x;\n',
      '.github/SECURITY.md': 'Write to us.\n',
      '.github/workflows/wrapper.yml':
        'on: push\njobs: { a: { steps: [{ uses: gradle/actions/wrapper-validation@v4 }] } }\n',
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
      '.github/workflows/a.yml': 'on: [pull_request_target]\njobs: [1, {steps: 7}]\n',
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

import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { metricCatalog } from '../../../src/model/due-diligence.ts';
import { temporaryFolder, writeFiles } from '../../support/git-repository.ts';
import { metricsOf } from './metrics-of.ts';

/** Of each kind of file that somebody else may have written, a good one, and what could be repeated in it without end. */
const kinds: Record<string, { good: string; without_end: readonly string[] }> = {
  'package.json': { good: '{"name":"a","dependencies":{"koa":"^3.0.0"}}', without_end: ['{"a":', '"\\"', '['] },
  'pom.xml': {
    good: '<project><groupId>a</groupId><artifactId>b</artifactId><dependencies><dependency><groupId>c</groupId><artifactId>d</artifactId></dependency></dependencies></project>',
    without_end: ['<a>', '<!ENTITY a "&a;">', '<artifactId> '],
  },
  'pyproject.toml': {
    good: '[project]\nname = "a"\ndependencies = ["flask>=2"]\n',
    without_end: ['[[a]]\n', 'a=[', '"""'],
  },
  'requirements.txt': {
    good: 'flask==3.0.0\n-e git+https://x/y#egg=z\n',
    without_end: ['://', 'a ', 'a==1\n', '\\\n'],
  },
  'build.gradle': { good: "implementation 'a.b:c:1.0'\n", without_end: ["implementation 'a:", 'a:a', "'"] },
  'setup.py': { good: 'setup(name="a", install_requires=["flask"])\n', without_end: ['setup(', '["', "name='"] },
  'go.mod': { good: 'module a\n\nrequire b.c/d v1.2.3\n', without_end: ['require (', 'require a v1\n'] },
  'Cargo.toml': { good: '[package]\nname = "a"\n[dependencies]\nserde = "1"\n', without_end: ['[a.', 'a.b={'] },
  'package-lock.json': {
    good: '{"packages":{"node_modules/a":{"version":"1.0.0"}}}',
    without_end: ['{"dependencies":', '['],
  },
  'yarn.lock': { good: 'a@1:\n  version "1.0.0"\n', without_end: ['"a@', 'version ', '\n'] },
  'pnpm-lock.yaml': {
    good: 'packages:\n\n  a@1.0.0:\n    resolution: {}\n',
    without_end: ['packages:\n', '  a@1:', '{'],
  },
  'poetry.lock': { good: '[[package]]\nname = "a"\nversion = "1"\n', without_end: ['[[package]]\n', "'''"] },
  'Gemfile.lock': { good: 'GEM\n  specs:\n    a (1.0)\n', without_end: ['GEM\n', '    a (1'] },
  '.github/workflows/ci.yml': {
    good: 'on: push\njobs: { a: { steps: [{ uses: a/b@v1 }, { run: "curl https://x | sh" }] } }\n',
    without_end: ['{', '[', '&a [*a,', '? ', '- &a *a ', '"'],
  },
  '.gitlab-ci.yml': { good: 'a:\n  script: [npm test]\n', without_end: ['mvn ', 'uv run ', 'a: '] },
  Dockerfile: {
    good: 'FROM node:24\nRUN curl https://x | sh\n',
    without_end: ['FROM a AS b\n', 'RUN curl http: ', '\\\n', '$('],
  },
  'setup.sh': {
    good: 'curl https://x | sh\npip install a\n',
    without_end: ['curl http: ', '<<A\n', "'", '${', '`', 'a|'],
  },
  'lcov.info': { good: 'SF:a.c\nDA:1,1\nend_of_record\n', without_end: ['SF:a\n', 'DA:1,1\n', 'BRDA:'] },
  'coverage.xml': {
    good: '<coverage><packages><package><classes><class filename="a.c"><lines><line number="1" hits="1"/></lines></class></classes></package></packages></coverage>',
    without_end: ['<package>', '<class filename="', '<!ENTITY a "&a;">', '<![CDATA['],
  },
  'jacoco.xml': {
    good: '<report><package name="a"><sourcefile name="A.java"><line nr="1" ci="1"/></sourcefile></package></report>',
    without_end: ['<package>', "<line nr='"],
  },
  'clover.xml': {
    good: '<coverage><project><file path="a.c"><line num="1" type="stmt" count="1"/></file></project></coverage>',
    without_end: ['<file>', '<line/>'],
  },
  'coverage.out': { good: 'mode: set\na.go:1.1,2.2 1 1\n', without_end: ['a.go:1.1,99999999999.2 1 1\n', ':1'] },
  'scan.sarif': {
    good: '{"runs":[{"tool":{"driver":{"name":"a","rules":[]}},"results":[{"ruleId":"a","level":"error"}]}]}',
    without_end: ['{"runs":[', '{"locations":', '['],
  },
  'bom.json': {
    good: '{"bomFormat":"CycloneDX","components":[{"purl":"pkg:npm/a@1.0.0"}]}',
    without_end: ['{"bomFormat":"CycloneDX","components":[', '['],
  },
  'app.spdx': { good: 'ExternalRef: PACKAGE-MANAGER purl pkg:npm/a@1.0.0\n', without_end: ['ExternalRef: ', 'pkg:'] },
  'README.md': { good: '# A\n\nSells things to people.\n', without_end: ['aa', '<!--', '[![a](b)](', '# '] },
};

/** What stands where something else belongs. */
const wrong = [
  'null',
  '7',
  '-1e999',
  '[]',
  '{}',
  '""',
  '"__proto__"',
  '\u0000',
  '\uFEFF',
  '\uD800',
  '%',
  '&',
  '<',
  '💥',
];
const size = 12_000;

describe('metrics: files that others wrote', function () {
  it('cut short, changed, of the wrong types or without end: every metric has a value or a reason, soon and offline', async () => {
    const folder = temporaryFolder();
    const connect = Socket.prototype.connect;
    const connected: unknown[] = [];
    // Mocha keeps whole stacks, which nobody else does: errors deep in a parser are slow by it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 10;
    Socket.prototype.connect = function (this: Socket, ...to: unknown[]) {
      connected.push(to);
      return this.destroy();
    };
    try {
      const files: Record<string, string> = { 'a.c': 'int x;\n', 'b.c': 'int y;\n' };
      for (const [name, { good, without_end: repeated }] of Object.entries(kinds)) {
        // Some kinds are only looked for at the root.
        files[name] = good;
        const at = (number: number) =>
          name.startsWith('.git') ? name.replace('.', `${number}.`) : `${number}/${name}`;
        const bad = [
          ...fc.sample(changed(good), { seed: 7, numRuns: 4 }),
          ...repeated.map((unit) => good.slice(0, good.length / 2) + unit.repeat(size / unit.length)),
          ...repeated.map((unit) => unit.repeat(size / unit.length)),
        ];
        for (const [number, text] of bad.entries())
          files[name.startsWith('.github') ? `.github/workflows/${number}.yml` : at(number)] = text;
      }
      writeFiles(folder, files);
      const before = process.cpuUsage();
      const { metric, measurements } = await metricsOf(folder);
      const { user, system } = process.cpuUsage(before);
      expect(measurements.metrics).to.have.length(metricCatalog.length - 2);
      for (const { id, value, status, reason } of measurements.metrics) {
        expect([value === null, reason === null], id).to.deep.equal([status !== 'measured', status === 'measured']);
        expect(value ?? 0, id).to.satisfy(Number.isFinite);
      }
      // What is good beside them still counts.
      expect(metric('loc_code').value).to.be.at.least(2);
      expect(metric('direct_dependency_count').evidence.map(({ note }) => note)).to.include(
        'koa ^3.0.0 (npm, runtime)',
      );
      expect(metric('ci_workflow_count').value).to.be.above(2);
      expect((user + system) / 1_000_000).to.be.below(20);
      expect(connected).to.deep.equal([]);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
      Socket.prototype.connect = connect;
      rmSync(folder, { recursive: true });
    }
  });
});

/** The text with a few changes: cut short, parts again or left out, something else put in. */
function changed(good: string): fc.Arbitrary<string> {
  const place = fc.nat(good.length);
  const change = fc.oneof(
    place.map((at) => (text: string) => text.slice(0, at)),
    fc.tuple(place, place).map(
      ([from, to]) =>
        (text: string) =>
          text.slice(0, from) + text.slice(to),
    ),
    fc.tuple(place, fc.constantFrom(...wrong)).map(
      ([at, what]) =>
        (text: string) =>
          text.slice(0, at) + what + text.slice(at),
    ),
    fc.constantFrom(...wrong).map((what) => (text: string) => text.replace(/"[^"]*"|\d+/, what)),
  );
  return fc
    .array(change, { minLength: 1, maxLength: 4 })
    .map((changes) => changes.reduce((text, one) => one(text), good));
}

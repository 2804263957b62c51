import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect } from 'chai';
import { XMLValidator } from 'fast-xml-parser';
import type { Log } from 'sarif';
import { factorCatalog } from '../../src/due-diligence/factors/index.ts';
import { dimensions } from '../../src/due-diligence/scoring-model.ts';
import { metricCatalog } from '../../src/model/due-diligence.ts';
import { repoIntel } from '../support/cli.ts';
import { gitRepository, temporaryFolder, writeFiles } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';

interface Deep {
  repo: string;
  score: number;
  grade: string | null;
  matrix: {
    id: string;
    value: number | null;
    method_version: string;
    evidence: { path: string | null; note: string | null }[];
  }[];
  dimensions: { id: string; grade: string | null }[];
  factors: unknown[];
  hotspots: { path: string; complexity: number; changes_12m: number }[];
  activity: { people: { id: string; name: string; commits: number[] }[] };
  left_out: object[];
}

const hostile = '<img src=x onerror="alert(1)">&amp;.py';
const person = 'Bärbel <script>alert(2)</script>';

describe('repo-intel report', function () {
  let repository: GitRepository;
  let folder: string;
  const file = (name: string) => join(folder, name);
  const read = (name: string) => readFileSync(file(name), 'utf8');

  before(() => {
    folder = temporaryFolder();
    repository = gitRepository({ name: 'payments' });
    const branches = Array.from({ length: 20 }, (_, n) => `    if a == ${n}: return ${n}`).join('\n');
    for (let day = 1; day <= 24; day++)
      repository.commit(`Change ${day} of ledger`, {
        files: {
          'src/ledger/book.py': `def price(a):\n${branches}\n\nDAY = ${day}\n`,
          ...(day > 1
            ? {}
            : {
                [`src/ledger/${hostile}`]: 'URL = "https://api.acme-pay.io/v1"\n',
                '\u202Elist.py': 'HOST = "https://files.acme-pay.io/v1"\n',
                'package.json': JSON.stringify({
                  name: 'payments',
                  dependencies: { '@acme/core': '1.2.3', leftpad: '^1.0.0', 'not a name!': 'x' },
                  devDependencies: { mocha: '^12.0.0' },
                }),
                'tests/test_book.py': 'def test_price():\n    assert True\n',
                '.github/workflows/ci.yml':
                  'on: push\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n      - run: pytest\n',
              }),
        },
        author: { name: person, email: 'b@example.com' },
        date: `2024-03-${String(day).padStart(2, '0')}T12:00:00Z`,
      });
  });
  after(() => {
    repository.remove();
    rmSync(folder, { recursive: true });
  });

  /** On the day after its last commit. */
  const report = (args: string[], environment: Record<string, string> = {}) =>
    repoIntel(['report', repository.path, '--as-of', '2024-03-25', ...args], environment);

  describe('in all its forms', () => {
    let deep: Deep;
    before(async () => {
      const args = ['--json', '--html', file('a.html'), '--sarif', file('a.sarif'), '--sbom', file('a.cdx.json')];
      const { code, stdout, stderr } = await report(args);
      expect(code, stderr).to.equal(0);
      expect(stderr)
        .to.include('payments: parsing')
        .and.to.include(`Written: ${file('a.html')}`);
      deep = JSON.parse(stdout) as Deep;
    });

    it('--json: every metric with its evidence, every dimension and every factor', () => {
      expect(deep).to.include({ repo: 'payments' });
      expect([deep.matrix.length, deep.dimensions.length, deep.factors.length]).to.deep.equal([
        metricCatalog.length,
        dimensions.length,
        factorCatalog.length,
      ]);
      const complex = deep.matrix.find(({ id }) => id === 'complex_function_loc_pct');
      expect(complex?.evidence[0]).to.include({ path: 'src/ledger/book.py', line: 1 });
    });

    it('--html: one page with nothing outside itself, whatever the files and people are called', () => {
      const page = read('a.html');
      // Any name that was not escaped would break it.
      expect(XMLValidator.validate(page.replace('<!doctype html>', ''))).to.equal(true);
      expect(page).to.not.match(/<script|<img|<link|\b(?:src|href)="|url\(|@import/);
      expect(page).to.include('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;amp;.py');
      expect(page).to.include('\\u{202e}list.py').and.to.not.include('\u202E');
      expect(page.match(/<svg /g)?.length).to.be.at.least(8);
      for (const words of ['prefers-color-scheme: dark', '@media print', 'Key risks', 'What is not known'])
        expect(page).to.include(words);
      for (const { id, value, method_version: method } of deep.matrix.filter(({ evidence }) => evidence.length > 0))
        expect(page, `${id} ${value}`).to.include(method);
    });

    it('--sarif: each finding at a place that is there', () => {
      const log = JSON.parse(read('a.sarif')) as Log;
      expect(log.version).to.equal('2.1.0');
      const [run] = log.runs;
      const results = run?.results ?? [];
      expect(results.map(({ ruleId }) => ruleId)).to.include.members([
        'complex_function_loc_pct',
        'hardcoded_endpoint_count',
        'build_ref_hash_pinned_pct',
      ]);
      const paths = results.map((result) => {
        expect(run?.tool.driver.rules?.[result.ruleIndex ?? -1]?.id).to.equal(result.ruleId);
        const place = result.locations?.[0]?.physicalLocation;
        const path = decodeURIComponent(String(place?.artifactLocation?.uri));
        const lines = readFileSync(join(repository.path, path), 'utf8').split('\n').length;
        expect(place?.region?.startLine ?? 1).to.be.within(1, lines);
        return path;
      });
      expect(paths).to.include(`src/ledger/${hostile}`);
      expect(results.some(({ ruleId }) => ruleId === 'loc_code' || ruleId === 'build_doc_completeness_pct')).to.equal(
        false,
      );
    });

    it('--sbom: a CycloneDX document that its own schema takes, with a version only where it is one', async () => {
      const text = read('a.cdx.json');
      expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).to.equal(null);
      const { components } = JSON.parse(text) as {
        components: { name: string; version?: string; purl?: string; scope: string }[];
      };
      const component = (name: string) => components.find((each) => each.name === name);
      expect(component('@acme/core')).to.include({
        version: '1.2.3',
        purl: 'pkg:npm/%40acme/core@1.2.3',
        scope: 'required',
      });
      expect(component('leftpad')).to.include({ purl: 'pkg:npm/leftpad' }).and.to.not.have.property('version');
      expect(component('mocha')).to.include({ scope: 'optional' });
    });

    it('in the terminal: what the summary has, in colours only where they are seen; the same page each time', async () => {
      const { code, stdout } = await report(['--html', file('b.html'), '--fail-under', 'E']);
      expect(code).to.equal(0);
      expect(stdout).to.not.include('\u001B');
      expect(stdout.split('\n')[0]).to.match(/^payments at [0-9a-f]{10} of 2024-03-24, as of 2024-03-25$/);
      expect(stdout).to.include(
        deep.grade === null ? 'Not graded' : `Grade ${deep.grade}, score ${Math.floor(deep.score)} of`,
      );
      expect(stdout.match(/^ {2}.{16} [█░]{25} /gm)).to.have.length(7);
      expect(stdout)
        .to.match(/^Key risks\n {2}1\. /m)
        .and.to.match(/^Strengths\n {2}\+ /m);
      expect(stdout)
        .to.match(/hours, likely [\d,]+/)
        .and.to.match(/USD [\d,]+ to [\d,]+, likely [\d,]+/);
      expect(stdout).to.match(/not known, as no coverage report was found: Line coverage/);
      expect(read('b.html')).to.equal(read('a.html'));
    });
  });

  it('--as-of: two years without a commit of a person are D at best and the first risk, on the same day the same bytes', async () => {
    const on = async (day: string) => {
      const { code, stdout, stderr } = await report(['--json', '--as-of', day]);
      expect(code, stderr).to.equal(0);
      return stdout;
    };
    const [alive, dead, again] = [await on('2026-03-23'), await on('2026-03-25'), await on('2026-03-25')];
    expect(again).to.equal(dead);
    expect(JSON.parse(alive)).to.include({ as_of: '2026-03-23', capped_by: null });
    expect(JSON.parse(dead)).to.include({ as_of: '2026-03-25', capped_by: 'people.activity' });
    expect((JSON.parse(dead) as Deep).score).to.be.at.most(39);
    const redacted = await report(['--json', '--redact', '--as-of', '2026-03-25']);
    const { score, grade, capped_by } = JSON.parse(dead) as Deep & { capped_by: string };
    expect(JSON.parse(redacted.stdout)).to.include({ score, grade, capped_by });
    const { stdout } = await report(['--as-of', '2026-03-25']);
    expect(stdout)
      .to.include('capped by people.activity')
      .and.to.match(/^Key risks\n {2}1\. Activity, 0 of 100\. No commit of a person for 2\.0 years/m);
    const { code, stderr } = await report(['--as-of', 'tomorrow']);
    expect(code).to.equal(2);
    expect(stderr).to.include('It is a day, year-month-day');
  });

  it('--redact: no name of a file or a person in anything that is written, and one pseudonym each throughout', async () => {
    const args = [
      '--json',
      '--redact',
      '--html',
      file('r.html'),
      '--sarif',
      file('r.sarif'),
      '--sbom',
      file('r.cdx.json'),
    ];
    const { code, stdout, stderr } = await report([...args, '--fail-under', 'maintainability=E'], { FORCE_COLOR: '1' });
    expect(code, stderr).to.equal(0);
    for (const text of [stdout, ...['r.html', 'r.sarif', 'r.cdx.json'].map(read)])
      expect(text).to.not.match(/book\.py|list\.py|onerror|ledger|B(?:ä|%C3%A4)rbel|alert|package\.json|ci\.yml|price/);
    const { matrix, hotspots, activity } = JSON.parse(stdout) as Deep;
    const evidence = (id: string) => matrix.find((each) => each.id === id)?.evidence ?? [];
    const [complex] = evidence('complex_function_loc_pct');
    expect(complex?.path).to.match(/^file-\d+\.py$/);
    expect(complex?.note).to.equal('function: complexity 21');
    expect(read('r.sarif')).to.include(`"uri": "${complex?.path}"`);
    expect(evidence('active_contributors_12m')[0]?.note).to.equal('person-1: 24 commits');
    expect(hotspots[0]).to.deep.include({ path: complex?.path, complexity: 21, changes_12m: 24 });
    expect(activity.people).to.deep.equal([{ id: 'person-1', name: 'person-1', commits: [24] }]);
  });

  it('--redact: nor of a file that asks for a package by its address', async () => {
    using other = gitRepository({
      files: {
        'lib/package.json': JSON.stringify({ dependencies: { 'quux-core': 'git+https://example.org/quux.git' } }),
        'a.py': 'x = 1\n',
      },
    });
    const on = async (...options: string[]) => (await repoIntel(['report', other.path, '--json', ...options])).stdout;
    const row = { rule: 'package', by: 'manifest', files: 1, lines: null };
    const shown = JSON.parse(await on()) as Deep;
    expect(shown.left_out).to.deep.equal([{ ...row, largest: ['lib/package.json: quux-core'] }]);
    const hidden = await on('--redact');
    expect(hidden).to.not.match(/package\.json|\blib\b/);
    expect((JSON.parse(hidden) as Deep).left_out).to.deep.equal([{ ...row, largest: ['file-3'] }]);
  });

  it('--fail-under: exits with 2 and says which grade is worse or missing', async () => {
    const { code, stdout, stderr } = await report(
      ['--fail-under', 'operability=E', '--fail-under', 'supply_chain=A', '--fail-under=A'],
      {
        FORCE_COLOR: '1',
      },
    );
    expect(code).to.equal(2);
    expect(stderr).to.match(/Below what is asked for: supply_chain: (?:grade [B-E], but|not graded)/);
    expect(stderr)
      .to.match(/Below what is asked for: overall: /)
      .and.to.not.include('operability:');
    // Where the environment says that colours are seen.
    expect(stdout).to.include('\u001B[1mKey risks');
  });

  it('--coverage: of a test run elsewhere, whatever the tree holds; several are taken together', async () => {
    const lcov = (hit: number) =>
      `SF:/ci/work/src/ledger/book.py\n${[1, 2, 3, 4].map((line) => `DA:${line},${line === hit ? 1 : 0}`).join('\n')}\nend_of_record\n`;
    writeFiles(folder, { 'one.lcov': lcov(1), 'two/lcov.info': lcov(2), 'broken.xml': '<coverage><packages>' });
    const args = ['--json', '--coverage', file('one.lcov'), '--coverage', file('two/lcov.info')];
    const { code, stdout, stderr } = await report(args);
    expect(code, stderr).to.equal(0);
    const coverage = (JSON.parse(stdout) as Deep).matrix.find(({ id }) => id === 'line_coverage_pct');
    expect(coverage).to.deep.include({ value: 50, numerator: 2, denominator: 4 });
    // Where a report lies on this machine is nobody's business.
    expect(coverage?.evidence.slice(0, 2).map(({ note }) => note)).to.deep.equal([
      'report given: one.lcov',
      'report given: lcov.info',
    ]);
    for (const name of ['broken.xml', 'none.info']) {
      const refused = await report(['--coverage', file(name)]);
      expect(refused).to.include({ code: 1, stdout: '' });
      expect(refused.stderr).to.include(file(name)).and.to.not.include('parsing');
    }
    const several = await repoIntel(['load', repository.path, folder, '--coverage', file('one.lcov')]);
    expect(several.code).to.equal(2);
  });

  it('a gate that is none, and a file that can not be written, are refused before the work', async () => {
    const gate = await report(['--fail-under', 'beauty=B']);
    expect(gate).to.include({ code: 2, stdout: '' });
    expect(gate.stderr).to.include('a grade from A to E').and.to.include('supply_chain');
    const missing = await report(['--html', join(folder, 'no', 'such', 'a.html')]);
    expect(missing).to.include({ code: 1, stdout: '' });
    expect(missing.stderr).to.include("can't be written").and.to.not.include('parsing');
    expect(existsSync(join(folder, 'no'))).to.equal(false);
  });
});

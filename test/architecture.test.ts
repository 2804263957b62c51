import { execFile } from 'node:child_process';
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { metricSources } from '../loaders/metrics/index.ts';
import { metricCatalog } from '../src/model/due-diligence.ts';

const root = join(import.meta.dirname, '..');

// Each: a file that breaks one rule, and the words by which the rule is known. A rule that no longer bites fails here.
const breaches: { file: string; source: string; says: string }[] = [
  { file: 'src/model/bad.ts', source: "import '../stores/graph/port.ts';", says: 'The model is the vocabulary' },
  { file: 'src/http/bad.ts', source: "import '../model/graph.ts';", says: 'The HTTP kernel knows nothing of ours' },
  {
    file: 'src/graph/bad.ts',
    source: "import '../search/routes.ts';",
    says: 'A feature never imports another feature',
  },
  { file: 'src/graph/bad.ts', source: "import '../stores/graph/sqlite.ts';", says: 'A feature knows ports only' },
  {
    file: 'src/reports/bad.ts',
    source: "import '../graph/routes.ts';",
    says: 'A feature never imports another feature',
  },
  {
    file: 'src/mcp/bad.ts',
    source: "import { searchRoutes } from '../search/routes.ts';",
    says: 'Tools for agents know the routes by their answers',
  },
  { file: 'src/search/bad.ts', source: "import '../../loaders/load.ts';", says: 'Features are composed by compose.ts' },
  {
    file: 'src/explorer/app/views/bad.ts',
    source: "import { nodeOf } from '../../../graph/wire.ts';",
    says: 'The page knows the service by its answers',
  },
  {
    file: 'src/search/ranking/bad.ts',
    source: "import '../../stores/search/port.ts';",
    says: 'Ranking is pure',
  },
  { file: 'src/search/ranking/bad.ts', source: "import '../routes.ts';", says: 'Ranking is pure' },
  { file: 'src/search/ranking/bad.ts', source: "import 'node:fs';", says: 'Ranking is pure' },
  {
    file: 'src/stores/search/bad.ts',
    source: "import '../../search/routes.ts';",
    says: 'An engine knows its own port',
  },
  { file: 'src/stores/graph/bad.ts', source: "import '../../http/app.ts';", says: 'An engine knows its own port' },
  { file: 'loaders/bad.ts', source: "import '../src/stores/graph/sqlite.ts';", says: 'Loaders write through ports' },
  { file: 'loaders/languages/bad.ts', source: "import 'node:fs';", says: 'do no I/O' },
  { file: 'loaders/facts/bad.ts', source: "import '../../src/stores/graph/port.ts';", says: 'Facts are pure' },
  { file: 'loaders/facts/bad.ts', source: "import '../../src/config.ts';", says: 'Facts are pure' },
  {
    file: 'loaders/facts/bad.ts',
    source: "import '../resolution/engine.ts';",
    says: 'What one file says knows nothing',
  },
  {
    file: 'loaders/facts/bad.ts',
    source: "import type { A } from '../metrics/a.ts';",
    says: 'Facts are the vocabulary',
  },
  {
    file: 'loaders/facts/bad.ts',
    source: "import type { A } from '../languages/a.ts';",
    says: 'Facts are the vocabulary',
  },
  {
    file: 'loaders/languages/go/bad.ts',
    source: "import type { A } from '../../detectors/a.ts';",
    says: 'Languages and resolution know the facts',
  },
  {
    file: 'loaders/metrics/ci/bad.ts',
    source: "import type { A } from '../../extraction/a.ts';",
    says: 'Metrics are handed',
  },
  { file: 'loaders/detectors/bad.ts', source: "import '../metrics/a.ts';", says: 'they know neither' },
  { file: 'loaders/vulnerabilities/bad.ts', source: "import '../metrics/a.ts';", says: 'they know neither' },
  { file: 'loaders/records/bad.ts', source: "import 'node:child_process';", says: 'Only loaders/snapshot runs git' },
  {
    file: 'loaders/task-instances/bad.ts',
    source: "import 'node:child_process';",
    says: 'Only loaders/snapshot runs git',
  },
  {
    file: 'loaders/task-instances/bad.ts',
    source: "import '../../src/stores/relational/pglite.ts';",
    says: 'Loaders write through ports',
  },
  { file: 'src/bad.ts', source: "import '../loaders/load.ts';", says: 'The service never imports the loaders' },
  { file: 'src/cli/bad.ts', source: "import 'node:child_process';", says: 'Only loaders/snapshot runs git' },
  { file: 'src/auth/bad.ts', source: 'export const x = process.env;', says: 'no-process-env' },
];

describe('architecture', () => {
  const cycle = {
    'src/cli/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
    'src/cli/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
  };
  /** Several breaches are of one file: each is in one of its own beside it. */
  const fileOf = (index: number, file: string) => file.replace('bad.ts', `bad-${index}.ts`);
  let found: Diagnostic[];
  // All at once: to start the linter takes longer than all that it does here.
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'architecture-'));
    try {
      await copyFile(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
      const files = breaches.map(({ file, source }, index) => [fileOf(index, file), `${source}\n`] as const);
      for (const [file, source] of [...files, ...Object.entries(cycle)]) {
        await mkdir(join(folder, dirname(file)), { recursive: true });
        await writeFile(join(folder, file), source);
      }
      found = await lint(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
  const saidOf = (file: string) =>
    found.filter(({ filename }) => filename === file).map(({ code, help }) => `${code}: ${help}`);

  for (const [index, { file, source, says }] of breaches.entries()) {
    it(`refuses in ${file}: ${source}`, () => {
      expect(saidOf(fileOf(index, file)).join('\n')).to.include(says);
    });
  }

  it('refuses a cycle of imports', () => {
    expect(saidOf('src/cli/a.ts').join('\n')).to.include('no-cycle');
  });
});

describe('the folders of the loaders', () => {
  it('import each other in one direction, types too', async () => {
    const arrows = new Map<string, Set<string>>();
    for await (const file of glob('loaders/**/*.ts', { cwd: root })) {
      const source = await readFile(join(root, file), 'utf8');
      for (const [, to = ''] of source.matchAll(/from '(\.[^']+)'/g)) arrow(arrows, file, join(dirname(file), to));
    }
    expect(arrows.get('loaders/languages'), 'arrows were found').to.include('loaders/facts');
    expect(backwards(arrows)).to.deep.equal([]);
  });

  it('are found out where they do not, whatever lies between', () => {
    const arrows = new Map<string, Set<string>>();
    arrow(arrows, 'loaders/facts/fact.ts', 'loaders/metrics/ci/workflow.ts');
    arrow(arrows, 'loaders/metrics/metric.ts', 'loaders/languages/go.ts');
    expect(backwards(arrows)).to.deep.equal([]);
    arrow(arrows, 'loaders/languages/go.ts', 'loaders/facts/fact.ts');
    expect(backwards(arrows)).to.include('loaders/facts → loaders/metrics');
  });
});

/** Notes which folder, or file of no folder, imports which. */
function arrow(arrows: Map<string, Set<string>>, from: string, to: string): void {
  const [one, other] = [from, to].map((file) => file.split('/').slice(0, 2).join('/'));
  if (one === undefined || other === undefined || one === other) return;
  arrows.set(one, (arrows.get(one) ?? new Set()).add(other));
}

/** The arrows that lead, over any others, back to where they begin. */
function backwards(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of arrows.get(from) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  return [...arrows].flatMap(([from, targets]) =>
    [...targets].filter((to) => reached(to).has(from)).map((to) => `${from} → ${to}`),
  );
}

describe('metrics', () => {
  it('are each in the file that is named by the id, and measured in the order of the catalogue', async () => {
    for (const { id } of metricSources) {
      const [file] = await Array.fromAsync(glob(`loaders/metrics/*/${id.replaceAll('_', '-')}.ts`, { cwd: root }));
      if (file === undefined) throw new Error(`No file is named by the metric ${id}.`);
      expect(await readFile(join(root, file), 'utf8'), file).to.include(`id: '${id}'`);
    }
    const madeOfFactors = ['remediation_hours_likely', 'technical_debt_ratio_pct'];
    const catalogue: string[] = metricCatalog.map(({ id }) => id);
    expect([...metricSources.map(({ id }) => id), ...madeOfFactors]).to.deep.equal(catalogue);
  });
});

describe('secrets, digests and signatures', () => {
  it('are compared in a time that does not tell how much is the same: never by ===', async () => {
    for (const line of ['a.digest === b', 'if (x !== key.secretDigest)', "signature == 'x'", 'sent[0] != kept?.secret'])
      expect(comparesSecret(line), line).to.equal(true);
    for (const line of [
      'digest === undefined',
      'secret !== null',
      'signature.length === 64',
      "secret !== ''",
      'x === y',
    ])
      expect(comparesSecret(line), line).to.equal(false);
    const found: string[] = [];
    for await (const file of glob('src/**/*.ts', { cwd: root })) {
      const lines = (await readFile(join(root, file), 'utf8')).split('\n');
      found.push(...lines.filter(comparesSecret).map((line) => `${file}: ${line.trim()}`));
    }
    expect(found).to.deep.equal([]);
  });
});

function comparesSecret(line: string): boolean {
  return [...line.matchAll(/([\w.?![\]']+)\s*[!=]==?\s*([\w.?![\]']+)/g)].some(([, ...sides]) => {
    const isHarmless = sides.some((side) => /^(undefined|null|''|\d+|true|false)$|\.length$/.test(side));
    return !isHarmless && sides.some((side) => /(signature|digest|secret)\w*$/i.test(side));
  });
}

interface Diagnostic {
  filename: string;
  code: string;
  help: string;
}

async function lint(folder: string): Promise<Diagnostic[]> {
  const oxlint = join(root, 'node_modules', '.bin', 'oxlint');
  const args = ['--disable-nested-config', '--format', 'json'];
  const outcome = await promisify(execFile)(oxlint, args, { cwd: folder }).catch((error: unknown) => error);
  const { stdout } = outcome as { stdout: string };
  return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
}

// Raw figures of due diligence beside those of independent tools, on the same files: lines (cloc), functions' lines and complexity
// (lizard), people (git shortlog), packages (lockfiles, read plainly), secrets in the history (gitleaks,
// where it is on the PATH: item by item). Arguments: FOLDER..., each a clone or a git directory. Needs
// `cloc` and `lizard` on the PATH. Prints a table for each repository, and, of what differs by more than 5 %, the reason (dd-reasons.json); ends with 1 where there is none.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, posix } from 'node:path';
import { readAll } from '../loaders/read-all.ts';
import type { FunctionMeasures } from '../loaders/metrics/file-measures.ts';
import type { PastSecrets } from '../loaders/metrics/security/past-secrets.ts';
import { secretsIn } from '../loaders/metrics/security/secrets-in.ts';
import { resolvedPackages } from '../loaders/manifests/resolved-packages.ts';
import { isProse } from '../loaders/snapshot/language-of.ts';
import { openSnapshot } from '../loaders/snapshot/open-snapshot.ts';
import type { OpenSnapshot } from '../loaders/snapshot/snapshot.ts';
import { openTemporaryFile } from '../loaders/temporary-file.ts';

const maxDifference = 0.05;
/** Endings that lizard reads. */
const known = /^\.(c|cc|cpp|cs|go|h|hpp|java|js|kt|php|py|rb|rs|scala|ts)$/;
const run = (command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

interface Row {
  what: string;
  /** Null where it is no comparison, but says what was not compared. */
  ours: number | null;
  theirs: number | null;
}

interface TheirFunction {
  path: string;
  line: number;
  endLine: number;
  lines: number;
  complexity: number;
}

async function compare(source: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-dd-'));
  const file = openTemporaryFile();
  const opened = await openSnapshot(source);
  try {
    const { history, manifests, extracted } = await readAll(file, opened, opened.name, { wanted: 'measures' });
    const counted = opened.files.filter(
      ({ path, countedAs }) => countedAs.language !== null && !isProse(path) && extracted.measures.has(path),
    );
    const measured = counted.flatMap(({ path }) => extracted.measures.get(path) ?? []);
    for await (const { path, content } of opened.read(counted.map(({ path }) => path))) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      if (content !== null) writeFileSync(join(folder, path), content);
    }
    const paths = counted.map(({ path }) => path);
    const functions = counted.flatMap(({ path }) => {
      const of = known.test(extname(path)) ? extracted.measures.get(path)?.functions : null;
      return of ? [{ path, of }] : [];
    });
    const { both, ours, theirs } = matched(
      functions,
      lizard(
        folder,
        functions.map(({ path }) => path),
      ),
    );
    const flat = both.filter(({ isFlat }) => isFlat);
    const lines = sum(measured.map(({ code }) => code));
    const shortlog = run(
      'git',
      ['-c', `mailmap.blob=${opened.commit}:.mailmap`, 'shortlog', '-sne', opened.commit ?? 'HEAD'],
      source,
    )
      .trim()
      .split('\n');
    const lowered = new Set(shortlog.map((line) => /<(.*)>/.exec(line)?.[1]?.toLowerCase() ?? line));
    return [
      { what: 'lines of code (cloc)', ours: lines, theirs: cloc(folder, paths) },
      { what: 'lines of code (scc)', ours: lines, theirs: scc(folder) },
      {
        what: 'complexity of functions',
        ours: sum(both.map(({ our }) => our.complexity)),
        theirs: sum(both.map(({ their }) => their.complexity)),
      },
      {
        what: 'lines of functions',
        ours: sum(flat.map(({ our }) => our.code)),
        theirs: sum(flat.map(({ their }) => their.lines)),
      },
      { what: 'functions of both', ours: both.length, theirs: both.length },
      { what: 'functions, ours alone', ours, theirs: null },
      { what: 'functions, lizard’s alone', ours: null, theirs },
      {
        what: 'people’s addresses',
        ours: sum(history.contributors.map(({ also }) => 1 + also.length)),
        theirs: lowered.size,
      },
      ...secrets(source, opened.commit ?? 'HEAD', history.pastSecrets),
      ...lockfiles(manifests.paths, await textsOf(opened, manifests.paths)),
    ];
  } finally {
    file.close();
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function cloc(folder: string, paths: readonly string[]): number {
  writeFileSync(join(folder, '.list'), paths.map((path) => `${path}\n`).join(''));
  const output = run('cloc', ['--list-file=.list', '--json', '--skip-uniqueness', '--quiet', '--timeout', '0'], folder);
  const { SUM } = JSON.parse(output) as { SUM?: { code: number } };
  return SUM?.code ?? 0;
}

/** Nothing where there is no scc. */
function scc(folder: string): number | null {
  try {
    rmSync(join(folder, '.list'), { force: true });
    const counted = JSON.parse(
      run('scc', ['--format', 'json', '--no-min-gen', '--no-large', '--no-ignore', '--no-gitignore', '.'], folder),
    ) as { Code: number }[];
    return sum(counted.map(({ Code }) => Code));
  } catch {
    return null;
  }
}

function lizard(folder: string, paths: readonly string[]): TheirFunction[] {
  if (paths.length === 0) return [];
  writeFileSync(join(folder, '.list'), paths.map((path) => `${path}\n`).join(''));
  const output = run('lizard', ['--csv', '--input_file', '.list'], folder);
  return Array.from(
    output.matchAll(/^(\d+),(\d+),\d+,\d+,\d+,"[^\n]*?@(\d+)-(\d+)@([^"\n]+)",/gm),
    ([, lines, complexity, line, endLine, path = '']) => ({
      path: posix.normalize(path),
      line: Number(line),
      endLine: Number(endLine),
      lines: Number(lines),
      complexity: Number(complexity),
    }),
  );
}

/** Functions that both know, by file and last line (an annotation begins some for us, none for lizard); lines are compared where no other function is inside, for these count one way or another. */
function matched(
  files: readonly { path: string; of: readonly FunctionMeasures[] }[],
  theirs: readonly TheirFunction[],
) {
  const byPlace = new Map(theirs.map((each) => [`${each.path}:${each.endLine}`, each]));
  const both = files.flatMap(({ path, of }) =>
    of.flatMap((our) => {
      const their = byPlace.get(`${path}:${our.endLine}`);
      const isAlone = of.filter(({ endLine }) => endLine === our.endLine).length === 1;
      const isFlat = !of.some((each) => each !== our && each.line >= our.line && each.endLine <= our.endLine);
      return their && isAlone && their.line >= our.line ? [{ our, their, isFlat }] : [];
    }),
  );
  const all = sum(files.map(({ of }) => of.length));
  return { both, ours: all - both.length, theirs: theirs.length - both.length };
}

/** Secrets in the history by path: those of both, of ours and of gitleaks alone; nothing where there is no gitleaks. */
function secrets(source: string, commit: string, pastSecrets: PastSecrets | null): Row[] {
  const report = join(mkdtempSync(join(tmpdir(), 'bench-dd-')), 'gitleaks.json');
  try {
    run(
      'gitleaks',
      ['git', `--log-opts=${commit}`, '--exit-code=0', '--report-format=json', '-r', report, '.'],
      source,
    );
    const found = JSON.parse(readFileSync(report, 'utf8')) as { File: string; Secret: string }[];
    const ours = new Set(pastSecrets?.found.map(({ path }) => path));
    const digests = new Set(pastSecrets?.found.map(({ digest }) => digest));
    const theirs = Map.groupBy(found, ({ File }) => File);
    // A key is told by its beginning for us, and whole for gitleaks.
    const isOurs = (secret: string, path: string) =>
      [
        createHash('sha256').update(secret).digest('hex').slice(0, 12),
        ...secretsIn(secret, path).map((each) => each.digest),
      ].some((digest) => digests.has(digest));
    const isBoth = (path: string, all: readonly { Secret: string }[]) =>
      ours.has(path) || all.every(({ Secret }) => isOurs(Secret, path));
    const both = [...theirs].filter(([path, all]) => isBoth(path, all));
    const alone = [...theirs].filter(([path, all]) => !isBoth(path, all)).map(([path]) => path);
    return [
      { what: 'files with secrets, both', ours: both.length, theirs: both.length },
      ...[...ours]
        .filter((path) => !theirs.has(path))
        .map((path) => ({ what: `secret, ours alone: ${path}`, ours: 1, theirs: 0 })),
      ...alone.map((path) => ({ what: `secret, gitleaks’ alone: ${path}`, ours: 0, theirs: 1 })),
    ];
  } catch {
    return [];
  } finally {
    rmSync(dirname(report), { recursive: true, force: true });
  }
}

async function textsOf(opened: OpenSnapshot, paths: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const locks = paths.filter((path) => /lock(\.\w+)?$/.test(path));
  for await (const { path, content } of opened.read(locks)) texts.set(path, Buffer.from(content ?? []).toString());
  return texts;
}

/** Packages with a version, of each lockfile in a form that a few words read. */
function lockfiles(paths: readonly string[], texts: ReadonlyMap<string, string>): Row[] {
  const text = (path: string) => texts.get(path) ?? null;
  const ours = resolvedPackages(paths, text);
  return paths.flatMap((path) => {
    const plain = packagesIn(posix.basename(path), text(path));
    return plain === null
      ? []
      : [{ what: path, ours: ours.filter((each) => each.path === path).length, theirs: plain }];
  });
}

function packagesIn(name: string, text: string | null): number | null {
  if (text === null) return null;
  const all = (pattern: RegExp) =>
    new Set(Array.from(text.matchAll(pattern), ([, each, version]) => `${each} ${version}`)).size;
  if (name === 'package-lock.json') {
    const { packages = {} } = JSON.parse(text) as {
      packages?: Record<string, { version?: string; link?: boolean; name?: string }>;
    };
    const installed = Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && link !== true,
    );
    return new Set(
      installed.map(([path, each]) => `${each.name ?? path.split('node_modules/').at(-1)} ${each.version}`),
    ).size;
  }
  if (name === 'Cargo.lock') return all(/^name = "(.+)"\nversion = "(.+)"\nsource = /gm);
  if (name === 'composer.lock') {
    const { packages = [], 'packages-dev': dev = [] } = JSON.parse(text) as Record<string, unknown[] | undefined>;
    return packages.length + dev.length;
  }
  if (name === 'uv.lock' || name === 'poetry.lock')
    return all(/^name = "(.+)"\nversion = "(.+)"\n(?!source = \{ (?:editable|virtual))/gm);
  if (name === 'Gemfile.lock') return all(/^ {4}(\S+) \((\S+)\)$/gm);
  return null;
}

/** Why a figure differs by more, by repository and figure: each was looked into. */
const reasons = JSON.parse(readFileSync(join(import.meta.dirname, 'dd-reasons.json'), 'utf8')) as Record<
  string,
  Record<string, { why: string }>
>;
/** Of the folder, or of the one around a bare `NAME/repo`; what stands before a `+` there is whose it is. */
const nameOf = (folder: string) =>
  (basename(folder) === 'repo' ? basename(dirname(folder)) : basename(folder)).replace(/^.*\+|\.git$/g, '');
let unexplained = 0;
for (const folder of process.argv.slice(2)) {
  const rows = await compare(folder);
  const name = nameOf(folder);
  console.log(`\n${name}`);
  for (const { what, ours, theirs } of rows) {
    if (ours === null || theirs === null) {
      console.log(`  ${what.padEnd(28)} ${String(ours ?? '').padStart(8)} ${String(theirs ?? '').padStart(8)}`);
      continue;
    }
    const difference = theirs === 0 ? (ours === 0 ? 0 : 1) : Math.abs(ours - theirs) / theirs;
    const isFar = difference > maxDifference;
    const reason = reasons[name]?.[what];
    if (isFar && reason === undefined) unexplained += 1;
    const said = isFar ? `  ${reason?.why ?? 'MORE THAN 5 %, AND NOBODY KNOWS WHY'}` : '';
    console.log(
      `  ${what.padEnd(28)} ${String(ours).padStart(8)} ${String(theirs).padStart(8)}  ${(100 * difference).toFixed(1).padStart(5)} %${said}`,
    );
  }
}
console.log(`\n${unexplained} figures differ by more than 5 % without a reason (limit 0).`);
process.exitCode = unexplained === 0 ? 0 : 1;

// How well insecure code is found where a request's data comes to it over functions and files: on the cases of the OWASP Benchmark, which
// nobody here wrote. Argument: a folder with github.com/OWASP-Benchmark/BenchmarkJava or BenchmarkPython, whose licence keeps it out of this
// repository. A case is one file with the class that is, or is not, to be found in it, as its list of expected results says; it is found
// where data of a request is seen to come to something insecure of this class, in the case or over it. --half reported (the default) or
// tuned: a case belongs to a half by its name and the seed. Prints a table in markdown, of all cases and of those that call what other files
// of the benchmark have, within each file alone and along calls; --misses lists what is found wrongly or not at all, of the tuned half only.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { insecureCodeRule } from '../loaders/detectors/insecure-code/rules.ts';
import { createExtractor } from '../loaders/extraction/extract.ts';
import type { Document } from '../loaders/facts/document.ts';
import type { FileFlows } from '../loaders/facts/flow.ts';
import type { InsecureCode } from '../loaders/facts/insecure-code.ts';
import { languageOf } from '../loaders/languages/index.ts';
import { edgesByFile, insecureOverCalls, insecureWith } from '../loaders/resolution/flows.ts';
import { importsOf } from '../loaders/resolution/file-imports.ts';
import { mayFlow } from '../loaders/resolution/may-flow.ts';
import { resolve } from '../loaders/resolution/resolve.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'reported' },
    seed: { type: 'string', default: '21' },
    misses: { type: 'boolean', default: false },
  },
});
const [folder = ''] = positionals;

/** Of the benchmark's classes those in which data goes somewhere. */
const weaknesses: Readonly<Record<string, readonly number[]>> = {
  sqli: [89, 564],
  cmdi: [78, 88],
  codeinj: [94, 95],
  pathtraver: [22, 23, 36, 73],
  xss: [79, 80],
  deserialization: [502],
};

const cases = globSync('expectedresults-*.csv', { cwd: folder }).flatMap((name) =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .map((line) => line.split(','))
    .flatMap(([test = '', of = '', real]) => (weaknesses[of] ? [{ test, of, isInsecure: real === 'true' }] : [])),
);
if (cases.length === 0) throw new Error('Name a folder with the OWASP Benchmark.');
const wanted = cases.filter(({ test }) => halfOf(test) === options.half);

const paths = globSync('{src/main,testcode,helpers}/**/*.{java,py}', { cwd: folder }).sort();
const text = (path: string) => readFileSync(join(folder, path), 'utf8');
const alone = new Map<string, InsecureCode[]>();
const overCalls = insecureWith(alone, await insecureOf());
const files = new Map(paths.map((path) => [/(\w+)\.\w+$/.exec(path)?.[1] ?? '', path]));
/** Cases call nothing of each other's. */
const callsOthers = /\bhelpers\.(?!(?:Utils|utils)\b)\w+/;

console.log(
  '| cases | of | insecure | precision in a file | recall in a file | precision | recall |\n|---|---|---|---|---|---|---|',
);
for (const [title, some] of [
  ['all', wanted],
  ['calling others', wanted.filter(({ test }) => callsOthers.test(text(files.get(test) ?? '')))],
  ...Object.keys(weaknesses).map((of) => [of, wanted.filter((each) => each.of === of)] as const),
] as const)
  if (some.length > 0)
    console.log(
      `| ${title} | ${some.length} | ${some.filter(({ isInsecure }) => isInsecure).length} | ${figures(some, alone)} | ${figures(some, overCalls)} |`,
    );
if (options.misses && options.half === 'tuned')
  for (const each of wanted)
    if (isFound(each, overCalls) !== each.isInsecure)
      console.log(`${each.isInsecure ? 'missed' : 'wrong'} ${each.of} ${files.get(each.test)}`);

function halfOf(test: string): string {
  const [first = 0] = createHash('sha256').update(`${options.seed} ${test}`).digest();
  return first % 2 === 0 ? 'tuned' : 'reported';
}

async function insecureOf(): Promise<ReadonlyMap<string, readonly InsecureCode[]>> {
  const extractor = await createExtractor();
  const documents: Document[] = [];
  const flows: FileFlows[] = [];
  try {
    for (const path of paths) {
      const language = languageOf(path);
      if (!language) continue;
      const read = extractor.read(language, readFileSync(join(folder, path)), path, language.linguist);
      documents.push({ path, facts: read.facts });
      if (read.insecure) alone.set(path, read.insecure);
      if (read.flows) flows.push({ path, flows: read.flows });
    }
  } finally {
    extractor.close();
  }
  const sorted = mayFlow(flows, importsOf(documents, { paths, read: text }));
  if (!sorted) return new Map();
  return insecureOverCalls(
    sorted,
    documents,
    edgesByFile(sorted, documents, resolve(documents, { paths, read: text })),
  );
}

function figures(some: typeof cases, found: ReadonlyMap<string, readonly InsecureCode[]>): string {
  const told = some.filter((each) => isFound(each, found));
  const right = told.filter(({ isInsecure }) => isInsecure).length;
  const share = (whole: number) => (whole === 0 ? '' : (right / whole).toFixed(2));
  return `${share(told.length)} | ${share(some.filter(({ isInsecure }) => isInsecure).length)}`;
}

/** Whether a request is seen to fill what is insecure there. */
function isFound({ test, of }: (typeof cases)[number], found: ReadonlyMap<string, readonly InsecureCode[]>): boolean {
  const path = files.get(test) ?? '';
  const isOf = ({ rule, severity }: InsecureCode) => {
    const known = insecureCodeRule(rule);
    return known?.severity === severity && weaknesses[of]?.includes(Number(/\d+/.exec(known.cwe)?.[0]));
  };
  return (
    (found.get(path) ?? []).some(isOf) ||
    [...found.values()].flat().some((each) => each.way?.some((place) => place.path === path) === true && isOf(each))
  );
}

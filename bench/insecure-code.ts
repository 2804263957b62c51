// How well insecure code is found: on the cases that Semgrep's public rules are tested with, which nobody here wrote. Argument: a folder
// with github.com/semgrep/semgrep-rules, whose licence keeps it out of this repository. --half reported (the default) or tuned: a rule's
// file belongs to a half by its path and the seed. A case is a statement below a line of `ruleid:` (insecure) or `ok:`, of a rule on
// security with a CWE of a class that we claim; it is found where a finding of ours of this class is in the statement, or its data
// comes from there.
// Prints a table in markdown. --by class: of each language and class; --misses lists what is found wrongly or not at all, of the tuned half only.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { securityRule } from '../loaders/detectors/security-rules.ts';
import { createExtractor } from '../loaders/extraction/extract.ts';
import { languageOf } from '../loaders/languages/index.ts';
import { secretsIn } from '../loaders/metrics/security/secrets-in.ts';
import { readYaml } from '../loaders/read-yaml.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'reported' },
    seed: { type: 'string', default: '21' },
    by: { type: 'string', default: 'language' },
    language: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});
const [folder = ''] = positionals;
if (!existsSync(join(folder, 'python'))) throw new Error('Name a folder with github.com/semgrep/semgrep-rules.');

const classes: Readonly<Record<string, readonly number[]>> = {
  query: [89, 564, 943],
  // Whether what is run is a command or code, rules of one kind are not of one mind.
  command: [77, 78, 88, 94, 95, 96],
  path: [22, 23, 36, 73],
  markup: [79, 80],
  request: [918],
  objects: [502],
  crypto: [326, 327, 328, 329, 330, 338, 916],
  secret: [259, 321, 547, 798],
  certificate: [295, 297, 299],
};
const classOf = (cwe: string) =>
  Object.keys(classes).find((name) => classes[name]?.includes(Number(/CWE-(\d+)/.exec(cwe)?.[1])));

const ruleFileSchema = z.object({
  rules: z.array(
    z.object({
      id: z.string(),
      metadata: z
        .object({
          category: z.string().optional(),
          cwe: z.union([z.string(), z.array(z.string())]).optional(),
        })
        .optional(),
    }),
  ),
});

/** A statement of a test file with the classes that are, and are not, to be found in it; lines from 1. */
interface Case {
  path: string;
  from: number;
  to: number;
  insecure: Set<string>;
  fine: Set<string>;
}

const names: Readonly<Record<string, string>> = { tsx: 'typescript' };
const counts = new Map<string, { cases: number; right: number; wrong: number; missed: number; beside: number }>();
const extractor = await createExtractor();
try {
  for (const path of globSync('**/*.{yaml,yml}', { cwd: folder }).sort()) {
    if (path.endsWith('.test.yaml') || halfOf(path) !== options.half) continue;
    const classOfRule = classesOfRules(readFileSync(join(folder, path), 'utf8'));
    if (classOfRule.size === 0) continue;
    for (const test of testsOf(path)) measure(test, classOfRule);
  }
} finally {
  extractor.close();
}
print();

function halfOf(path: string): string {
  const [first = 0] = createHash('sha256').update(`${options.seed} ${path}`).digest();
  return first % 2 === 0 ? 'tuned' : 'reported';
}

function classesOfRules(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const parsed = ruleFileSchema.safeParse(readYaml(text).value);
  for (const { id, metadata } of parsed.success ? parsed.data.rules : []) {
    const of = [metadata?.cwe ?? []]
      .flat()
      .map(classOf)
      .find((each) => each !== undefined);
    if (metadata?.category === 'security' && of !== undefined) found.set(id, of);
  }
  return found;
}

/** Files beside the rule's that differ from it in the ending only. */
function testsOf(path: string): string[] {
  const stem = path.replace(/\.ya?ml$/, '');
  return globSync(`${stem}{.,.test.}*`, { cwd: folder })
    .filter((each) => languageOf(each) && !/\.ya?ml$|\.fixed\./.test(each))
    .sort();
}

function measure(path: string, classOfRule: ReadonlyMap<string, string>): void {
  const language = languageOf(path);
  const name = names[language?.id ?? ''] ?? language?.id ?? '';
  if (!language || (options.language !== undefined && options.language !== name)) return;
  const content = readFileSync(join(folder, path));
  const cases = casesOf(path, content.toString(), classOfRule);
  if (cases.length === 0) return;
  const found = [
    ...(extractor.read(language, content, 'file', language.linguist).insecure ?? []).map(
      ({ rule, line, steps: [first = line] = [] }) => ({
        line,
        first,
        rule,
        of: classOf(securityRule('code', rule).cwe),
      }),
    ),
    ...secretsIn(content.toString(), 'file').map(({ line, rule }) => ({ line, first: line, rule, of: 'secret' })),
  ];
  for (const { from, to, insecure, fine } of cases) {
    const here = found.filter(({ line, first }) => [line, first].some((each) => from <= each && each <= to));
    for (const [of, isInsecure] of [
      ...[...insecure].map((each) => [each, true] as const),
      ...[...fine].map((each) => [each, false] as const),
    ]) {
      const hit = here.find((each) => each.of === of);
      const outcome = isInsecure ? (hit ? 'right' : 'missed') : hit ? 'wrong' : null;
      const count = countOf(options.by === 'class' ? `${name} ${of}` : name);
      count.cases++;
      if (outcome) count[outcome]++;
      if (options.misses && options.half === 'tuned' && (outcome === 'missed' || outcome === 'wrong'))
        console.log(
          `${outcome} ${name} ${of} ${path}:${from}-${to} ${hit?.rule ?? ''}\n    ${content
            .toString()
            .split('\n')
            .slice(from - 1, Math.min(to, from + 3))
            .map((line) => line.trim())
            .join('\n    ')}`,
        );
    }
  }
  const claimed = new Set(classOfRule.values());
  const beside = found.filter(
    ({ line, of }) => of !== undefined && claimed.has(of) && !cases.some(({ from, to }) => from <= line && line <= to),
  );
  countOf(options.by === 'class' ? `${name} ${[...claimed][0]}` : name).beside += beside.length;
}

function countOf(name: string) {
  const count = counts.get(name) ?? { cases: 0, right: 0, wrong: 0, missed: 0, beside: 0 };
  counts.set(name, count);
  return count;
}

/** A statement goes from the line below the annotation over all that is indented more, to the brackets that close it. */
function casesOf(path: string, text: string, classOfRule: ReadonlyMap<string, string>): Case[] {
  const lines = text.split('\n');
  const annotation = (line: string) =>
    /^\s*(?:\/\/|#|--|\/\*|<!--|\{\/\*)?\s*(?:\/\/|#)?\s*(?:todo)?(ruleid|ok):\s*([\w.,\s-]+)/i.exec(line);
  const found: Case[] = [];
  let [insecure, fine] = [new Set<string>(), new Set<string>()];
  for (const [index, line] of lines.entries()) {
    const [, word, ids = ''] = annotation(line) ?? [];
    const isCertain = !/todo(?:ruleid|ok)/i.test(line);
    if (word !== undefined) {
      for (const id of ids.split(/[\s,]+/)) {
        const of = classOfRule.get(id.split('.').at(-1) ?? '');
        if (of !== undefined && isCertain) (word.toLowerCase() === 'ruleid' ? insecure : fine).add(of);
      }
      continue;
    }
    if (insecure.size + fine.size === 0 || line.trim() === '') continue;
    const indent = indentOf(line);
    let to = index;
    for (let next = index + 1; next < lines.length; next++) {
      const text = lines[next] ?? '';
      if (annotation(text)) break;
      if (text.trim() === '') continue;
      if (indentOf(text) < indent || (indentOf(text) === indent && !/^\s*[)\]}]/.test(text))) break;
      to = next;
    }
    for (const of of insecure) fine.delete(of);
    found.push({ path, from: index + 1, to: to + 1, insecure, fine });
    [insecure, fine] = [new Set(), new Set()];
  }
  return found;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function print(): void {
  console.log(
    `| ${options.by === 'class' ? 'language and class' : 'language'} | cases | insecure | precision | recall | found beside the cases |\n|---|---|---|---|---|---|`,
  );
  const share = (part: number, whole: number) => (whole === 0 ? '' : (part / whole).toFixed(2));
  for (const [name, { cases, right, wrong, missed, beside }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(
      `| ${name} | ${cases} | ${right + missed} | ${share(right, right + wrong)} | ${share(right, right + missed)} | ${beside} |`,
    );
}

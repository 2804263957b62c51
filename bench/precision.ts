// How precise the graph is: CALLS and INHERITS against what compilers, or running code, say of the same source. Prints a table.
// Arguments: TRUTHS SOURCES [NAME…]. TRUTHS holds NAME.jsonl, SOURCES the folder NAME that its paths begin in; without names all
// that both have. A row of a truth is an edge, {"type", "from": "path:line", "to": "path:line"}, by the lines that name the
// definitions, or {"type": "UNKNOWN", "from", "to_name"}, a call of which the truth knows nothing: what we say there is not counted.
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { languageOf } from '../loaders/languages/index.ts';
import type { DefinitionRef } from '../loaders/resolution/definition-ref.ts';
import { resolve } from '../loaders/resolution/resolve.ts';
import { factsOf, type Sources } from '../test/support/edges-of.ts';

const [truths = '', folders = '', ...wanted] = process.argv.slice(2);
/** What is surer than this is an edge of the graph. */
const minConfidence = 0.5;

interface Row {
  type: 'CALLS' | 'INHERITS' | 'UNKNOWN';
  from: string;
  to?: string;
  to_name: string;
}

const names = readdirSync(truths)
  .filter((file) => file.endsWith('.jsonl') && existsSync(join(folders, file.slice(0, -6))))
  .map((file) => file.slice(0, -6));
console.log(
  '| language | package | calls | precision | recall | F1 | INHERITS F1 |\n| --- | --- | --- | --- | --- | --- | --- |',
);
for (const name of wanted.length > 0 ? wanted : names) {
  const truth = readFileSync(join(truths, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
  const sources = await sourcesIn(join(folders, name));
  const found = await edgesIn(sources, join(folders, name));
  const language = languageOf(truth[0]?.from.replace(/:\d+$/, '') ?? '')?.linguist ?? '';
  const inherits = scored('INHERITS', truth, found).at(-1) ?? '';
  console.log(`| ${[language, name, ...scored('CALLS', truth, found), inherits].join(' | ')} |`);
}

/** Every file of a language that is read, by its path in the folder. */
async function sourcesIn(folder: string): Promise<Sources> {
  const sources: Record<string, string> = {};
  for await (const path of glob('**/*', { cwd: folder }))
    if (languageOf(path)) sources[path] = readFileSync(join(folder, path), 'utf8');
  return Object.fromEntries(Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function edgesIn(sources: Sources, folder: string): Promise<Row[]> {
  const files = await factsOf(sources);
  // Manifests tell what a package calls itself.
  const paths = globSync('**/*', { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
  const read = (path: string) =>
    sources[path] ?? (paths.includes(path) ? readFileSync(join(folder, path), 'utf8') : null);
  const { edges } = resolve(files, { paths, read });
  const definition = (ref: DefinitionRef) => files[ref.document]?.facts.definitions[ref.definition];
  const place = (ref: DefinitionRef) => `${files[ref.document]?.path}:${definition(ref)?.line}`;
  const rows: Row[] = [];
  for (const { type, from, to, name, confidence } of edges) {
    if (type === 'IMPORTS' || confidence < minConfidence || from.definition < 0) continue;
    rows.push({ type, from: place(from), to: place(to), to_name: name || (definition(to)?.name ?? '') });
  }
  return rows;
}

/** The truth's number of edges, precision, recall and F1; nothing where it has none. An edge counts once, one to itself never. */
function scored(kind: Row['type'], truth: readonly Row[], found: readonly Row[]): string[] {
  const edge = ({ from, to }: Row) => `${from} ${to}`;
  const isWanted = ({ type, from, to }: Row) => type === kind && from !== to;
  const unknown = new Set(truth.filter(({ type }) => type === 'UNKNOWN').map((row) => `${row.from} ${row.to_name}`));
  const want = new Set(truth.filter(isWanted).map(edge));
  if (want.size === 0) return [];
  const covered = new Set(
    truth.filter(({ type }) => type !== 'UNKNOWN').flatMap(({ from, to = '' }) => [fileOf(from), fileOf(to)]),
  );
  const have = new Set(
    [...new Map(found.filter(isWanted).map((row) => [edge(row), row])).values()]
      .filter(({ from, to = '' }) => covered.has(fileOf(from)) && covered.has(fileOf(to)))
      .filter((row) => want.has(edge(row)) || !unknown.has(`${row.from} ${row.to_name}`))
      .map(edge),
  );
  const both = [...have].filter((one) => want.has(one)).length;
  const [precision, recall] = [both / Math.max(1, have.size), both / want.size];
  const f1 = both === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return [String(want.size), ...[precision, recall, f1].map((share) => share.toFixed(3))];
}

function fileOf(end: string): string {
  return end.slice(0, end.lastIndexOf(':'));
}

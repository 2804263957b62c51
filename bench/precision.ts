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
import { compare, rowsOf, scoresOf, type Row } from './precision/score.ts';

const [truths = '', folders = '', ...wanted] = process.argv.slice(2);
/** What is surer than this is an edge of the graph. */
const minConfidence = 0.5;

const names = readdirSync(truths)
  .filter((file) => file.endsWith('.jsonl') && existsSync(join(folders, file.slice(0, -6))))
  .map((file) => file.slice(0, -6));
console.log(
  '| language | package | calls | precision | recall | F1 | INHERITS F1 |\n| --- | --- | --- | --- | --- | --- | --- |',
);
for (const name of wanted.length > 0 ? wanted : names) {
  const truth = rowsOf(join(truths, `${name}.jsonl`));
  const sources = await sourcesIn(join(folders, name));
  const found = await edgesIn(sources, join(folders, name));
  const language = languageOf(truth[0]?.from.replace(/:\d+$/, '') ?? '')?.linguist ?? '';
  const inherits = scoresOf(compare('INHERITS', truth, found)).at(-1) ?? '';
  console.log(`| ${[language, name, ...scoresOf(compare('CALLS', truth, found)), inherits].join(' | ')} |`);
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
    // Truths name a callee without what it is qualified by.
    const called = (name || (definition(to)?.name ?? '')).split('::').at(-1) ?? '';
    rows.push({ type, from: place(from), to: place(to), to_name: called });
  }
  return rows;
}

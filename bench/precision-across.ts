// How precise the graph is between repositories: CALLS, INHERITS and IMPORTS from one package to symbols of another, against what a compiler
// says of both together. Prints a table. Arguments: TRUTHS SOURCES [NAME…]. SOURCES/NAME has a folder a package, manifest included, each
// of which is read as a repository of its own; TRUTHS/NAME.jsonl has rows as for `precision.ts`, whose paths begin with that folder, of which
// those count that lead from one folder to another; --misses lists what is missed and what is wrong. An IMPORTS row leads from a package (`from` is its folder and `:0`) to a definition.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { analyze } from '../loaders/analyze.ts';
import { startThreads } from '../loaders/extraction/pool.ts';
import { gatherBoundary } from '../loaders/records/boundary.ts';
import { wantedLinks } from '../loaders/wanted-links.ts';
import { repositoryOf } from '../src/model/repository-of.ts';
import type { Snapshot } from '../src/model/snapshot.ts';
import { compare, rowsOf, scoresOf, type Row } from './precision/score.ts';

const { values: options, positionals } = parseArgs({
  options: { misses: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [truths = '', folders = '', ...wanted] = positionals;
/** What is surer than this is an edge of the graph. */
const minConfidence = 0.5;

startThreads();
const names = readdirSync(folders).filter((name) => existsSync(join(truths, `${name}.jsonl`)));
const kinds = ['CALLS', 'INHERITS', 'IMPORTS'] as const;
console.log(`| packages | ${kinds.map((kind) => `${kind} | precision | recall | F1`).join(' | ')} |`);
console.log(`| --- |${' --- | --- | --- | --- |'.repeat(kinds.length)}`);
for (const name of wanted.length > 0 ? wanted : names) {
  const truth = rowsOf(join(truths, `${name}.jsonl`));
  const found = await edgesBetween(join(folders, name));
  const compared = kinds.map((kind) => compare(kind, truth, found, leadsOut));
  const columns = compared.flatMap((each) => (each.want.size > 0 ? scoresOf(each) : ['', '', '', '']));
  console.log(`| ${[name, ...columns].join(' | ')} |`);
  for (const { want, have } of options.misses ? compared : []) {
    for (const edge of want) if (!have.has(edge)) console.log(`missed ${edge}`);
    for (const edge of have) if (!want.has(edge)) console.log(`wrong ${edge}`);
  }
}

/** All that leads from a symbol, or a repository, to a symbol of another. */
async function edgesBetween(folder: string): Promise<Row[]> {
  const snapshots = new Map<string, Snapshot>();
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    snapshots.set(name, (await analyze(join(folder, name), { name })).snapshot);
  const nodes = new Map(
    [...snapshots.values()].flatMap((each) => Array.from(each.nodes, (node) => [node.id, node] as const)),
  );
  const placeOf = (id: string) => {
    const node = nodes.get(id);
    return node?.type === 'Repository' ? `${node.name}:0` : `${repositoryOf(id)}/${node?.path}:${node?.line}`;
  };
  const rows: Row[] = [];
  const boundaryOf = async (name: string) => gatherBoundary(snapshots.get(name)?.boundary ?? []);
  for (const { edges } of wantedLinks([...snapshots.values()].map(({ repository }) => repository)))
    for (const { type, from, to, confidence } of await edges(boundaryOf)) {
      const node = nodes.get(to);
      if (confidence < minConfidence || node?.type === 'Repository') continue;
      rows.push({ type: type as Row['type'], from: placeOf(from), to: placeOf(to), to_name: node?.name ?? '' });
    }
  return rows;
}

function leadsOut({ from, to = '' }: Row): boolean {
  return packageOf(from) !== packageOf(to);
}

function packageOf(end: string): string {
  return end.split(/[/:]/, 1)[0] ?? '';
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

const grammars = Object.entries(packageJson.devDependencies).filter(([name]) => name.includes('tree-sitter'));

/** What the result of an analysis depends on: these sources, and the grammars by their versions in package.json. */
const folders = [
  'detectors',
  'extraction',
  'facts',
  'languages',
  'manifests',
  'metrics',
  'records',
  'reference-data',
  'resolution',
  'scip',
  'snapshot',
  'vulnerabilities',
];

/**
 * Equal only for the same analyzer: the package's version and a digest of what the analysis is made of. So facts that an earlier
 * state of the code left in the cache are never mixed with new ones, and nobody has to remember to raise a number.
 */
export const analyzerVersion = `${packageJson.version}+${digest(folders.flatMap(sourcesIn))}`;

/** Likewise of what is seen of a version of a file that is searched for secrets: the rules, and what excuses a finding. */
export const secretSearchVersion = digest(['metrics/security', 'reference-data', 'snapshot'].flatMap(sourcesIn));

/** Likewise of which identifiers a commit is said to have changed. */
export const changedVersion = digest(['records', 'snapshot'].flatMap(sourcesIn));

/** Likewise of what edges between repositories are made by. */
export const linkerVersion = digest(
  readdirSync(import.meta.dirname)
    .filter((path) => /link/.test(path))
    .sort(),
);

function sourcesIn(folder: string): string[] {
  const paths = readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).sort();
  return paths.filter((path) => /\.(ts|js|json|yml)$/.test(path)).map((path) => join(folder, path));
}

function digest(paths: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([packageJson.dependencies, grammars]));
  for (const path of paths)
    hash.update(path.replaceAll('\\', '/')).update(readFileSync(join(import.meta.dirname, path)));
  return hash.digest('hex').slice(0, 12);
}

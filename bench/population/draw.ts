// Draws the repositories of the reference population: drawn.json. Arguments: SEED LISTED REMOVED CLONE…, where the clones are of lists
// that people keep of a language's good projects (awesome-*), with their history.
// The rule: of each list the GitHub repositories that its README (of a list that is a program, its source) names today, LISTED of them,
// and those that it once named, REMOVED of them: mostly dead or retired, some renamed. Each in the order of sha256 of seed and name.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';

const [seed = '', listed = '', removed = '', ...clones] = process.argv.slice(2);
const files = [':(icase,top)readme.md', ':(top)*.kts'];
/** Parts of GitHub that look like an owner. */
const noOwners = new Set(['about', 'apps', 'collections', 'features', 'orgs', 'search', 'site', 'sponsors', 'topics']);

const lists = clones.map((clone) => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8', maxBuffer: 1 << 30 });
  const now = namesIn(git('grep', '-hI', 'github.com/', 'HEAD', '--', ...files));
  const ever = namesIn(git('log', '-p', '-U0', '--format=', 'HEAD', '--', ...files));
  const gone = [...ever].filter(([key]) => !now.has(key)).map(([, name]) => name);
  return {
    list: basename(clone).replace('+', '/'),
    commit: git('rev-parse', 'HEAD').trim(),
    listed: ordered([...now.values()]).slice(0, Number(listed)),
    removed: ordered(gone).slice(0, Number(removed)),
  };
});
console.log(JSON.stringify({ seed, lists }, null, 2));

function namesIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, owner = '', name = ''] of text.matchAll(/\/\/github\.com\/([\w-]+)\/([\w.-]+)/g)) {
    const repository = `${owner}/${name.replace(/(?:\.git|\.)$/, '')}`;
    if (!noOwners.has(owner) && !/awesome/i.test(name)) found.set(repository.toLowerCase(), repository);
  }
  return found;
}

function ordered(names: readonly string[]): string[] {
  return names.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

function rank(name: string): string {
  return createHash('sha256').update(`${seed} ${name.toLowerCase()}`).digest('hex');
}

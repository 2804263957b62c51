// Draws the merges that bench/change.ts measures: merges.json. Arguments: SEED REPOSITORIES MERGES CLONES LANGUAGE=LIST…, where CLONES has
// OWNER+NAME of each list that people keep of a language's good projects, and of what they list.
// The rule: the GitHub repositories that a list's README names today, in the order of sha256 of seed and name, of which the first
// REPOSITORIES count that have a clone there, from 20 to 1,500 files of the language, and MERGES merges that fit. Those fit that the first
// parents of HEAD lead to, that have two parents, change source of the language against the first, tests left out, and have the language's
// manifest at their root on both sides; in the order of sha256 of seed and commit. Every second repository is one to tune on.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSource } from './is-source.ts';

const [seed = '', repositories = '', merges = '', clones = '', ...lists] = process.argv.slice(2);
const languages: Record<string, { manifest: string; file: RegExp }> = {
  go: { manifest: 'go.mod', file: /\.go$/ },
  typescript: { manifest: 'package.json', file: /\.[cm]?tsx?$/ },
};
const [minFiles, maxFiles] = [20, 1_500];

const drawn = lists.map((each) => {
  const [language = '', list = ''] = each.split('=');
  const clone = cloneOf(list);
  if (clone === null) throw new Error(`${list} is not in ${clones}.`);
  const found: { name: string; half: 'tune' | 'report'; merges: string[] }[] = [];
  for (const name of ordered(namesIn(clone))) {
    if (found.length === Number(repositories)) break;
    const chosen = mergesOf(name, language);
    if (chosen) found.push({ name, half: found.length % 2 === 0 ? 'tune' : 'report', merges: chosen });
  }
  return { language, list, commit: git(clone, 'rev-parse', 'HEAD').trim(), repositories: found };
});
console.log(JSON.stringify({ seed, drawn }, null, 2));

function git(clone: string, ...args: string[]): string {
  return execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 });
}

function cloneOf(name: string): string | null {
  const folder = join(clones, name.replace('/', '+'));
  return [join(folder, 'repo'), folder].find((each) => existsSync(each)) ?? null;
}

function namesIn(clone: string): string[] {
  const text = git(clone, 'grep', '-hiI', 'github.com/', 'HEAD', '--', ':(icase,top)readme.md');
  const names = new Map<string, string>();
  for (const [, owner = '', name = ''] of text.matchAll(/\/\/github\.com\/([\w-]+)\/([\w.-]+)/g)) {
    const repository = `${owner}/${name.replace(/(?:\.git|\.)$/, '')}`;
    names.set(repository.toLowerCase(), repository);
  }
  return [...names.values()];
}

/** Null of a repository that does not count. */
function mergesOf(name: string, language: string): string[] | null {
  const clone = cloneOf(name);
  const rule = languages[language];
  if (clone === null || rule === undefined) {
    console.error(`${name} has no clone.`);
    return null;
  }
  const files = git(clone, 'ls-tree', '-r', '--name-only', 'HEAD').split('\n');
  const size = files.filter((path) => rule.file.test(path)).length;
  if (size < minFiles || size > maxFiles) return null;
  const hasManifest = (commit: string) => git(clone, 'ls-tree', '--name-only', commit, rule.manifest) !== '';
  const commits = git(clone, 'log', '--first-parent', '--min-parents=2', '--max-parents=2', '--format=%H', 'HEAD');
  const fitting: string[] = [];
  for (const commit of ordered(commits.split('\n').filter(Boolean))) {
    if (fitting.length === Number(merges)) break;
    const changed = git(clone, 'diff', '--no-renames', '--name-only', `${commit}^1`, commit).split('\n');
    const isChange = changed.some((path) => rule.file.test(path) && isSource(path));
    if (isChange && hasManifest(commit) && hasManifest(`${commit}^1`)) fitting.push(commit);
  }
  return fitting.length === Number(merges) ? fitting : null;
}

function ordered(names: readonly string[]): string[] {
  return names.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

function rank(name: string): string {
  return createHash('sha256').update(`${seed} ${name.toLowerCase()}`).digest('hex');
}

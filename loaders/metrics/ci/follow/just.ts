import { posix } from 'node:path';
import { folderFrom } from '../shell-script.ts';
import type { Follower, Step } from './follow.ts';
import { toolOf } from './wrappers.ts';

const names = ['justfile', 'Justfile', '.justfile', 'JUSTFILE'];
const maxNeeds = 100;

interface Recipe {
  names: string[];
  needs: string[];
  lines: string[];
}

/** `just RECIPE`: the lines of a recipe and of those it depends on. */
export const just: Follower = ({ words, dir }, sources) => {
  if (toolOf(words) !== 'just') return null;
  const [wanted, ...more] = words.slice(1).filter((word) => !word.startsWith('-') && !word.includes('='));
  const path = names.map((name) => posix.join(dir, name)).find((each) => sources.paths.has(each));
  const text = path === undefined ? null : sources.text(path);
  if (path === undefined || text === null) return { fails: 'there is no justfile' };
  const recipes = recipesIn(text);
  const first = wanted ?? recipes[0]?.names[0] ?? '';
  if (!recipes.some((recipe) => recipe.names.includes(first))) return { fails: `${path} has no recipe \`${first}\`` };
  const steps: Step[] = [];
  const done = new Set<string>();
  const collect = (name: string) => {
    if (done.has(name) || done.size > maxNeeds) return;
    done.add(name);
    const recipe = recipes.find((each) => each.names.includes(name));
    for (const need of recipe?.needs ?? []) collect(need);
    steps.push(...stepsOf(recipe?.lines ?? [], folderFrom(dir, '.')));
  };
  // What stands behind the first name are its arguments, or recipes.
  for (const name of [first, ...more.filter((word) => recipes.some((recipe) => recipe.names.includes(word)))])
    collect(name);
  return steps;
};

/** Each line is run by itself, but for one with `#!`, which is a script. */
function stepsOf(lines: readonly string[], dir: string): Step[] {
  const [first = ''] = lines;
  if (first.startsWith('#!')) {
    const isShell = /\b(ba|z|da)?sh\b/.test(first);
    return isShell ? [{ text: lines.slice(1).join('\n'), dir, errexit: /\s-\w*e/.test(first) }] : [];
  }
  return lines.map((line) => {
    const signs = line.length - line.replace(/^[-@]{1,2}/, '').length;
    const hidden = line.slice(0, signs).includes('-') ? 'its line begins with `-`, which hides its failure' : null;
    return { text: line.slice(signs), dir, hidden };
  });
}

function recipesIn(text: string): Recipe[] {
  const recipes: Recipe[] = [];
  let current: Recipe | null = null;
  for (const line of text.replaceAll(/\\\n[ \t]*/g, ' ').split('\n')) {
    if (/^[ \t]/.test(line)) {
      if (line.trim() !== '') current?.lines.push(line.trim());
      continue;
    }
    if (line.trim() === '' || line.startsWith('#') || line.startsWith('[')) continue;
    const at = line.indexOf(':');
    const alias = /^alias ([\w-]+) {0,9}:= {0,9}([\w-]+)/.exec(line);
    if (alias?.[1] !== undefined && alias[2] !== undefined) {
      recipes.find(({ names: known }) => known.includes(alias[2] ?? ''))?.names.push(alias[1]);
      continue;
    }
    if (at === -1 || line[at + 1] === '=') continue;
    const name = /^@?([\w-]+)/.exec(line)?.[1];
    if (name === undefined) continue;
    const needs = line
      .slice(at + 1)
      .split(/[\s()&]+/)
      .filter((word) => /^[\w-]+$/.test(word));
    current = { names: [name], needs, lines: [] };
    recipes.push(current);
  }
  return recipes;
}

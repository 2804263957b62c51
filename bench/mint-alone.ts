// The search for candidates alone, in a process of its own. Argument: a repository. Prints seconds, commits and candidates as JSON.
import { searchCandidates } from '../loaders/task-instances/mint.ts';

const [repository = '.'] = process.argv.slice(2);
const began = performance.now();
const { found } = await searchCandidates(repository, {
  settingsFile: null,
  settings: {},
  issues: new Map(),
  references: new Set(),
  cloneFolder: '',
  folder: '',
});
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ seconds, commits: found.commits, candidates: found.candidates.length }));

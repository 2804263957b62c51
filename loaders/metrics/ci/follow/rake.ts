import { posix } from 'node:path';
import type { Follower, Step } from './follow.ts';
import { toolOf } from './wrappers.ts';

interface Task {
  name: string;
  needs: string[];
  /** What its body runs, as shell commands. */
  runs: string[];
}

/** Tasks that libraries define, and the command that each comes to. */
const made: readonly { pattern: RegExp; name: string; runs: string }[] = [
  { pattern: /Minitest::TestTask\.(?:create|new)\b(.*)/, name: 'test', runs: 'ruby -Itest -e minitest' },
  { pattern: /Rake::TestTask\.new\b(.*)/, name: 'test', runs: 'ruby -Itest -e minitest' },
  { pattern: /RSpec::Core::RakeTask\.new\b(.*)/, name: 'spec', runs: 'rspec' },
  { pattern: /Cucumber::Rake::Task\.new\b(.*)/, name: 'cucumber', runs: 'cucumber' },
  { pattern: /RuboCop::RakeTask\.new\b(.*)/, name: 'rubocop', runs: 'rubocop' },
  { pattern: /(?:Standard::Rake|standard\/rake)(.*)/, name: 'standard', runs: 'standardrb' },
  { pattern: /Reek::Rake::Task\.new\b(.*)/, name: 'reek', runs: 'reek' },
  { pattern: /Bundler::Audit::Task\.new\b(.*)/, name: 'bundle:audit', runs: 'bundle audit' },
];
const maxNeeds = 100;

/** `rake`, `rake test lint`: down to the command, where a library's task stands for the test runner. */
export const rake: Follower = ({ words, dir }, sources) => {
  if (toolOf(words) !== 'rake') return null;
  const path = ['Rakefile', 'rakefile', 'Rakefile.rb']
    .map((name) => posix.join(dir, name))
    .find((each) => sources.paths.has(each));
  const text = path === undefined ? null : sources.text(path);
  if (path === undefined || text === null) return { fails: 'there is no Rakefile' };
  const folder = posix.join(dir, 'tasks');
  const more = [...sources.paths].filter(
    (each) =>
      each.endsWith('.rake') &&
      (each.startsWith(`${folder}/`) || each.includes('lib/tasks/') || each.startsWith(posix.join(dir, 'rakelib'))),
  );
  const tasks = [text, ...more.slice(0, 50).map((each) => sources.text(each) ?? '')].flatMap(tasksIn);
  if (/Rails\.application\.load_tasks|Rails::Application/.test(text))
    tasks.push({ name: 'test', needs: [], runs: ['rails test'] });
  const asked = words
    .slice(1)
    .filter((word) => !word.startsWith('-') && !word.includes('='))
    .map((word) => word.split('[')[0] ?? word);
  const wanted = asked.length > 0 ? asked : ['default'];
  const steps: Step[] = [];
  const done = new Set<string>();
  const collect = (name: string) => {
    if (done.has(name) || done.size > maxNeeds) return;
    done.add(name);
    for (const task of tasks.filter((each) => each.name === name)) {
      for (const need of task.needs) collect(need);
      steps.push(...task.runs.map((run) => ({ text: run, dir, via: `${path} ${name}` })));
    }
  };
  for (const name of wanted) collect(name);
  const isKnown = wanted.some((name) => tasks.some((task) => task.name === name));
  return isKnown ? steps : { fails: `${path} has no task \`${wanted.join(' ')}\`` };
};

function tasksIn(text: string): Task[] {
  const tasks: Task[] = [];
  const spaces: { name: string; indent: number }[] = [];
  let current: (Task & { indent: number }) | null = null;
  for (const line of text.split('\n').map((each) => each.slice(0, 500))) {
    const indent = line.length - line.trimStart().length;
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#')) continue;
    if (/^end\b/.test(bare)) {
      if (current && indent <= current.indent) current = null;
      if ((spaces.at(-1)?.indent ?? -1) >= indent) spaces.pop();
      continue;
    }
    const space = /^namespace[\s(]+[:"']{1,2}([\w:-]+)/.exec(bare)?.[1];
    if (space !== undefined) spaces.push({ name: space, indent });
    const prefix = spaces.map(({ name }) => `${name}:`).join('');
    const library = made
      .map((each) => ({ ...each, rest: each.pattern.exec(bare)?.[1] }))
      .find(({ rest }) => rest !== undefined);
    if (library) {
      const name = /[:"']{1,3}([\w:-]+)/.exec(library.rest ?? '')?.[1] ?? library.name;
      current = { name: prefix + name, needs: [], runs: [library.runs], indent };
      tasks.push(current);
      continue;
    }
    const task = taskIn(bare, prefix);
    if (task) {
      current = { ...task, indent };
      tasks.push(current);
    } else if (current) bodyLine(bare, current);
  }
  return tasks;
}

/** `task :test => [:a]`, `task default: %w[test lint]`, `task test: :spec do`, `multitask`. */
function taskIn(line: string, prefix: string): Task | null {
  // Bounded: a line of at most 500 characters.
  const [, rest] = /^(?:multi)?task[\s(]+(.*)$/.exec(line) ?? [];
  if (rest === undefined) return null;
  const name = /^:?["']?([\w:-]*\w)/.exec(rest)?.[1];
  if (name === undefined) return null;
  const behind = rest.slice(rest.indexOf(name) + name.length);
  const at = behind.search(/=>|:\s/);
  const needs = at === -1 ? '' : behind.slice(at + 1).replace(/\bdo\b.*$/, '');
  const words = needs.includes('%')
    ? [...needs.matchAll(/%[wi][[({<]([^\])}>]*)/g)].flatMap(([, list = '']) => list.split(/\s+/))
    : [...needs.matchAll(/[:"']([\w][\w:-]*)/g)].map(([, word = '']) => word);
  return { name: prefix + name, needs: words.filter((word) => word !== ''), runs: [] };
}

function bodyLine(line: string, task: Task): void {
  // Bounded: a line of at most 500 characters.
  const sh = /^(?:\w{1,40} = )?(?:sh|system|ruby|exec)[\s(]+(?:\{[^}]*\},\s?)?(.*)$/.exec(line);
  if (sh?.[1] !== undefined) {
    const words = [...sh[1].matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '');
    const prefix = line.startsWith('ruby') ? 'ruby ' : '';
    // `system` only answers with false, and `sh … do |ok| …` takes the failure itself.
    const isForgiven =
      (line.startsWith('system') && !/exception:\s*true|\|\||abort|exit/.test(line)) || /do\s*\|/.test(line);
    if (words.length > 0) task.runs.push(`${prefix}${words.join(' ')}${isForgiven ? ' || true' : ''}`);
    return;
  }
  const invoked = /Rake::Task\[[:"']{1,2}([\w:-]+)["']?\]\.(?:invoke|execute)/.exec(line)?.[1];
  if (invoked !== undefined) task.needs.push(invoked);
}

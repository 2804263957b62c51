import { posix } from 'node:path';

/** A file that is named where it is said how the program is started. */
export interface StartedFile {
  /** The name as it is written, or with the folder that is gone to before; as `namedAmong` takes them. */
  names: string[];
  line: number;
}

/** What says how a program is started, by its name: of processes, images, services, tasks and packages, and scripts of a shell. */
const says =
  /(?:^|\/)(?:Procfile(?:\.\w{1,20})?|(?:Docker|Container)file(?:\.\w{1,20})?|(?:docker-)?compose(?:[.-][\w-]{1,20})?\.ya?ml|[\w@-]{1,60}\.service|(?:GNU)?Makefile|justfile|package\.json|pyproject\.toml|app\.ya?ml|fly\.toml|supervisord?\.conf|[\w.-]{1,60}\.(?:sh|bash|cmd|bat|ps1))$/i;
/** What tests or looks at the program starts no part of it, and neither does what shows how it is used. */
const looksAt =
  /(?:^|[^a-z])(?:tests?|testing|spec|unit|integration|e2e|tape|debug|pytest|unittest|nose2?|tox|nox|jest|vitest|mocha|ava|karma|cypress|playwright|rspec|phpunit|coverage|lint|eslint|ruff|flake8|mypy|check|bench(?:mark)?s?|perf|examples?|demos?|docs?)(?![a-z])/i;
export const saysHowToStart = (path: string): boolean => says.test(path) && !looksAt.test(posix.basename(path));

/** So large is no list of commands. */
export const maxStartBytes = 100_000;
const maxLines = 5_000;
const maxLine = 1_000;
const maxNames = 200;
/** A longer path leads nowhere. */
const maxParts = 12;

/** A word of it is a part of a path, or a folder that is gone to: `cd tests && node server.js`. */
const withoutPaths = (text: string) =>
  text
    .replaceAll(/[\w@.-]{0,100}[/.][\w@./-]{1,200}/g, ' ')
    .replaceAll(/\b(?:cd|WORKDIR|working_dir|WorkingDirectory)\b[\s:=]{1,9}\S{1,200}/gi, ' ');
const interpreter =
  /^(?:\S{0,100}\/)?(?:node(?:js)?|nodemon|forever|ts-node|tsx|bun|deno|python[\d.]{0,4}|gunicorn|uvicorn|hypercorn|daphne|ruby|php|perl|lua|sh|bash)$/;
/** Stands before what is run there itself. */
const runsItself = /^(?:CMD|ENTRYPOINT|ExecStart|command|entrypoint|exec|start)[:=]?$/;
const target = /^([\w./ -]{1,200})\s{0,5}:(?!=)/;
const goesTo = /^(?:cd|WORKDIR|working_dir|WorkingDirectory|directory|--chdir|--app-dir)[:=]?$/;
/** What an interpreter is told before what it runs: also with a word of its own. */
const isOption = (word: string) => word.startsWith('-');
const showsText = /^\s{0,20}(?:echo|printf|print|log|info)\b/i;

/** Files that are named in the text of such a file: what an interpreter is given, and what is run itself. */
export function startedIn(path: string, text: string): StartedFile[] {
  const found = new Map<string, StartedFile>();
  let folders: string[] = [];
  for (const [line, written] of commandsOf(path, text)) {
    if (showsText.test(written)) continue;
    const words = withoutOwnFolder(written.slice(0, maxLine))
      .split(/[\s'"`,;|&()[\]{}=<>]+/)
      .filter((word) => word !== '');
    for (const [index, word] of words.entries()) {
      if (goesTo.test(words[index - 1] ?? '')) folders = endsOf(`${plain(word)}/.`).map((end) => end.slice(0, -2));
      if (isOption(word) || !isRun(words, index)) continue;
      const ends = endsOf(plain(word.replace(/:\w{0,60}$/, '')));
      for (const names of ends.flatMap((end) => [[end], ...folders.map((folder) => [folder, end])]))
        found.set(names.join('\n'), found.get(names.join('\n')) ?? { names, line });
      if (found.size >= maxNames) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** Whether a word is what an interpreter is given first, but for options, or what is run itself and looks like a file or a module. */
function isRun(words: readonly string[], index: number): boolean {
  let before = index - 1;
  while (before > 0 && isOption(words[before] ?? '')) before--;
  const word = words[before] ?? '';
  return interpreter.test(word) || (runsItself.test(word) && /\w[./]\w/.test(words[index] ?? ''));
}

/** The path in an image, on a server or under a variable is another one than in the tree. */
function endsOf(name: string): string[] {
  if (name.length > 300) return [];
  if (!/^[/$~]/.test(name)) return [name];
  const parts = name.split('/').filter((part) => part !== '' && !/^[$~]/.test(part));
  return parts.length > maxParts ? [] : parts.slice(0, -1).map((_, from) => parts.slice(from).join('/'));
}

/** `$(dirname "$0")/`: where the script is. */
const withoutOwnFolder = (text: string) =>
  text.replaceAll(/\$(?:\(\s?dirname\s[^()]{1,60}\)|\{\w{1,40}[^{}]{0,40}\}|%~dp0)"?\//g, './');

const plain = (word: string) => word.replace(/^(?:\.\/)+/, '').replace(/\/{1,9}$/, '');

/** Lines that start something, with their numbers. */
function commandsOf(path: string, text: string): [number, string][] {
  const name = posix.basename(path).toLowerCase();
  if (name === 'package.json') return scriptsOf(text);
  if (name === 'pyproject.toml') return entryPointsOf(text);
  return linesOf(text, /makefile|justfile/.test(name));
}

/** Lines but comments, what runs tests, and tasks that do. */
function linesOf(text: string, isTasks: boolean): [number, string][] {
  let isLeftOut = false;
  return numbered(text).filter(([, line]) => {
    const task = isTasks ? target.exec(line)?.[1] : undefined;
    if (task !== undefined) isLeftOut = looksAt.test(task);
    return !isLeftOut && !/^\s{0,100}(?:#|\/\/|REM\b)/.test(line) && !looksAt.test(withoutPaths(line));
  });
}

const numbered = (text: string): [number, string][] =>
  text.split('\n', maxLines).map((line, index) => [index + 1, line.slice(0, maxLine)]);

/** Of a Python project the functions that its commands call. */
function entryPointsOf(text: string): [number, string][] {
  let isIn = false;
  return numbered(text).flatMap(([number, line]): [number, string][] => {
    if (/^\s{0,20}\[/.test(line)) isIn = /^\s{0,20}\[(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts)\]/.test(line);
    const [, module] = /^[\s\w."'-]{1,100}=\s{0,20}["']([\w.]{1,200}):/.exec(line) ?? [];
    return isIn && module !== undefined ? [[number, `python ${module}`]] : [];
  });
}

/** Of npm's scripts those that start something. */
function scriptsOf(text: string): [number, string][] {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return Object.entries(scripts ?? {}).flatMap(([name, script]) =>
      typeof script === 'string' && !looksAt.test(name) && !looksAt.test(withoutPaths(script.slice(0, maxLine)))
        ? [[1, script] satisfies [number, string]]
        : [],
    );
  } catch {
    return [];
  }
}

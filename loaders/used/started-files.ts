import { posix } from 'node:path';

/** A file that is named where it is said how the program is started. */
export interface StartedFile {
  /** The name as it is written, or with the folder that is gone to before; as `namedAmong` takes them. */
  names: string[];
  line: number;
}

/** What says how a program is started, by its name: of processes, images, services, tasks and packages, and scripts of a shell. */
const says =
  /(?:^|\/)(?:Procfile(?:\.\w{1,20})?|(?:[\w-]{1,60}\.)?(?:Docker|Container)file(?:\.\w{1,20})?|(?:docker-)?compose(?:[.-][\w-]{1,20})?\.ya?ml|[\w@-]{1,60}\.service|(?:GNU)?Makefile|justfile|Taskfile\.ya?ml|package\.json|pyproject\.toml|setup\.(?:cfg|py)|app\.(?:ya?ml|json)|fly\.toml|serverless\.ya?ml|supervisord?\.conf|[\w-]{1,60}\.config\.[cm]?js|[\w.-]{1,60}\.(?:sh|bash|cmd|bat|ps1))$/i;
export const saysHowToStart = (path: string): boolean => says.test(path);

/** So large is no list of commands. */
export const maxStartBytes = 100_000;
const maxLines = 5_000;
const maxLine = 1_000;
const maxNames = 500;

/** What tests or looks at the program starts no part of it, and neither does what shows how it is used. */
const looksAt =
  /\b(?:tests?|testing|spec|e2e|pytest|unittest|nose2?|tox|nox|jest|vitest|mocha|ava|karma|cypress|rspec|phpunit|coverage|lint|eslint|ruff|flake8|mypy|check|bench(?:mark)?s?|examples?|demos?|docs?)\b/i;
/** A word of it is a part of a path, or a folder that is gone to: `cd tests && node server.js`. */
const withoutPaths = (text: string) =>
  text
    .replaceAll(/[\w@.-]{0,100}[/.][\w@./-]{1,200}/g, ' ')
    .replaceAll(/\b(?:cd|WORKDIR|working_dir|WorkingDirectory)\b[\s:=]{1,9}\S{1,200}/gi, ' ');
const interpreter =
  /^(?:\S{0,100}\/)?(?:node(?:js)?|nodemon|pm2|forever|ts-node|tsx|bun|deno|python[\d.]{0,4}|gunicorn|uvicorn|hypercorn|daphne|flask|celery|ruby|php|perl|lua|sh|bash)$/;
const target = /^([\w./-]{1,100})\s{0,5}:(?!=)/;
const goesTo =
  /^(?:cd|WORKDIR|working_dir|working_directory|WorkingDirectory|directory|--chdir|--cwd|--app-dir)[:=]?$/i;

/** Files that are named in the text of such a file: whatever looks like a path or a module there, and what an interpreter is given. */
export function startedIn(path: string, text: string): StartedFile[] {
  const found: StartedFile[] = [];
  const lines = posix.basename(path) === 'package.json' ? scriptsOf(text) : linesOf(path, text);
  let folders: string[] = [];
  for (const [line, written] of lines) {
    const words = withoutOwnFolder(written.slice(0, maxLine))
      .split(/[\s'"`,;|&()[\]{}=<>]+/)
      .filter((word) => word !== '');
    for (const [index, word] of words.entries()) {
      if (goesTo.test(words[index - 1] ?? ''))
        folders = endsOf(`${plain(word)}/.`).map((end) => end.replace(/\/?\.$/, ''));
      const isGiven = interpreter.test(words[index - 1] ?? '');
      const name = plain(word.replace(/:\w{0,60}$/, ''));
      if (name === '' || name.startsWith('-') || !(isGiven || /\w[./]\w/.test(name))) continue;
      for (const end of endsOf(name)) {
        found.push({ names: [end], line });
        for (const folder of folders) found.push({ names: [folder, end], line });
      }
      if (found.length >= maxNames) return found;
    }
  }
  return found;
}

/** `$(dirname "$0")/`: where the script is. */
const withoutOwnFolder = (text: string) =>
  text.replaceAll(/\$(?:\(\s?dirname\s[^()]{1,60}\)|\{\w{1,40}[^{}]{0,40}\}|%~dp0)"?\//g, './');

/** The path in an image, on a server or under a variable is another one than in the tree. */
function endsOf(name: string): string[] {
  if (!/^[/$~]/.test(name)) return [name];
  const parts = name.split('/').filter((part) => part !== '' && !/^[$~]/.test(part));
  return parts.slice(0, -1).map((_, from) => parts.slice(from).join('/'));
}

const plain = (word: string) => word.replace(/^(?:\.\/)+/, '').replace(/\/{1,9}$/, '');

/** Lines with their numbers, but comments, what runs tests, and tasks that do. */
function linesOf(path: string, text: string): [number, string][] {
  const isTasks = /makefile|justfile/i.test(path);
  let isLeftOut = false;
  return text
    .split('\n', maxLines)
    .map((line, index): [number, string] => [index + 1, line])
    .filter(([, line]) => {
      const task = isTasks ? target.exec(line)?.[1] : undefined;
      if (task !== undefined) isLeftOut = looksAt.test(task);
      return (
        !isLeftOut && !/^\s{0,100}(?:#|\/\/|REM\b)/.test(line) && !looksAt.test(withoutPaths(line.slice(0, maxLine)))
      );
    });
}

/** Of npm's scripts those that start something. */
function scriptsOf(text: string): [number, string][] {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return Object.entries(scripts ?? {}).flatMap(([name, script]) =>
      typeof script === 'string' && !looksAt.test(name.replaceAll(/[:_-]/g, ' ')) && !looksAt.test(withoutPaths(script))
        ? [[1, script] satisfies [number, string]]
        : [],
    );
  } catch {
    return [];
  }
}

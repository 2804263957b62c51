import { posix } from 'node:path';
import { folderFrom } from '../shell-script.ts';
import type { Step } from './follow.ts';

type Words = readonly string[];

/** The tool that a command begins with, without its folder and its ending. */
export const toolOf = (words: Words): string =>
  posix
    .basename((words[0] ?? '').replaceAll('\\', '/'))
    .replace(/\.(exe|cmd|bat)$/i, '')
    .toLowerCase();

/** Commands that run the command behind them: how many words stand before it, or how to find it. */
const wrappers: Readonly<Record<string, (words: Words) => number | null>> = {
  sudo: afterOptions(['-u', '-g']),
  doas: afterOptions(['-u']),
  env: (words) => behind(words, (word) => word.startsWith('-') || /^\w+=/.test(word)),
  'cross-env': (words) => behind(words, (word) => /^\w+=/.test(word)),
  'cross-env-shell': (words) => behind(words, (word) => /^\w+=/.test(word)),
  time: afterOptions([]),
  nice: afterOptions(['-n']),
  nohup: afterOptions([]),
  exec: afterOptions(['-a']),
  command: afterOptions([]),
  timeout: (words) => plus(afterOptions(['-s', '-k'])(words), 1),
  gtimeout: (words) => plus(afterOptions(['-s', '-k'])(words), 1),
  retry: (words) => behind(words, (word) => word.startsWith('-') || /^\d+$/.test(word)),
  travis_retry: () => 1,
  travis_wait: (words) => (/^\d+$/.test(words[1] ?? '') ? 2 : 1),
  'xvfb-run': afterOptions(['-s', '-n', '-e']),
  stdbuf: afterOptions([]),
  unbuffer: () => 1,
  ionice: afterOptions(['-c', '-n']),
  setarch: afterOptions([]),
  dotenv: (words) => afterDashes(words) ?? afterOptions(['-e', '-f', '-c'])(words),
  npx: afterOptions(['-p', '--package', '-c']),
  bunx: afterOptions([]),
  pnpx: afterOptions([]),
  c8: afterOptions(['-r', '--reporter', '-x', '-n', '--exclude', '--include']),
  nyc: afterOptions(['-r', '--reporter', '-x', '-n', '--exclude', '--include']),
  coverage: (words) => (words[1] === 'run' ? coverageRun(words) : null),
  kcov: (words) => plus(afterOptions([])(words), 1),
  catchsegv: () => 1,
  valgrind: afterOptions([]),
  'dbus-run-session': (words) => afterDashes(words) ?? afterOptions([])(words),
  direnv: (words) => (words[1] === 'exec' ? 3 : null),
  asdf: (words) => (words[1] === 'exec' ? 2 : null),
  mise: (words) => (/^(x|exec)$/.test(words[1] ?? '') ? afterDashes(words) : null),
  nix: (words) => afterWord(words, /^(-c|--command)$/),
  'nix-shell': (words) => afterWord(words, /^(--run|--command)$/),
  poetry: (words) => (words[1] === 'run' ? 2 : null),
  pdm: (words) => (words[1] === 'run' ? plus(afterOptions([])(words.slice(1)), 1) : null),
  pipenv: (words) => (words[1] === 'run' ? 2 : null),
  rye: (words) => (words[1] === 'run' ? 2 : null),
  pixi: (words) => (words[1] === 'run' ? plus(afterOptions(['-e'])(words.slice(1)), 1) : null),
  conda: (words) => (words[1] === 'run' ? plus(afterOptions(['-n', '-p', '--name'])(words.slice(1)), 1) : null),
  uv: (words) => (words[1] === 'run' ? plus(afterOptions(uvValues)(words.slice(1)), 1) : null),
  uvx: afterOptions(['--from', '--with', '-p', '--python']),
  pipx: (words) => (words[1] === 'run' ? plus(afterOptions(['--spec'])(words.slice(1)), 1) : null),
  bundle: (words) => (words[1] === 'exec' ? 2 : null),
  rvm: (words) => afterWord(words, /^do$/),
  chruby: () => null,
  docker: container,
  podman: container,
  'docker-compose': (words) => composed(words, 1),
  php: (words) =>
    /(^|\/)(phpunit|pest|paratest|phpstan|psalm|composer|artisan|behat|php-cs-fixer|phpcs|rector)(\.phar)?$/.test(
      words.find((word, at) => at > 0 && !word.startsWith('-')) ?? '',
    )
      ? afterOptions(['-d', '-c'])(words)
      : null,
  python: moduleOf,
  python3: moduleOf,
  ruby: (words) => afterWord(words, /^-S$/),
  concurrently: () => null,
};

const uvValues = [
  '--group',
  '--extra',
  '--python',
  '-p',
  '--with',
  '--package',
  '--directory',
  '--project',
  '--only-group',
  '--no-group',
  '--with-requirements',
  '--env-file',
  '--index-url',
  '--resolution',
];

/** What a command runs within another: the words and folder of it, or a script in quotes. */
export function innerCommand(words: Words, dir: string): { words: Words; dir: string } | { script: Step; dir: string } {
  let rest = words;
  let at = dir;
  for (let depth = 0; depth < 8; depth += 1) {
    const quoted = quotedScript(rest);
    if (quoted !== null) return { script: { text: quoted, dir: at, errexit: /^-\w*e/.test(rest[1] ?? '') }, dir: at };
    const skip = wrappers[toolOf(rest)]?.(rest) ?? null;
    if (skip === null || skip >= rest.length || skip <= 0) break;
    const folder = rest.slice(0, skip).findIndex((word) => word === '--directory' || word === '--project');
    if (folder !== -1) at = folderFrom(at, rest[folder + 1] ?? '');
    rest = rest.slice(skip);
  }
  return { words: rest, dir: at };
}

/** `bash -c "…"`, `eval "…"`, `npx -c "…"`, `nix-shell --run "…"`. */
function quotedScript(words: Words): string | null {
  const tool = toolOf(words);
  if (/^(ba|da|z|k|a)?sh$/.test(tool)) {
    const at = words.findIndex((word, index) => index > 0 && /^-\w*c$/.test(word));
    return at === -1 ? null : (words[at + 1] ?? null);
  }
  if (tool === 'eval' || tool === 'xvfb-run' || tool === 'nix-shell' || tool === 'su') {
    const last = words.at(-1) ?? '';
    return words.length > 1 && last.includes(' ') ? last : null;
  }
  return null;
}

function afterOptions(withValue: readonly string[]): (words: Words) => number | null {
  return (words) => {
    let at = 1;
    while (at < words.length) {
      const word = words[at] ?? '';
      if (word === '--') return at + 1;
      if (!word.startsWith('-')) return at;
      at += withValue.includes(word) ? 2 : 1;
    }
    return null;
  };
}

const plus = (count: number | null, more: number) => (count === null ? null : count + more);

function behind(words: Words, skips: (word: string) => boolean): number | null {
  const at = words.findIndex((word, index) => index > 0 && !skips(word));
  return at === -1 ? null : at;
}

const afterDashes = (words: Words) => afterWord(words, /^--$/);

function afterWord(words: Words, is: RegExp): number | null {
  const at = words.findIndex((word) => is.test(word));
  return at === -1 ? null : at + 1;
}

/** `coverage run -m pytest` is `python -m pytest`, `coverage run FILE` is `python FILE`. */
function coverageRun(words: Words): number | null {
  const at = words.findIndex(
    (word, index) => index > 1 && (word === '-m' || word === '--module' || !word.startsWith('-')),
  );
  return at === -1 ? null : words[at]?.startsWith('-') ? at + 1 : null;
}

/** `python -m pytest` is `pytest`. */
function moduleOf(words: Words): number | null {
  const at = words.findIndex((word, index) => index > 0 && (word === '-m' || !word.startsWith('-')));
  return words[at] === '-m' && !/^(unittest|build|venv|http\.server)$/.test(words[at + 1] ?? '') ? at + 1 : null;
}

/** `docker run IMAGE COMMAND`, `docker compose run SERVICE COMMAND`, `docker exec CONTAINER COMMAND`. */
function container(words: Words): number | null {
  if (words[1] === 'compose') return composed(words, 2);
  if (words[1] !== 'run' && words[1] !== 'exec') return null;
  const withValue =
    /^(-[evwupmhl]|--(name|env|volume|workdir|user|network|mount|platform|entrypoint|env-file|cpus|memory|shm-size|add-host|publish|hostname|label|ulimit|cap-add|security-opt))$/;
  return afterName(words, 2, withValue);
}

function composed(words: Words, from: number): number | null {
  const at = words.findIndex((word, index) => index >= from && (word === 'run' || word === 'exec'));
  return at === -1
    ? null
    : afterName(words, at + 1, /^(-[evwup]|--(name|env|volume|workdir|user|publish|entrypoint))$/);
}

function afterName(words: Words, from: number, withValue: RegExp): number | null {
  let at = from;
  while (at < words.length && (words[at] ?? '').startsWith('-')) at += withValue.test(words[at] ?? '') ? 2 : 1;
  return at + 1 < words.length ? at + 1 : null;
}

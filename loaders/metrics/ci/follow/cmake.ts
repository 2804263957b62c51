import { posix } from 'node:path';
import type { Follower, Step } from './follow.ts';
import { toolOf } from './wrappers.ts';

const maxFiles = 200;
const maxTargetLength = 4_000;

/** `cmake --build build --target T`, `make T`, `ninja T`: the commands of `add_custom_target(T …)`. */
export const cmake: Follower = ({ words, dir }, sources) => {
  const tool = toolOf(words);
  if (tool !== 'cmake' && tool !== 'ninja') return null;
  const at = words.findIndex((word) => word === '--target' || word === '-t');
  const targets =
    tool === 'ninja'
      ? words.slice(1).filter((word) => /^[a-zA-Z_]/.test(word))
      : at === -1
        ? []
        : [words[at + 1] ?? ''];
  const files = [...sources.paths].filter((path) => /(^|\/)CMakeLists\.txt$|\.cmake$/.test(path)).slice(0, maxFiles);
  const steps = targets.flatMap((target) =>
    target === '' || target.includes('$')
      ? []
      : files.flatMap((path) =>
          commandsOf(sources.text(path) ?? '', target).map((each): Step => ({
            text: each.text,
            dir: each.dir ?? dir,
            via: `${path} ${target}`,
          })),
        ),
  );
  return steps.length > 0 ? steps : null;
};

function commandsOf(text: string, target: string) {
  const commands: { text: string; dir: string | null }[] = [];
  for (let at = text.indexOf('add_custom_target('); at !== -1; at = text.indexOf('add_custom_target(', at + 1)) {
    const inside = within(text, at + 'add_custom_target('.length);
    if (inside.trimStart().split(/\s/, 1)[0] !== target) continue;
    const [, ...parts] = inside.split(/\bCOMMAND\s/);
    for (const part of parts)
      commands.push({
        text: plain(part.split(/\b(?:COMMENT|WORKING_DIRECTORY|DEPENDS|VERBATIM|BYPRODUCTS)\b/, 1)[0] ?? ''),
        dir: folderOf(inside),
      });
  }
  return commands;
}

/** `${PROJECT_SOURCE_DIR}/docs` of `WORKING_DIRECTORY`. */
const folderOf = (inside: string) =>
  /\bWORKING_DIRECTORY\s{1,20}\$\{\w{1,60}SOURCE_DIR\}\/([\w/.-]{1,100})/.exec(inside)?.[1] ?? null;

/** The tools that CMake has found are called by their names. */
const plain = (command: string) =>
  command
    .replaceAll(/\$\{CMAKE_(C|M|P)?(\w{1,40})?COMMAND\}/g, (written: string) =>
      written.includes('CTEST') ? 'ctest' : 'cmake',
    )
    .replaceAll(/\$\{(\w{1,60}?)_(?:TOOL|EXECUTABLE|COMMAND|BIN)\}/g, (_, name: string) =>
      posix.basename(name.toLowerCase().replaceAll('_', '-')),
    )
    .replaceAll(/\s+/g, ' ')
    .trim();

function within(text: string, from: number): string {
  let depth = 1;
  for (let at = from; at < Math.min(text.length, from + maxTargetLength); at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  return '';
}

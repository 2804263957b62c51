import { posix } from 'node:path';
import type { Follower, Sources } from './follow.ts';
import { toolOf } from './wrappers.ts';

const shells = /^(ba|da|z|k|a)?sh$|^(source|\.|pwsh|powershell|cmd)$/;

/** Scripts that people commit to start a build tool, by what stands in each. */
const launchers: Readonly<Record<string, RegExp>> = {
  gradlew: /GradleWrapperMain|gradle-wrapper\.jar/,
  mvnw: /MavenWrapperMain|maven-wrapper|distributionUrl/,
  mill: /MILL_VERSION/,
  millw: /MILL_VERSION/,
  sbt: /sbt[-_]launch/,
};

/** A shell script of the repository: `./scripts/test.sh`, `bash ci/run`, `source env.sh`. */
export const shellFile: Follower = ({ words, dir }, sources) => {
  const isShell = shells.test(toolOf(words));
  const at = isShell ? words.findIndex((word, index) => index > 0 && !/^[-/]\w/.test(word)) : 0;
  const written = words[at] ?? '';
  if (at === -1 || (!isShell && !/[/\\]|\.(sh|bash|ps1|cmd|bat)$/i.test(written))) return null;
  const path = pathOf(written, dir, sources);
  const text = path === null ? null : sources.text(path);
  if (path === null || text === null) {
    const isHere = /\.(sh|bash)$/.test(written) && !/[$*]/.test(written) && written.includes('/');
    return isHere && path === null && !written.startsWith('/')
      ? { fails: `${written} is not in the repository` }
      : null;
  }
  if (launchers[toolOf([written])]?.test(text)) return null;
  const [first = ''] = text.split('\n', 1);
  const ends = /\.(sh|bash|zsh|ksh|command)$/.test(path);
  const isWindows = /\.(ps1|cmd|bat)$/i.test(path);
  if (!isShell && !isWindows && (first.startsWith('#!') ? !/\b(ba|da|z|k|a)?sh\b/.test(first) : !ends)) return null;
  return [
    {
      text: isWindows ? plain(text) : text,
      dir,
      sourced: /^(source|\.)$/.test(words[0] ?? ''),
      errexit: isWindows || /^#!.*sh\s+-\w*e/.test(first) || words.slice(1, at).some((word) => /^-\w*e/.test(word)),
      variables: new Map([
        ['0', written],
        ...words.slice(at + 1, at + 10).map((word, index) => [String(index + 1), word] as const),
      ]),
    },
  ];
};

/** Where a script lies: from the folder it is called in, else from the root, as where the folder could not be told. */
function pathOf(written: string, dir: string, { paths }: Sources): string | null {
  const name = written.replaceAll('\\', '/').replace(/^\$_\/|^\$\{?\w+\}?\//, '');
  if (name.includes('$')) return null;
  const from = posix.normalize(posix.join(dir, name));
  if (paths.has(from)) return from;
  const root = posix.normalize(name);
  return paths.has(root) ? root : null;
}

/** PowerShell’s and cmd’s own signs mean nothing here. */
const plain = (text: string) =>
  text
    .replaceAll(/^[ \t]{0,40}(?:rem|::)\b.*$/gim, '')
    .replaceAll(/(?<!&)&(?!&)/g, ' ')
    .replaceAll(/^[ \t]*@/gm, '')
    .replaceAll(/\bexec\s*\{/g, ' ')
    .replaceAll(/^[ \t]*call[ \t]/gim, '');

/** A word for a shell, whatever is in it. */
export const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const distinct = (words: readonly (string | undefined)[]) => [...new Set(words.filter((word) => word !== undefined))];
const folderOf = (file: string) => `./${file.split('/').slice(0, -1).join('/')}`;
// Bounded: a path.
const classOf = (file: string) => /([^/]+)\.(?:java|kt|groovy|scala)$/.exec(file)?.[1];
const targetOf = (file: string) => /^tests\/([^/]+?)(?:\.rs$|\/)/.exec(file)?.[1];

/** What stands in a test command for the files to run, and what becomes of some files in it. */
const placeholders: Record<string, (files: readonly string[]) => string> = {
  // None is taken for an option.
  files: (files) => files.map((file) => quoted(file.replace(/^-/, './-'))).join(' '),
  // Go runs packages, and so may a file's package where the file itself is gone.
  packages: (files) => distinct(files.map(folderOf)).map(quoted).join(' '),
  // Cargo runs integration tests by name; all others are the library's and the programs' own.
  targets: (files) =>
    files.every((file) => targetOf(file) !== undefined)
      ? distinct(files.map(targetOf))
          .map((name) => `--test ${quoted(name)}`)
          .join(' ')
      : '',
  maven_tests: (files) => `-Dtest=${quoted(distinct(files.map(classOf)).join(','))}`,
  gradle_tests: (files) =>
    distinct(files.map(classOf))
      .map((name) => `--tests ${quoted(name)}`)
      .join(' '),
};
const placeholder = new RegExp(`\\{(${Object.keys(placeholders).join('|')})(?::([^}]*))?\\}`, 'g');

/**
 * The test command for these files, or for the whole suite where they are null. `{files}` in it stands for them, `{packages}`,
 * `{targets}`, `{maven_tests}` and `{gradle_tests}` for what those runners call them by; `{packages:./...}` says what stands there
 * for the whole suite. Without any of these the whole suite runs.
 */
export function scopedCommand(testCommand: string, files: readonly string[] | null): string {
  return testCommand
    .replaceAll(placeholder, (_, name: string, whole: string | undefined) =>
      files === null ? (whole ?? '') : (placeholders[name]?.(files) ?? ''),
    )
    .trim();
}

/** A word for a shell, whatever is in it. */
export const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const folderOf = (file: string) => file.split('/').slice(0, -1).join('/');
const classOf = (file: string) => /([^/]+)\.(?:java|kt|kts|groovy|scala)$/.exec(file)?.[1];

/** What stands in a test command for the files to run, and what it becomes for the whole suite and for some files. */
const placeholders: Record<string, { all: string; some: (files: readonly string[]) => string }> = {
  '{files}': { all: '', some: (files) => files.map(quoted).join(' ') },
  // Go runs packages; a file that is removed leaves its package.
  '{packages}': {
    all: './...',
    some: (files) => [...new Set(files.map((file) => quoted(`./${folderOf(file)}`)))].join(' '),
  },
  // Cargo runs targets: integration tests by name, all else by the library's and the programs' own tests.
  '{targets}': {
    all: '',
    some: (files) => {
      const targets = files.map((file) => /^tests\/([^/]+?)(?:\.rs$|\/)/.exec(file)?.[1]);
      return targets.every((name) => name !== undefined)
        ? [...new Set(targets)].map((name) => `--test ${quoted(name)}`).join(' ')
        : '';
    },
  },
  '{maven_tests}': {
    all: '',
    some: (files) => `-Dtest=${quoted(files.flatMap((file) => classOf(file) ?? []).join(','))}`,
  },
  '{gradle_tests}': {
    all: '',
    some: (files) =>
      files
        .flatMap((file) => classOf(file) ?? [])
        .map((name) => `--tests ${quoted(name)}`)
        .join(' '),
  },
};

/** The test command for these files, or for the whole suite where they are null or it has no placeholder. */
export function scopedCommand(testCommand: string, files: readonly string[] | null): string {
  return Object.entries(placeholders)
    .reduce(
      (command, [placeholder, { all, some }]) => command.replaceAll(placeholder, () => (files ? some(files) : all)),
      testCommand,
    )
    .trim();
}

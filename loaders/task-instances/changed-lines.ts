/** The lines of a git diff that have this sign, without it: what was added, removed, or only stands around. */
export function changedLines(diff: string, sign: '+' | '-' | ' '): string[] {
  return diff.split('\ndiff --git ').flatMap((file) => {
    const firstHunk = file.indexOf('\n@@ ');
    if (firstHunk === -1) return [];
    const lines = file.slice(firstHunk + 1).split('\n');
    return lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  });
}

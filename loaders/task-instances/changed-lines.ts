const signs = { '+': 43, '-': 45, ' ': 32 };

/** The lines of a git diff that have this sign, without it: what was added, removed, or only stands around. */
export function changedLines(diff: string, sign: keyof typeof signs): string[] {
  const lines: string[] = [];
  const wanted = signs[sign];
  // What stands before a file's first hunk begins with other signs, or names the file.
  let isInHunk = false;
  for (let start = 0, end = 0; start < diff.length; start = end + 1) {
    end = diff.indexOf('\n', start);
    if (end === -1) end = diff.length;
    const first = diff.charCodeAt(start);
    if (first === 64) isInHunk = true;
    else if (first === 100) isInHunk = false;
    else if (isInHunk && first === wanted) lines.push(diff.slice(start + 1, end));
  }
  return lines;
}

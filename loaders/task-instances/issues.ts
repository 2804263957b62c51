import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const issueSchema = z.object({
  /** Of an issue or a pull request: `12`, `#12` or `ABC-12`. */
  id: z.union([z.int(), z.string()]).transform((id) => String(id).replace(/^#/, '')),
  title: z.string(),
  body: z
    .string()
    .nullish()
    .transform((body) => body ?? ''),
  comments: z.array(z.object({ created_at: z.string(), body: z.string() })).default([]),
});
export type Issue = z.infer<typeof issueSchema>;

/** Reads an export of an issue tracker, a JSON line an issue or pull request, by id. Throws one sentence for a line that is none. */
export async function readIssues(file: string): Promise<Map<string, Issue>> {
  const issues = new Map<string, Issue>();
  for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = issueSchema.safeParse(json(line));
    if (!parsed.success)
      throw new Error(
        `${file}, line ${index + 1} is no issue (${parsed.error.issues[0]?.path.join('.') || 'JSON'}): it needs id, title, body and comments.`,
      );
    issues.set(parsed.data.id, parsed.data);
  }
  return issues;
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

import type { Document } from '../facts/document.ts';
import { languageOf } from '../languages/index.ts';
import type { Manifests } from '../manifests/read-manifests.ts';
import type { MeasuredFile } from '../metrics/metric.ts';
import { importsOf } from '../resolution/file-imports.ts';
import type { FileImport } from '../facts/file-import.ts';
import type { OpenSnapshot } from '../snapshot/snapshot.ts';

/** So many files among the code of others are looked into. */
const maxRead = 500;
const maxBytes = 1_000_000;

/**
 * Files among tests, examples or the code of others that are production all the same: production imports them, and they import
 * production. Code of others does not know who uses it, and nothing is hidden by the name of a folder.
 */
export async function ownAmongOthers(
  opened: OpenSnapshot,
  known: {
    counted: readonly MeasuredFile[];
    documents: readonly Document[];
    manifests: Manifests;
    imports: readonly FileImport[];
  },
): Promise<{ paths: readonly string[]; imports: readonly FileImport[] }> {
  const production = new Set(known.counted.flatMap(({ path, test }) => (test ? [] : [path])));
  const byPath = Map.groupBy(known.imports, ({ path }) => path);
  const parsed = new Set(known.documents.map(({ path }) => path));
  const aside = new Set(opened.aside.map(({ path }) => path));
  const repository = { paths: known.manifests.paths, read: known.manifests.text };
  const read: FileImport[] = [];
  const reached = new Set<string>();
  let left = maxRead;
  /** What these import that is no production; an import that production answers leads nowhere else. */
  const beside = (paths: Iterable<string>) =>
    [...paths].flatMap((path) =>
      (byPath.get(path) ?? []).flatMap(({ to }) => (to.some((other) => production.has(other)) ? [] : to)),
    );
  for (let next = beside(production); next.length > 0;) {
    const fresh = [...new Set(next)].filter((path) => !reached.has(path) && !production.has(path));
    for (const path of fresh) reached.add(path);
    const unread = fresh.filter((path) => aside.has(path) && !parsed.has(path)).slice(0, left);
    left -= unread.length;
    const found = importsOf(await documentsOf(opened, unread), repository).inside;
    for (const each of found) byPath.set(each.path, [...(byPath.get(each.path) ?? []), each]);
    read.push(...found);
    next = beside(fresh);
  }
  return { paths: thoseThatLeadTo(production, reached, byPath), imports: [...known.imports, ...read] };
}

/** Of the files that were reached, those that lead back. */
function thoseThatLeadTo(
  production: ReadonlySet<string>,
  reached: ReadonlySet<string>,
  byPath: ReadonlyMap<string, readonly FileImport[]>,
): string[] {
  const users = new Map<string, string[]>();
  const leading: string[] = [];
  for (const path of reached) {
    const targets = (byPath.get(path) ?? []).flatMap(({ to }) => to);
    if (targets.some((to) => production.has(to))) leading.push(path);
    for (const to of targets) if (reached.has(to)) users.set(to, [...(users.get(to) ?? []), path]);
  }
  const found = new Set(leading);
  // A Set goes on to what is added to it.
  for (const path of found) for (const user of users.get(path) ?? []) found.add(user);
  return [...found].sort();
}

/** What files say of their imports that nobody has read yet. */
async function documentsOf(opened: OpenSnapshot, paths: readonly string[]): Promise<Document[]> {
  if (paths.length === 0) return [];
  const languages = [...new Set(paths.flatMap((path) => languageOf(path)?.id ?? []))];
  const { createExtractor } = await import('../extraction/extract.ts');
  const extractor = await createExtractor({ languages });
  const documents: Document[] = [];
  try {
    for await (const { path, content } of opened.read(paths)) {
      const language = languageOf(path);
      if (!language || content === null || content.length > maxBytes) continue;
      try {
        documents.push({ path, facts: extractor.measure(language, content, path, null).facts });
      } catch {
        // What the parser can't read imports nothing that anybody knows of.
      }
    }
  } finally {
    extractor.close();
  }
  return documents;
}

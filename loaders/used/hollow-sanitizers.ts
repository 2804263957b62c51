import type { Document } from '../facts/document.ts';
import type { FileImport } from '../facts/file-import.ts';
import type { FileUse } from '../facts/file-use.ts';
import type { InsecureCode } from '../facts/insecure-code.ts';

/** What is insecure because another file's function, by whose name data is harmless, does nothing to it; by path. */
export function insecureIfHollow(
  uses: ReadonlyMap<string, FileUse>,
  documents: readonly Document[],
  imports: readonly FileImport[],
): Map<string, InsecureCode[]> {
  const found = new Map<string, InsecureCode[]>();
  const asking = documents.filter(({ path }) => uses.get(path)?.ifHollow);
  const paths = new Set(asking.map(({ path }) => path));
  const byPath = Map.groupBy(
    imports.filter(({ path }) => paths.has(path)),
    ({ path }) => path,
  );
  for (const document of asking) {
    const { path } = document;
    const isHollow = (borrowed: string) => {
      const [local = '', ...whole] = borrowed.split('.');
      const asked = document.facts.imports.filter((each) => each.local === local);
      return asked.some(({ name, line }) =>
        (byPath.get(path) ?? [])
          .filter((each) => each.line === line)
          .flatMap(({ to }) => to.flatMap((other) => uses.get(other)?.hollow ?? []))
          .some((known) => whole.length > 0 || known === name || known === local),
      );
    };
    const more = (uses.get(path)?.ifHollow ?? []).flatMap(({ name, insecure }) => (isHollow(name) ? insecure : []));
    if (more.length > 0) found.set(path, more);
    document.release?.();
  }
  return found;
}

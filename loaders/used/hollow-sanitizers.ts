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
    const isHollow = (module: string, name: string) => {
      const lines = new Set(document.facts.imports.flatMap((each) => (each.module === module ? [each.line] : [])));
      const others = (byPath.get(path) ?? []).flatMap(({ line, to }) => (lines.has(line) ? to : []));
      const hollow = others.flatMap((other) => uses.get(other)?.hollow ?? []);
      return name === '' ? hollow.length > 0 : hollow.includes(name);
    };
    const more = (uses.get(path)?.ifHollow ?? []).flatMap(({ module, name, insecure }) =>
      isHollow(module, name) ? insecure : [],
    );
    if (more.length > 0) found.set(path, more);
    document.release?.();
  }
  return found;
}

import type { Node } from '../../facts/syntax-tree.ts';
import type { FileFacts } from '../../facts/fact.ts';
import { SourceFile, partsOf, type Reader, skipped, unknown } from '../reading/source-file.ts';
import { readers as declarations } from './declarations.ts';
import { readers as expressions } from './expressions.ts';

/** Reads one Kotlin file. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const file = new SourceFile('kotlin', root, source, path, {
    ...expressions,
    ...declarations,
    import: importDirective,
    package_header(file, node) {
      file.facts.packageName = file.text(partsOf(node)[0]).replace(/\s/g, '');
      return unknown;
    },
    file_annotation: skipped,
  });
  file.readAll(root, file.top);
  file.facts.packageName ??= '';
  file.addImport({ module: 'kotlin', name: '**' }, 0);
  return file.facts;
}

/** Packages are in lower case and classes are not: `a.b.Outer.Inner` is `Outer.Inner` of `a.b`. */
const importDirective: Reader = (file, node) => {
  const [path, alias] = partsOf(node);
  const names = partsOf(path).map(file.text);
  const isAll = node.children.some(({ type }) => type === '*');
  const firstType = names.findIndex((name) => /^\p{Lu}/u.test(name));
  const length = firstType >= 0 ? firstType : isAll ? names.length : names.length - 1;
  const module = names.slice(0, length).join('.');
  // What a class's companion has is found on the class.
  const isCompanion = (name: string, at: number) =>
    name === 'Companion' && at > length && (isAll || at < names.length - 1);
  const inner = names.filter((name, at) => at >= length && !isCompanion(name, at)).join('.');
  if (isAll) file.addImport({ module, name: [inner, '**'].filter(Boolean).join('.') }, file.line(node));
  else file.importAs(file.top, { module, name: inner, local: file.text(alias) || (names.at(-1) ?? '') }, node);
  return unknown;
};

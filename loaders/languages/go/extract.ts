import type { FileFacts } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { isConditional } from './build-constraint.ts';
import { readFunction, readType, readTypeBody } from './declarations.ts';
import { forEachDocumented } from './documentation.ts';
import { GoFile } from './file.ts';
import { readStatement, readStatements } from './statements.ts';

/** What one Go file says by itself. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const read = { typeBody: readTypeBody, statements: readStatements, statement: readStatement };
  const file = new GoFile(root, source, read);
  forEachDocumented(root, file.text, (node, doc) => {
    switch (node.type) {
      case 'package_clause':
        file.facts.packageName = file.text(node.namedChildren[0] ?? node);
        break;
      case 'import_declaration':
        for (const spec of node.descendantsOfType('import_spec')) if (spec) readImport(file, spec);
        break;
      case 'function_declaration':
      case 'method_declaration':
        readFunction(file, node, doc);
        break;
      case 'type_declaration':
        forEachDocumented(node, file.text, (spec, own) => readType(file, spec, file.top, own ?? doc));
        break;
      default:
        readStatement(file, node, file.top);
    }
  });
  if (isConditional(path, source)) file.facts.conditional = true;
  return file.facts;
}

function readImport(file: GoFile, spec: Node): void {
  const path = spec.childForFieldName('path');
  if (!path) return;
  const module = file.text(path).slice(1, -1);
  const alias = spec.childForFieldName('name');
  const name = alias ? file.text(alias) : packageNameOf(module);
  const local = name === '.' || name === '_' ? '' : name;
  const line = file.line(spec);
  const index = file.addImport({ module, name: name === '.' ? '**' : '*', local }, line);
  if (local) file.bind(file.top, local, line, { import: index });
}

/** The name that a package most likely has, by its path: `gopkg.in/yaml.v3` is `yaml`, `example.com/go-redis/v9` is `redis`. */
function packageNameOf(path: string): string {
  const parts = path.split('/');
  const last = parts.at(-1) ?? path;
  const named = /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last;
  return named
    .replace(/\.v\d+$/, '')
    .replace(/^go-|[-.]go$/, '')
    .replace(/[^\p{L}\p{N}_]/gu, '_');
}

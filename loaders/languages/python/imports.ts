import type { Node } from '../../facts/syntax-tree.ts';
import { lineOf } from './syntax.ts';
import { bind, type Walk } from './walk.ts';

/** Modules whose generic names mean containers in annotations. */
const typingModules = new Set(
  'typing typing_extensions collections collections.abc builtins contextvars queue asyncio functools'.split(' '),
);

/** `import a.b`, `import a as b`, `from .a import b as c`, `from a import *`. */
export function importStatement(walk: Walk, node: Node): void {
  const moduleNode = node.childForFieldName('module_name');
  const module = moduleNode && withoutSpace(moduleNode);
  const line = lineOf(node);
  for (const child of node.namedChildren) {
    if (child.type === 'comment' || child.id === moduleNode?.id) continue;
    if (child.type === 'wildcard_import') {
      add(walk, module ?? '', '**', '', line);
      continue;
    }
    const nameNode = child.type === 'aliased_import' ? child.childForFieldName('name') : child;
    const alias = child.type === 'aliased_import' ? child.childForFieldName('alias')?.text : undefined;
    if (!nameNode) continue;
    const name = withoutSpace(nameNode);
    if (module !== null) add(walk, module, name, alias ?? name, line);
    else if (alias !== undefined) add(walk, name, '*', alias, line);
    else {
      // `import a.b` loads `a.b` and binds `a`.
      const [top = name] = name.split('.');
      add(walk, top, '*', top, line);
      if (top !== name) add(walk, name, '*', '', line);
    }
  }
}

function add(walk: Walk, module: string, name: string, local: string, line: number): void {
  const index = walk.addImport({ module, name, local }, line);
  if (local === '') return;
  if (!typingModules.has(module)) walk.own.add(local);
  const { frame } = walk;
  if (frame.kind === 'class')
    walk.addMember(frame.owner, local, {
      value: { kind: 'name', name: local, scope: frame.flow.current },
      isStatic: true,
    });
  bind(walk, local, { import: index }, line);
}

function withoutSpace(node: Node): string {
  return node.text.replace(/\s+/g, '');
}

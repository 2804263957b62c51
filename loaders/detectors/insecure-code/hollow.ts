import { type Node, typesThat } from '../../facts/syntax-tree.ts';
import type { NameTable } from './names.ts';
import { functionTypes, isCall, isIdentifier } from './syntax.ts';
import type { Values } from './values.ts';

/** They are harmless as nobody runs what they write. */
const tellsOnly = /^(?:log|print\w*|puts|info|warn\w*|error|debug|trace|exception|fatal\w*)$/i;
/** What gives back what it is called on, or is given, as text. */
const givesTheSame = /^(?:String|str|unicode|toString|valueOf|trim|strip|concat|to_s|strval|tostring)$/;
const does = typesThat((name) =>
  /^(?:if|elif|conditional|ternary|for|while|do_|switch|match|case|when|unless|try|throw|raise|regex|subscript|template_substitution$|index_|list_comp|generator_exp|lambda|arrow|binary_operator$|function|await|yield|new_|cast|type_cast|unary|binary_expression)/.test(
    name,
  ),
);

/** Of the functions that are called as what makes harmless, those that give back what they are given. */
export function hollowNames(
  root: Node,
  values: Values,
  clean: NameTable<true>,
  functions: ReadonlySet<string>,
): ReadonlySet<string> {
  const { tree } = root;
  const types = functionTypes(tree, functions);
  const found = new Map<string, boolean>();
  for (let id = 1; id < tree.type.length; id++) {
    if (types[tree.type[id] ?? 0] !== 1) continue;
    const name = values.functionNamed(id)?.name;
    if (name === undefined || !clean.knows(name) || tellsOnly.test(name)) continue;
    found.set(name, found.get(name) !== false && givesBack(root, values, id));
  }
  return new Set([...found].flatMap(([name, isHollow]) => (isHollow ? [name] : [])));
}

function givesBack({ tree }: Node, values: Values, id: number): boolean {
  const body = values.bodyOf(id);
  const given = values.namesOfParameters(id);
  if (body === null) return false;
  let gives = false;
  for (let each = body; each < (tree.next[body] ?? 0); each++) {
    const type = tree.type[each] ?? 0;
    if (tree.names.isNamed[type] !== 1) continue;
    if (each !== body && does(tree, type)) return false;
    gives ||= isIdentifier(tree, type) && given.has(values.textOf(each));
    if (isCall(tree, type) && !givesTheSame.test(values.wordOfCall(each) ?? '')) return false;
  }
  return gives;
}

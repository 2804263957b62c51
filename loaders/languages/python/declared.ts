import type { DeclaredKind } from '../../../src/model/declared-name.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, type DeclaredRules, isCapitals } from '../reading/declared-names.ts';

/** What declares names in Python: what is assigned in a module, in a class, or by a method to its object. */
export const declared: DeclaredRules = {
  local: ['function_definition', 'lambda'],
  byAssignment: true,
  readers: {
    assignment(node) {
      const around = classAround(node);
      const type = node.childForFieldName('type')?.text ?? '';
      return identifiers(node.childForFieldName('left')).map((at) => ({ kind: kindOf(at.text, around, type), at }));
    },
    type_alias_statement(node) {
      const at = node.childForFieldName('left')?.descendantsOfType('identifier')[0];
      return at ? [{ kind: 'type_alias', at }] : [];
    },
    function_definition: ofObject,
  },
};

function kindOf(name: string, around: Node | null, type: string): DeclaredKind {
  if (/\bTypeAlias$/.test(type)) return 'type_alias';
  if (
    around &&
    /\b\w*(?:Enum|Flag|Choices)\b/.test(around.childForFieldName('superclasses')?.text ?? '') &&
    !name.startsWith('__')
  )
    return 'enum_member';
  if (isCapitals(name) || /\bFinal\b/.test(type)) return 'constant';
  return around ? 'field' : 'variable';
}

/** The class in whose body a statement stands. */
function classAround(node: Node): Node | null {
  for (let each = node.parent; each; each = each.parent) {
    if (each.type === 'class_definition') return each;
    if (each.type === 'module') break;
  }
  return null;
}

const patterns: ReadonlySet<string> = new Set(['pattern_list', 'tuple_pattern', 'list_pattern', 'list_splat_pattern']);

/** Those that an assignment's left side binds; not those of `a.b` and `a[b]`. */
function identifiers(left: Node | null): Node[] {
  if (left?.type === 'identifier') return [left];
  if (!left || !patterns.has(left.type)) return [];
  return left.descendantsOfType('identifier').filter(({ parent }) => patterns.has(parent?.type ?? ''));
}

/** `self.name = …` in a method; `self` is what its first parameter is called. */
function ofObject(method: Node): Declared[] {
  const around = method.parent?.type === 'decorated_definition' ? method.parent : method;
  if (around.parent?.parent?.type !== 'class_definition') return [];
  const self = method.childForFieldName('parameters')?.namedChild(0)?.text.split(':', 1)[0]?.trim();
  if (self === undefined || self === '') return [];
  return method.descendantsOfType('assignment').flatMap((node) => {
    const left = node.childForFieldName('left');
    const targets = left && patterns.has(left.type) ? left.namedChildren : [left];
    return targets.flatMap((target): Declared[] => {
      const at = target?.type === 'attribute' ? target.childForFieldName('attribute') : null;
      return at && target?.childForFieldName('object')?.text === self ? [{ kind: 'field', at }] : [];
    });
  });
}

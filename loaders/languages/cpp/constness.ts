import type { Node } from '../../facts/syntax-tree.ts';
import type { Definition } from '../../facts/fact.ts';
import { partsOf, type Place, type SourceFile } from '../reading/source-file.ts';
import { plainName } from './names.ts';

/** Of each file, by scope and name, whether a variable or parameter leads to something that is constant. */
const known = new WeakMap<SourceFile, Map<string, boolean>>();

/** A type that is constant by its own name. */
const constantTypes = /(?:^|::)const_(?:iterator|reverse_iterator|reference|pointer)$/;

/** Links of a chain of calls and members that are followed to what it begins with; what is longer is taken to be no constant. */
const maxLinks = 30;
/** Blocks around a name that are asked for it. */
const maxBlocks = 100;

/** Notes, of what is declared here under this name, whether it leads to something that is constant. */
export function noteConstness(file: SourceFile, place: Place, name: string, declaration: Node): void {
  const names = known.get(file) ?? new Map<string, boolean>();
  known.set(file, names);
  names.set(`${place.scope} ${name}`, isConstantType(file, declaration));
}

/** What a function says of itself: that it leaves its object as it is, `int size() const`, what it is called on, `T& next() &`, and what it gives. */
export function qualifiersOf(
  file: SourceFile,
  node: Node,
  declarator: Node | null,
): Pick<Definition, 'isConst' | 'refQualifier' | 'resultCategory'> {
  const qualifier = partsOf(declarator).find(({ type }) => type === 'ref_qualifier');
  const resultCategory = resultCategoryOf(node, declarator);
  return {
    ...(isCalledConst(file, declarator) ? { isConst: true } : {}),
    ...(qualifier ? { refQualifier: file.text(qualifier) === '&&' ? 'rvalue' : 'lvalue' } : {}),
    ...(resultCategory ? { resultCategory } : {}),
  };
}

/** What the written type says of what a function gives; of a pointer, or where that is written behind, nothing. */
function resultCategoryOf(node: Node, declarator: Node | null): Definition['resultCategory'] {
  const around = declarator?.parent;
  const isReference = around?.type === 'reference_declarator';
  if ((isReference ? around.parent : around)?.type !== node.type) return undefined;
  if (isReference && around.firstChild?.type === '&') return 'lvalue';
  const isOfClass = /^(?:type_identifier|qualified_identifier|template_type)$/.test(
    node.childForFieldName('type')?.type ?? '',
  );
  return isOfClass && !partsOf(declarator).some(({ type }) => type === 'trailing_return_type') ? 'rvalue' : undefined;
}

/** `const` stands among its parts. */
function isCalledConst(file: SourceFile, node: Node | null): boolean {
  return partsOf(node).some((part) => part.type === 'type_qualifier' && file.text(part) === 'const');
}

/**
 * Whether what an expression leads to is constant, so that of two methods that differ only in `const` the constant one is called.
 * What a call gives is taken to be as constant as what it is called on.
 */
function isConstant(file: SourceFile, node: Node | null, place: Place, links: number): boolean {
  if (links > maxLinks) return false;
  switch (node?.type) {
    case 'this':
      return isInConstMethod(file, place);
    case 'identifier':
      return nameIsConstant(file, file.text(node), place);
    case 'parenthesized_expression':
    case 'pointer_expression':
      return isConstant(file, partsOf(node).at(-1) ?? null, place, links + 1);
    case 'subscript_expression':
      return isConstant(file, node.childForFieldName('argument'), place, links + 1);
    case 'field_expression':
      return receiverIsConstant(file, node, place, links + 1);
    case 'call_expression': {
      const callee = node.childForFieldName('function');
      return callee?.type === 'field_expression'
        ? receiverIsConstant(file, callee, place, links + 1)
        : isInConstMethod(file, place);
    }
    case 'cast_expression':
      return isConstantType(file, node.childForFieldName('type'));
    default:
      return false;
  }
}

/** Of `a.b` and `a->b`, whether `a` is constant; a pointer that is a field may change what it leads to. */
export function receiverIsConstant(file: SourceFile, node: Node, place: Place, links = 0): boolean {
  const object = node.childForFieldName('argument');
  const isField = object?.type === 'identifier' && localConstness(file, file.text(object), place) === undefined;
  if (isField && node.children.some(({ type }) => type === '->')) return false;
  return isConstant(file, object, place, links);
}

/** A method that stands in a constant one calls those of the same object. */
export function isInConstMethod(file: SourceFile, place: Place): boolean {
  for (let at = place.definition; at >= 0;) {
    const { name, isConst = false, owner } = file.definition(at);
    if (name !== '') return isConst;
    at = owner;
  }
  return false;
}

function nameIsConstant(file: SourceFile, name: string, place: Place): boolean {
  return localConstness(file, name, place) ?? isInConstMethod(file, place);
}

function localConstness(file: SourceFile, name: string, place: Place): boolean | undefined {
  const names = known.get(file);
  let blocks = 0;
  for (let at = place.scope; at >= 0 && names && blocks++ < maxBlocks; at = file.facts.scopes[at]?.parent ?? -1) {
    const found = names.get(`${at} ${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isConstantType(file: SourceFile, declaration: Node | null): boolean {
  if (isCalledConst(file, declaration)) return true;
  const type = declaration?.childForFieldName('type');
  return type?.type === 'qualified_identifier' && constantTypes.test(plainName(file, type));
}

/** Of `a.b` and `a->b`, what kind of value `a` is, where that is written: what a pointer leads to is an lvalue, what is moved is none. */
export function categoryOf(file: SourceFile, node: Node): 'lvalue' | 'rvalue' | undefined {
  if (node.children.some(({ type }) => type === '->')) return 'lvalue';
  let object = node.childForFieldName('argument');
  for (let links = 0; object?.type === 'parenthesized_expression' && links < maxLinks; links++)
    object = partsOf(object)[0] ?? null;
  if (object?.type === 'pointer_expression') return 'lvalue';
  if (object?.type !== 'call_expression') return undefined;
  const callee = plainName(file, object.childForFieldName('function'));
  return /^(?:::)?(?:std::)?(?:move|forward)$/.test(callee) ? 'rvalue' : undefined;
}

import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import type { Assignment, EcmascriptFile, Place } from './file.ts';

/** A call that has been noted. */
interface NotedCall {
  node: Node;
  callee: Node;
  /** What the callee stands for. */
  target: Expr;
  /** Its index. */
  call: number;
  place: Place;
}

/** A call that shapes an object: what it gives, given its arguments, of which there is at least one. */
type Shaper = (file: EcmascriptFile, call: NotedCall, args: readonly [Expr, ...Expr[]]) => Expr;

const same: Shaper = (_, __, [object]) => object;

/** Functions of `Object` and `Reflect` that shape objects. */
const objectFunctions = new Map<string, Shaper>(
  Object.entries<Shaper>({
    freeze: same,
    seal: same,
    preventExtensions: same,
    assign(file, call, [object, ...sources]) {
      for (const from of sources) shape(file, call, object, from, '...');
      return object;
    },
    /** `Object.create(base)`: an object whose members are also its base's. */
    create(file, { node, place }, [base]) {
      const definition = file.define('object', '', node, node, place.owner);
      if (base.kind !== 'unknown') {
        file.definition(definition).bases.push({ expr: base, line: file.line(node), how: 'extends' });
      }
      return { kind: 'definition', definition };
    },
    setPrototypeOf(file, call, [object, base]) {
      if (base) shape(file, call, object, base, '__proto__');
      return object;
    },
    defineProperty,
  }),
);

/** What a call of the language's own functions gives that shape objects; null for any other. */
export function wellKnown(file: EcmascriptFile, call: NotedCall): Expr | null {
  const { callee, target } = call;
  if (callee.type !== 'member_expression') return null;
  const name = callee.childForFieldName('property')?.text ?? '';
  if (name === 'bind' && target.kind === 'member') return target.object;
  const [first, ...rest] = file.facts.calls[call.call]?.args ?? [];
  if (!first) return null;
  const object = callee.childForFieldName('object')?.text;
  if (object === 'Object' || object === 'Reflect') {
    return objectFunctions.get(name)?.(file, call, [first, ...rest]) ?? null;
  }
  const [base] = rest;
  if (name !== 'inherits' || !base) return null;
  shape(file, call, { kind: 'call', callee: first, args: [], isNew: true }, base, '__proto__');
  return unknown;
}

function defineProperty(
  file: EcmascriptFile,
  call: NotedCall,
  [object, , descriptor]: readonly [Expr, ...Expr[]],
): Expr {
  const key = call.node.childForFieldName('arguments')?.namedChildren[1];
  if (key?.type !== 'string' || descriptor?.kind !== 'definition') return object;
  for (const { name, definition, value } of file.definition(descriptor.definition).members) {
    if (name !== 'value') continue;
    const given: Expr = definition >= 0 ? { kind: 'definition', definition } : (value ?? unknown);
    file.assign(shaped(file, call, object, given, key.text.slice(1, -1), definition));
  }
  return object;
}

function shape(file: EcmascriptFile, call: NotedCall, object: Expr, value: Expr, name: string): void {
  file.assign(shaped(file, call, object, value, name, -1));
}

/** A prototype's members are its class's. */
function shaped(
  file: EcmascriptFile,
  { node, place: { scope } }: NotedCall,
  object: Expr,
  value: Expr,
  name: string,
  definition: number,
): Assignment {
  const onPrototype = object.kind === 'call' && object.isNew;
  const target = onPrototype ? object.callee : object;
  return { target, name, definition, value, scope, isStatic: !onPrototype, line: file.line(node) };
}

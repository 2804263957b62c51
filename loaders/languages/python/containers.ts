import type { Expr } from '../../facts/fact.ts';
import { fill } from './values.ts';
import { type Frame, receiverNamed, type Walk } from './walk.ts';

/** Methods that put something into a container, and which argument it is. */
const additions: ReadonlyMap<string, number> = new Map([
  ['append', 0],
  ['appendleft', 0],
  ['add', 0],
  ['extend', 0],
  ['insert', 1],
  ['setdefault', 1],
]);

/** Notes what a call puts into a container that was written in place: `xs = []` … `xs.append(x)`. */
export function noteAddition(walk: Walk, callee: Expr, args: readonly Expr[]): void {
  if (callee.kind !== 'member') return;
  const at = additions.get(callee.name);
  const value = at === undefined ? undefined : args[at];
  if (value) put(walk, callee.object, callee.name === 'extend' ? { kind: 'iterate', object: value } : value);
}

/** Notes that a container holds this value, too: `d[key] = value`. */
export function put(walk: Walk, container: Expr, value: Expr): void {
  if (container.kind === 'name') {
    for (let at: Frame | null = walk.frame; at; at = at.outer) {
      const bindings = at.flow.find(container.name);
      for (const { value: held } of bindings) if (held) fill(held, value);
      if (bindings.length > 0) return;
    }
  } else if (container.kind === 'member' && container.object.kind === 'name') {
    const self = receiverNamed(walk, container.object.name);
    if (self) walk.puts.push({ class: self.class, name: container.name, value });
  } else if (container.kind === 'index' && container.object.kind === 'name') {
    for (const { value: held } of walk.frame.flow.find(container.object.name)) {
      if (held?.kind === 'map') for (const inner of held.values) fill(inner, value);
    }
  }
}

/** Brings what methods put into fields to where the fields were made. */
export function settlePuts(walk: Walk): void {
  for (const { class: owner, name, value } of walk.puts) {
    for (const member of walk.facts.definitions[owner]?.members ?? [])
      if (member.name === name && member.value) fill(member.value, value);
  }
}

import type { Definition, Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { type Bound, FactsBuilder, newBinding } from '../reading/facts-builder.ts';
import { createFlow, type Flow } from './flow.ts';

/** Where a walk stands: the function and definition around it, and what its names hold. */
export interface Frame {
  kind: 'module' | 'class' | 'function';
  /** The innermost function, lambdas included; -1 at the top of the file. */
  function: number;
  /** What owns new definitions. */
  owner: number;
  flow: Flow;
  /** Names declared `global` or `nonlocal`, and the frame that they belong to. */
  elsewhere: Map<string, Frame>;
  outer: Frame | null;
  /** In a method: the name of its first parameter and the class that it fills. */
  self: Receiver | null;
}

export interface Receiver {
  name: string;
  class: number;
  /** It is the class itself: `cls`. */
  isClass: boolean;
}

/** One Python file while it is walked. */
export class Walk extends FactsBuilder {
  /** Names that the file defines or imports from elsewhere than `typing` and its like. */
  readonly own = new Set<string>();
  /** Type variables of the file with their bounds. */
  readonly typeVariables = new Map<string, TypeExpr | null>();
  /** What `__all__` lists; null where the file has none. */
  listed: Set<string> | null = null;
  /** What methods put into the containers that fields hold. */
  readonly puts: { class: number; name: string; value: Expr }[] = [];
  readonly top: Frame;
  /** How many expressions are around the one that is walked. */
  depth = 0;
  frame: Frame;

  /** A walk at the top of a file. */
  constructor(root: Node, source: string) {
    super('python', source, root.endPosition.row + (root.endPosition.column > 0 ? 1 : 0));
    this.top = {
      kind: 'module',
      function: -1,
      owner: -1,
      flow: createFlow(this, 0, false),
      elsewhere: new Map(),
      outer: null,
      self: null,
    };
    this.frame = this.top;
  }
}

/** Walks what stands inside a function or class. */
export function inside(
  walk: Walk,
  frame: Pick<Frame, 'kind' | 'function' | 'owner' | 'self'> & { scope: number },
  run: () => void,
): void {
  const outer = walk.frame;
  const { scope, ...rest } = frame;
  const flow = createFlow(walk, scope, frame.kind === 'function');
  walk.frame = { ...rest, flow, elsewhere: new Map(), outer };
  run();
  flow.finish();
  walk.frame = outer;
}

/** Adds a definition with nothing known but its place; gives it. */
export function define(
  walk: Walk,
  known: Pick<Definition, 'kind' | 'name' | 'line' | 'endLine' | 'scope'> & Partial<Definition>,
): Definition {
  const index = walk.addDefinition({
    qualifiedName: nameInside(walk, known.name || '<lambda>'),
    owner: walk.frame.owner,
    exported: isExported(walk, known.name),
    ...known,
  });
  return walk.definition(index);
}

/** Binds a name where the statement stands, or where `global` says. */
export function bind(walk: Walk, name: string, part: Bound, line: number): void {
  const target = walk.frame.elsewhere.get(name) ?? walk.frame;
  target.flow.bind(newBinding(name, line, part));
}

/** The frame whose names functions defined here see: a class's own are hidden from them. */
export function functionFrame(frame: Frame): Frame {
  let at = frame;
  while (at.kind === 'class' && at.outer) at = at.outer;
  return at;
}

/** The receiver, if it has this name here. */
export function receiverNamed(walk: Walk, name: string): Receiver | null {
  for (let at: Frame | null = walk.frame; at && at.kind !== 'class'; at = at.outer)
    if (at.self) return at.self.name === name ? at.self : null;
  return null;
}

/** The method around, or the function where there is none: what `super()` speaks of. */
export function methodAround(walk: Walk): number {
  for (let at: Frame | null = walk.frame; at; at = at.outer) if (at.self) return at.function;
  return walk.frame.function;
}

/** Qualified name of something defined here. */
export function nameInside(walk: Walk, name: string): string {
  const owner = walk.facts.definitions[walk.frame.owner];
  return owner ? `${owner.qualifiedName}.${name}` : name;
}

/** By `__all__` where there is one, else by the underscore. */
export function isExported(walk: Walk, name: string): boolean {
  const { frame, listed } = walk;
  const isPublic = name !== '' && (!name.startsWith('_') || /^__\w+__$/.test(name));
  if (frame.kind === 'module') return listed ? listed.has(name) : isPublic;
  return frame.kind === 'class' && isPublic && (walk.facts.definitions[frame.owner]?.exported ?? false);
}

import type { Binding, Definition, Expr } from '../../facts/fact.ts';
import type { Assignment, Builder } from './builder.ts';

/**
 * Brings assignments to the objects and names that they change, once the whole file is known: functions are hoisted, and
 * `app.use = …` may stand above or below what `app` is.
 */
export function settleAssignments(builder: Builder): void {
  for (const name of builder.exportsNames) {
    if (scopeOf(builder, name.scope, 'exports') < 0) Object.assign(name, { kind: 'module' });
  }
  for (const assignment of builder.assignments) {
    if (assignment.target.kind === 'unknown') settleName(builder, assignment);
  }
  // Functions first: what `this` is in them depends on whose methods they become.
  const members = builder.assignments.filter(({ target }) => target.kind !== 'unknown');
  for (const assignment of members) if (assignment.definition >= 0) settleMember(builder, assignment);
  for (const assignment of members) if (assignment.definition < 0) settleMember(builder, assignment);
  dropLooseSelves(builder);
}

function settleName(builder: Builder, { name, value, scope, line }: Assignment): void {
  const owner = scopeOf(builder, scope, name);
  if (owner < 0 && name === 'exports') {
    if (value.kind === 'definition') builder.export('=', line, { value });
    return;
  }
  const bindings = builder.scopes[Math.max(owner, 0)]?.bindings;
  if (bindings?.some((binding) => binding.name === name && binding.type)) return;
  if (value.kind === 'unknown' && owner >= 0) return;
  const definition =
    value.kind === 'definition' && builder.definition(value.definition).kind !== 'object' ? value.definition : -1;
  // A variable keeps the type of what it is first given.
  const initial = bindings?.find((binding) => binding.name === name && binding.value);
  if (initial?.value && definition < 0) {
    initial.value =
      initial.value.kind === 'union' && initial.value.first
        ? { ...initial.value, options: [...initial.value.options, value] }
        : { kind: 'union', options: [initial.value, value], first: true };
    return;
  }
  builder.bind(Math.max(owner, 0), name, line, definition >= 0 ? { definition } : { value });
}

/** Exported names and members. */
function settleMember(builder: Builder, { target, name, definition, value, isStatic, line }: Assignment): void {
  if (target.kind === 'module') {
    if (name === '...') builder.export('*', line, { value });
    else builder.export(name, line, { value });
    if (definition >= 0) builder.definition(definition).exported = true;
    for (const { name: exported, value: whole } of builder.exports) {
      const object = exported === '=' && whole ? objectOf(builder, whole, 0) : -1;
      if (object < 0) continue;
      addMember(builder, object, name, definition, value, builder.definition(object).kind !== 'object', line);
    }
    return;
  }
  const object = objectOf(builder, target, 0);
  if (object < 0) return;
  const owner = builder.definition(object);
  const isObject = owner.kind === 'object';
  addMember(builder, object, name, definition, value, isStatic && !isObject, line);
}

function addMember(
  builder: Builder,
  object: number,
  name: string,
  definition: number,
  value: Expr,
  isStatic: boolean,
  line: number,
): void {
  const owner = builder.definition(object);
  if (name === '...' || name === '__proto__') {
    if (value.kind !== 'unknown') owner.bases.push({ expr: value, line, how: name === '...' ? 'embeds' : 'extends' });
    return;
  }
  if (name === 'prototype') {
    adoptPrototype(builder, object, owner, value, line);
    return;
  }
  // TypeScript's classes declare their members: what is assigned can only tell the type of one that has none.
  if (builder.language !== 'javascript' && owner.kind === 'class' && !isUntyped(owner, name)) return;
  const assigned = definition >= 0 ? builder.definition(definition) : null;
  if (assigned && assigned.kind !== 'object') {
    if (!owner.members.some((member) => member.definition === definition)) {
      builder.member(object, name, { definition, isStatic });
    }
    if (assigned.kind === 'function') adoptMethod(builder, object, definition, assigned, isStatic);
    return;
  }
  if (value.kind !== 'unknown' && !declaresType(owner, name)) builder.member(object, name, { value, isStatic });
}

function isUntyped(owner: Definition, name: string): boolean {
  return owner.members.some((member) => member.name === name && !member.type && !member.value && member.definition < 0);
}

function declaresType(owner: Definition, name: string): boolean {
  return owner.members.some((member) => member.name === name && member.type !== null);
}

/** A function that becomes a member belongs to its object: `this` in it is that object. */
function adoptMethod(builder: Builder, object: number, index: number, method: Definition, isStatic: boolean): void {
  for (let around = object; around >= 0; around = builder.definition(around).owner) if (around === index) return;
  method.kind = 'method';
  method.isStatic = isStatic;
  method.owner = object;
  method.qualifiedName = builder.qualify(object, method.name);
}

/** `C.prototype = {…}` gives the object's methods to `C`; `C.prototype = Object.create(B.prototype)` makes `B` its base. */
function adoptPrototype(builder: Builder, object: number, owner: Definition, value: Expr, line: number): void {
  const given = value.kind === 'definition' ? builder.definition(value.definition) : null;
  if (given?.kind !== 'object') {
    if (value.kind !== 'unknown') owner.bases.push({ expr: value, line, how: 'extends' });
    return;
  }
  owner.bases.push(...given.bases);
  for (const member of given.members) {
    owner.members.push(member);
    if (member.definition < 0) continue;
    const method = builder.definition(member.definition);
    method.owner = object;
    method.qualifiedName = builder.qualify(object, method.name);
  }
}

/** The definition that an expression leads to within this file; -1 for none. */
function objectOf(builder: Builder, expr: Expr, level: number): number {
  if (level > 5) return -1;
  switch (expr.kind) {
    case 'definition':
      return expr.definition;
    case 'self':
      return selfOf(builder, expr.definition);
    case 'name': {
      const scope = scopeOf(builder, expr.scope, expr.name);
      const bindings = (builder.scopes[scope]?.bindings ?? []).filter((binding) => binding.name === expr.name);
      for (const binding of bindings) {
        const found = bound(builder, binding, level);
        if (found >= 0) return found;
      }
      return -1;
    }
    case 'member': {
      const exported =
        expr.object.kind === 'module' ? builder.exports.find(({ name }) => name === expr.name) : undefined;
      if (exported?.value) return objectOf(builder, exported.value, level + 1);
      const object = objectOf(builder, expr.object, level + 1);
      const member = object < 0 ? undefined : builder.definition(object).members.find(({ name }) => name === expr.name);
      if (!member) return -1;
      return member.definition >= 0
        ? member.definition
        : member.value
          ? objectOf(builder, member.value, level + 1)
          : -1;
    }
    case 'module': {
      const whole = builder.exports.find(({ name }) => name === '=')?.value;
      return whole ? objectOf(builder, whole, level + 1) : -1;
    }
    case 'union':
      return expr.options.map((option) => objectOf(builder, option, level + 1)).find((found) => found >= 0) ?? -1;
    case 'call':
      return expr.isNew ? objectOf(builder, expr.callee, level + 1) : -1;
    default:
      return -1;
  }
}

function bound(builder: Builder, binding: Binding, level: number): number {
  if (binding.definition >= 0) return binding.definition;
  return binding.value ? objectOf(builder, binding.value, level + 1) : -1;
}

/** The class or object around, or the function itself, which then is a constructor function. */
function selfOf(builder: Builder, definition: number): number {
  const own = builder.definition(definition);
  if (own.kind !== 'function' && own.kind !== 'method' && own.kind !== 'constructor') return definition;
  if (own.owner >= 0 && own.kind !== 'function') return own.owner;
  return own.kind === 'function' ? definition : -1;
}

function scopeOf(builder: Builder, from: number, name: string): number {
  for (let index = from; index >= 0; index = builder.scopes[index]?.parent ?? -1) {
    if (builder.scopes[index]?.bindings.some((binding) => binding.name === name)) return index;
  }
  return -1;
}

/** `this` in a function that is neither a method nor makes objects can be anything. */
function dropLooseSelves(builder: Builder): void {
  for (const self of builder.selves) {
    const { kind, members } = builder.definition(self.definition);
    if (kind === 'function' && members.every(({ isStatic }) => isStatic)) Object.assign(self, { kind: 'unknown' });
  }
}

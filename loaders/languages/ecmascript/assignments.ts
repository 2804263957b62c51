import type { Binding, Definition, Expr } from '../../facts/fact.ts';
import type { Assignment, EcmascriptFile } from './file.ts';

/**
 * Brings assignments to the objects and names that they change, once the whole file is known: functions are hoisted, and
 * `app.use = …` may stand above or below what `app` is.
 */
export function settleAssignments(file: EcmascriptFile): void {
  for (const name of file.exportsNames) {
    if (scopeOf(file, name.scope, 'exports') < 0) Object.assign(name, { kind: 'module' });
  }
  for (const assignment of file.assignments) {
    if (assignment.target.kind === 'unknown') settleName(file, assignment);
  }
  // Functions first: what `this` is in them depends on whose methods they become.
  const members = file.assignments.filter(({ target }) => target.kind !== 'unknown');
  for (const assignment of members) if (assignment.definition >= 0) settleMember(file, assignment);
  for (const assignment of members) if (assignment.definition < 0) settleMember(file, assignment);
  dropLooseSelves(file);
}

function settleName(file: EcmascriptFile, { name, value, scope, line }: Assignment): void {
  const owner = scopeOf(file, scope, name);
  if (owner < 0 && name === 'exports') {
    if (value.kind === 'definition') file.addExport('=', line, { value });
    return;
  }
  const bindings = file.facts.scopes[Math.max(owner, 0)]?.bindings;
  if (bindings?.some((binding) => binding.name === name && binding.type)) return;
  if (value.kind === 'unknown' && owner >= 0) return;
  const definition =
    value.kind === 'definition' && file.definition(value.definition).kind !== 'object' ? value.definition : -1;
  // A variable keeps the type of what it is first given.
  const initial = bindings?.find((binding) => binding.name === name && binding.value);
  if (initial?.value && definition < 0) {
    initial.value =
      initial.value.kind === 'union' && initial.value.first
        ? { ...initial.value, options: [...initial.value.options, value] }
        : { kind: 'union', options: [initial.value, value], first: true };
    return;
  }
  file.addBinding(Math.max(owner, 0), name, line, definition >= 0 ? { definition } : { value });
}

/** Exported names and members. */
function settleMember(file: EcmascriptFile, { target, name, definition, value, isStatic, line }: Assignment): void {
  if (target.kind === 'module') {
    if (name === '...') file.addExport('*', line, { value });
    else file.addExport(name, line, { value });
    if (definition >= 0) file.definition(definition).exported = true;
    for (const { name: exported, value: whole } of file.facts.exports) {
      const object = exported === '=' && whole ? objectOf(file, whole, 0) : -1;
      if (object < 0) continue;
      addMember(file, object, name, definition, value, file.definition(object).kind !== 'object', line);
    }
    return;
  }
  const object = objectOf(file, target, 0);
  if (object < 0) return;
  const owner = file.definition(object);
  const isObject = owner.kind === 'object';
  addMember(file, object, name, definition, value, isStatic && !isObject, line);
}

function addMember(
  file: EcmascriptFile,
  object: number,
  name: string,
  definition: number,
  value: Expr,
  isStatic: boolean,
  line: number,
): void {
  const owner = file.definition(object);
  if (name === '...' || name === '__proto__') {
    if (value.kind !== 'unknown') owner.bases.push({ expr: value, line, how: name === '...' ? 'embeds' : 'extends' });
    return;
  }
  if (name === 'prototype') {
    adoptPrototype(file, object, owner, value, line);
    return;
  }
  // TypeScript's classes declare their members: what is assigned can only tell the type of one that has none.
  if (!file.isJavascript && owner.kind === 'class' && !isUntyped(owner, name)) return;
  const assigned = definition >= 0 ? file.definition(definition) : null;
  if (assigned && assigned.kind !== 'object') {
    if (!owner.members.some((member) => member.definition === definition)) {
      file.addMember(object, name, { definition, isStatic });
    }
    if (assigned.kind === 'function') adoptMethod(file, object, definition, assigned, isStatic);
    return;
  }
  if (value.kind !== 'unknown' && !declaresType(owner, name)) file.addMember(object, name, { value, isStatic });
}

function isUntyped(owner: Definition, name: string): boolean {
  return owner.members.some((member) => member.name === name && !member.type && !member.value && member.definition < 0);
}

function declaresType(owner: Definition, name: string): boolean {
  return owner.members.some((member) => member.name === name && member.type !== null);
}

/** A function that becomes a member belongs to its object: `this` in it is that object. */
function adoptMethod(file: EcmascriptFile, object: number, index: number, method: Definition, isStatic: boolean): void {
  for (let around = object; around >= 0; around = file.definition(around).owner) if (around === index) return;
  method.kind = 'method';
  method.isStatic = isStatic;
  method.owner = object;
  method.qualifiedName = file.qualify(object, method.name);
}

/** `C.prototype = {…}` gives the object's methods to `C`; `C.prototype = Object.create(B.prototype)` makes `B` its base. */
function adoptPrototype(file: EcmascriptFile, object: number, owner: Definition, value: Expr, line: number): void {
  const given = value.kind === 'definition' ? file.definition(value.definition) : null;
  if (given?.kind !== 'object') {
    if (value.kind !== 'unknown') owner.bases.push({ expr: value, line, how: 'extends' });
    return;
  }
  owner.bases.push(...given.bases);
  for (const member of given.members) {
    owner.members.push(member);
    if (member.definition < 0) continue;
    const method = file.definition(member.definition);
    method.owner = object;
    method.qualifiedName = file.qualify(object, method.name);
  }
}

/** The definition that an expression leads to within this file; -1 for none. */
function objectOf(file: EcmascriptFile, expr: Expr, level: number): number {
  if (level > 5) return -1;
  switch (expr.kind) {
    case 'definition':
      return expr.definition;
    case 'self':
      return selfOf(file, expr.definition);
    case 'name': {
      const scope = scopeOf(file, expr.scope, expr.name);
      const bindings = (file.facts.scopes[scope]?.bindings ?? []).filter((binding) => binding.name === expr.name);
      for (const binding of bindings) {
        const found = bound(file, binding, level);
        if (found >= 0) return found;
      }
      return -1;
    }
    case 'member': {
      const exported =
        expr.object.kind === 'module' ? file.facts.exports.find(({ name }) => name === expr.name) : undefined;
      if (exported?.value) return objectOf(file, exported.value, level + 1);
      const object = objectOf(file, expr.object, level + 1);
      const member = object < 0 ? undefined : file.definition(object).members.find(({ name }) => name === expr.name);
      if (!member) return -1;
      return member.definition >= 0 ? member.definition : member.value ? objectOf(file, member.value, level + 1) : -1;
    }
    case 'module': {
      const whole = file.facts.exports.find(({ name }) => name === '=')?.value;
      return whole ? objectOf(file, whole, level + 1) : -1;
    }
    case 'union':
      return expr.options.map((option) => objectOf(file, option, level + 1)).find((found) => found >= 0) ?? -1;
    case 'call':
      return expr.isNew ? objectOf(file, expr.callee, level + 1) : -1;
    default:
      return -1;
  }
}

function bound(file: EcmascriptFile, binding: Binding, level: number): number {
  if (binding.definition >= 0) return binding.definition;
  return binding.value ? objectOf(file, binding.value, level + 1) : -1;
}

/** The class or object around, or the function itself, which then is a constructor function. */
function selfOf(file: EcmascriptFile, definition: number): number {
  const own = file.definition(definition);
  if (own.kind !== 'function' && own.kind !== 'method' && own.kind !== 'constructor') return definition;
  if (own.owner >= 0 && own.kind !== 'function') return own.owner;
  return own.kind === 'function' ? definition : -1;
}

function scopeOf(file: EcmascriptFile, from: number, name: string): number {
  for (let index = from; index >= 0; index = file.facts.scopes[index]?.parent ?? -1) {
    if (file.facts.scopes[index]?.bindings.some((binding) => binding.name === name)) return index;
  }
  return -1;
}

/** `this` in a function that is neither a method nor makes objects can be anything. */
function dropLooseSelves(file: EcmascriptFile): void {
  for (const self of file.selves) {
    const { kind, members } = file.definition(self.definition);
    if (kind === 'function' && members.every(({ isStatic }) => isStatic)) Object.assign(self, { kind: 'unknown' });
  }
}

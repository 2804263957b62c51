/** Longer names are looked at from their end only. */
const maxName = 300;
const partsOfNames = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w$@`#]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Whether this character, by its code, may stand in a name. */
export const isPartOfName = (code: number): boolean => partsOfNames[code] === 1;

/**
 * What an expression names, written alike in all languages: `a?.b`, `a->b`, `A::b` and `a.b(1)[2]` with dots alone, and without what
 * is passed or indexed. What is no name (a literal) leaves nothing before the dot.
 */
export function nameOf(source: string, start: number, end: number): string {
  const isNew = /^new\s/.test(source.slice(start, start + 4));
  const text = source.slice(Math.max(isNew ? start + 4 : start, end - maxName), end);
  let name = '';
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text[at] ?? '';
    if (char === '"' || char === "'") {
      at = Math.max(text.lastIndexOf(char, at - 1), 0);
      continue;
    }
    if (char === ')' || char === ']' || char === '}') depth++;
    else if (char === '(' || char === '[' || char === '{') depth--;
    else if (depth === 0 && isPartOfName(text.charCodeAt(at))) name = char + name;
    else if (depth === 0 && (char === '.' || char === ':' || char === '\\' || (char === '>' && text[at - 1] === '-')))
      name = name.startsWith('.') ? name : `.${name}`;
    else if (depth === 0 && char === '>') {
      // Type arguments.
      at = Math.max(text.lastIndexOf('<', at - 1), 0);
    }
    if (depth < 0) break;
  }
  return isNew ? `new ${name.replace(/^\./, '')}` : name;
}

/** `a.{b,c}` is `a.b` and `a.c`; also of several braces. */
function expand(pattern: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (!braces) return [pattern];
  const [all, choices = ''] = braces;
  return choices
    .split(',')
    .flatMap((choice) => expand(pattern.slice(0, braces.index) + choice + pattern.slice(braces.index + all.length)));
}

const lastOf = (name: string) => name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(' ')) + 1);

/**
 * What is known of names: `eval` is that name alone; `os.system` also where more stands before it; `.execute` that name of anything
 * before it; `new Date` what is made.
 */
export class NameTable<T> {
  private readonly byLast = new Map<string, { pattern: string; value: T }[]>();

  add(patterns: readonly string[], value: T): this {
    for (const pattern of patterns.flatMap(expand)) {
      const last = lastOf(pattern);
      const known = this.byLast.get(last);
      if (known) known.push({ pattern, value });
      else this.byLast.set(last, [{ pattern, value }]);
    }
    return this;
  }

  /** The last parts of all names that it knows. */
  words(): Iterable<string> {
    return this.byLast.keys();
  }

  knows(word: string): boolean {
    return this.byLast.has(word);
  }

  of(name: string): T[] {
    const known = this.byLast.get(lastOf(name));
    return known === undefined ? [] : known.filter(({ pattern }) => isNamed(name, pattern)).map(({ value }) => value);
  }

  has(name: string): boolean {
    return this.byLast.get(lastOf(name))?.some(({ pattern }) => isNamed(name, pattern)) ?? false;
  }
}

function isNamed(name: string, pattern: string): boolean {
  if (name === pattern) return true;
  if (pattern.startsWith('.')) return name.endsWith(pattern);
  return pattern.includes('.') && !pattern.startsWith('new ')
    ? name.endsWith(`.${pattern}`)
    : name.startsWith('new ') && name.endsWith(`.${pattern.slice(4)}`) && pattern.startsWith('new ');
}

const pythonImport = /^[ \t]*import[ \t]+([\w.]+)[ \t]+as[ \t]+(\w+)/gm;
const pythonFrom = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+([^\n]+)/gm;
const bracketed = /^\(([^)]*)\)/;
const required =
  /\b(?:const|let|var|import)\s{1,9}(?:\*\s{1,9}as\s{1,9})?(\{[^{}]{1,400}\}|[\w$]{1,80})\s{0,9}(?:=\s{0,9}require\s{0,9}\(\s{0,9}|\s{0,9}from\s{1,9})["'`]([^"'`\n]{1,200})["'`]/g;

/** By the names that a file gives them, what it imports: in languages where an import may name things anew. */
export function importedNames(language: string, source: string): ReadonlyMap<string, string> {
  if (language === 'python') return importedByPython(source);
  return /script|tsx/.test(language) ? importedByScript(source) : new Map();
}

function importedByPython(source: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, module = '', local = ''] of source.matchAll(pythonImport)) found.set(local, module);
  for (const { 1: module = '', 2: rest = '', index, 0: all } of source.matchAll(pythonFrom)) {
    if (module.startsWith('.')) continue;
    const start = index + all.length - rest.length;
    const names = rest.startsWith('(') ? (bracketed.exec(source.slice(start, start + 2_000))?.[1] ?? '') : rest;
    for (const each of names.replace(/#.*/, '').split(',')) {
      const [name = '', as, local] = each.trim().split(/\s+/);
      if (name !== '') found.set(as === 'as' && local ? local : name, `${module}.${name}`);
    }
  }
  return found;
}

function importedByScript(source: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, names = '', specifier = ''] of source.matchAll(required)) {
    if (specifier.startsWith('.')) continue;
    const module = specifier.replace(/^node:/, '').replace(/^@/, '');
    if (!names.startsWith('{')) found.set(names, module);
    else
      for (const each of names.slice(1, -1).split(',')) {
        const [name = '', local = name] = each.split(/:|\bas\b/).map((part) => part.trim());
        if (name !== '') found.set(local, `${module}.${name}`);
      }
  }
  return found;
}

/** By the names that a script gives them, what it takes under another one from what another file of its own gives. */
export function renamedNames(source: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, names = '', specifier = ''] of source.matchAll(required))
    if (specifier.startsWith('.') && names.startsWith('{'))
      for (const each of names.slice(1, -1).split(',')) {
        const [name = '', local = name] = each.split(/:|\bas\b/).map((part) => part.trim());
        if (name !== local) found.set(local, name);
      }
  return found;
}

/** What a file takes from another one of its repository. */
export interface Borrowed {
  module: string;
  /** What it is called there; empty where all of the module is taken. */
  name: string;
}

/** By the names that it has in a file, what this takes from others by their path from it; of a whole module the name ends in a dot. */
export function borrowedNames(language: string, source: string): ReadonlyMap<string, Borrowed> {
  const found = new Map<string, Borrowed>();
  if (language === 'python')
    for (const { 1: module = '', 2: rest = '' } of source.matchAll(pythonFrom)) {
      if (!module.startsWith('.')) continue;
      for (const each of rest.replaceAll(/[()]|#.*/g, '').split(',')) {
        const [name = '', , local = name] = each.trim().split(/\s+/);
        found.set(local, { module, name }).set(`${local}.`, { module, name: '' });
      }
    }
  else if (/script|tsx/.test(language))
    for (const [, names = '', module = ''] of source.matchAll(required)) {
      if (!module.startsWith('.')) continue;
      if (!names.startsWith('{')) found.set(names, { module, name: '' }).set(`${names}.`, { module, name: '' });
      else
        for (const each of names.slice(1, -1).split(',')) {
          const [name = '', local = name] = each.split(/:|\bas\b/).map((part) => part.trim());
          found.set(local, { module, name });
        }
    }
  return found;
}

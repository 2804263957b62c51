import jdk from '../../reference-data/jdk.json' with { type: 'json' };
import type { ClassKind, FileFacts, Parameter, TypeExpr } from '../../facts/fact.ts';
import { JavaFile } from './file.ts';
import { constructorName, method } from './names.ts';

let known: readonly { path: string; facts: FileFacts }[] | undefined;

/** Java's own library, one file of facts a package: what receivers, chains and overloads of a program's calls rest on. */
export function library(): readonly { path: string; facts: FileFacts }[] {
  return (known ??= readLibrary());
}

function readLibrary(): { path: string; facts: FileFacts }[] {
  const packages = Object.keys(jdk);
  return Object.entries<readonly string[]>(jdk).map(([packageName, lines]) => {
    const file = new JavaFile('', 0, { expression: nothing, statements: nothing, members: nothing });
    file.facts.packageName = packageName;
    // Simple names are unique in all that is listed.
    for (const module of packages) file.addImport({ module, name: '**', typeOnly: true }, 0);
    let owner = -1;
    for (const line of lines) {
      if (line.startsWith(' ')) member(file, owner, line.slice(1));
      else owner = classHead(file, line);
    }
    return { path: `jdk/${packageName}`, facts: file.facts };
  });
}

function nothing(): never {
  throw new Error('The library has declarations only.');
}

/** `interface Map.Entry<K,V> extends …`; gives the index of its definition. */
function classHead(file: JavaFile, line: string): number {
  const [, kind = 'class', dotted = ''] = /^(\w+) ([\w.]+)/.exec(line) ?? [];
  const scope = file.addScope(0, file.facts.definitions.length);
  const names = dotted.split('.');
  const name = names.at(-1) ?? '';
  const owner = file.facts.definitions.findIndex(({ qualifiedName }) => qualifiedName === names.slice(0, -1).join('.'));
  const definition = file.addDefinition({
    kind: kind as ClassKind,
    name,
    line: 1,
    endLine: 1,
    owner,
    scope,
    exported: true,
  });
  const own = file.definition(definition);
  const reader = readTypes(line.slice(kind.length + 1 + dotted.length), scope);
  own.typeParameters = reader.typeParameters();
  while (reader.take('extends') || reader.take('implements') || reader.take(',')) {
    own.bases.push({ expr: { kind: 'typed', type: reader.type() }, line: 1, how: 'extends' });
  }
  if (name !== 'Object') own.bases.push({ expr: { kind: 'typed', type: named('Object', 0) }, line: 1, how: 'extends' });
  if (owner < 0) file.addBinding(0, name, 1, { definition });
  else file.addMember(owner, name, { definition, isStatic: true });
  return definition;
}

/** `static <T> List<T> of(T...)`, `new(Collection<? extends E>)` or `static TimeUnit SECONDS`. */
function member(file: JavaFile, owner: number, line: string): void {
  const outer = file.definition(owner);
  const scope = file.addScope(outer.scope, file.facts.definitions.length);
  const reader = readTypes(line, scope);
  const isStatic = reader.take('static');
  const isAbstract = reader.take('abstract');
  const typeParameters = reader.typeParameters();
  const isConstructor = line.startsWith('new(');
  const returnType = isConstructor ? null : reader.type();
  const name = reader.word();
  if (!line.includes('(')) {
    file.addMember(owner, name, { type: returnType, isStatic });
    return;
  }
  reader.take('(');
  const parameters: Parameter[] = [];
  while (!reader.take(')')) {
    const type = reader.type();
    const rest = reader.take('...');
    parameters.push({
      name: '',
      type: rest ? { kind: 'array', element: type } : type,
      default: null,
      rest,
      optional: false,
    });
    reader.take(',');
  }
  const definition = file.addDefinition({
    kind: isConstructor ? 'constructor' : 'method',
    name: isConstructor ? outer.name : name,
    line: 1,
    endLine: 1,
    owner,
    scope,
    exported: true,
    isStatic,
    isAbstract,
    typeParameters,
    parameters,
    returnType,
  });
  const memberName = isConstructor ? constructorName : method(name);
  file.addMember(owner, memberName, { definition, isStatic });
}

function named(name: string, scope: number, args: TypeExpr[] = []): TypeExpr {
  return { kind: 'reference', name, scope, args };
}

/** Reads types as Java writes them, from left to right. */
function readTypes(text: string, scope: number) {
  // Bounded: our own text.
  const tokens = text.match(/[\w.]*\w|\.\.\.|[^\s\w]/g) ?? [];
  let position = 0;
  const reader = { take, word: () => tokens[position++] ?? '', type, typeParameters };
  return reader;

  function take(token: string): boolean {
    if (tokens[position] !== token) return false;
    position++;
    return true;
  }

  function type(): TypeExpr {
    let result: TypeExpr;
    if (take('?')) {
      if (!take('extends') && !take('super')) return { kind: 'unknown' };
      result = type();
    } else {
      const name = reader.word();
      const args: TypeExpr[] = [];
      if (take('<')) {
        while (!take('>') && position < tokens.length) {
          args.push(type());
          take(',');
        }
      }
      result = named(name, scope, args);
    }
    while (take('[')) {
      take(']');
      result = { kind: 'array', element: result };
    }
    return result;
  }

  function typeParameters(): { name: string; bound: TypeExpr | null }[] {
    const parameters: { name: string; bound: TypeExpr | null }[] = [];
    if (!take('<')) return parameters;
    while (!take('>') && position < tokens.length) {
      const name = reader.word();
      const bound = take('extends') ? type() : null;
      while (take('&')) type();
      parameters.push({ name, bound });
      take(',');
    }
    return parameters;
  }
}

import { declared } from './csharp/declared.ts';
import { legible } from './csharp/legible.ts';
import { library } from './csharp/library.ts';
import type { Language } from './language.ts';
import { double, slashes } from './reading/comments.ts';
import { testClasses } from './reading/tests.ts';
import { nestedPackages } from './reading/packages.ts';
import { giving, taking, usualSemantics } from './reading/semantics.ts';

/** Methods of these names, all of which give the same type. */
const named = (type: string, names: string): Record<string, string> =>
  Object.fromEntries(names.split(' ').map((name) => [name, type]));

/** C#, through its namespaces, partial classes and extension methods. */
export const csharp: Language = {
  id: 'csharp',
  linguist: 'C#',
  extensions: ['.cs'],
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm',
  family: 'csharp',
  ecosystem: 'nuget',
  comments: { ...slashes, quotes: [double] },
  branches: {
    functions: [
      'method_declaration',
      'constructor_declaration',
      'destructor_declaration',
      'operator_declaration',
      'local_function_statement',
      'accessor_declaration',
    ],
    branches: ['conditional_expression', 'switch_expression_arm'],
    operators: ['if', 'for', 'foreach', 'while', 'case', 'catch', '&&', '||', '??'],
    choices: ['switch_expression'],
  },
  tests: [testClasses('cs')],
  extractor: async () => (await import('./csharp/extract.ts')).extract,
  declared,
  legible,
  modules: nestedPackages(['.cs'], { '': 'csharp/own-types' }),
  library,
  semantics: {
    ...usualSemantics,
    foreignNames: 'paths',
    nearestWins: true,
    packagesAreNames: true,
    submodule: (specifier, name) => `${specifier}.${name}`,
    overloads: true,
    nothing: 'void',
    parametersTakePrimitives: true,
    openContainers: true,
    strictArity: true,
    extensionsAreCalled: true,
    containersDiffer: true,
    lambdasListParameters: true,
    held: {
      tuple: { Key: 0, Value: 1, Item1: 0, Item2: 1, Item3: 2, Item4: 3, Item5: 4, Item6: 5, Item7: 6 },
      map: { ...giving('elements', 'Values'), ...giving('keys', 'Keys') },
      array: { ...giving('element', 'Current'), ...giving('self', 'Result') },
    },
    wrappers: new Set(['Task', 'ValueTask', 'ConfiguredTaskAwaitable']),
    unwraps: {
      read: new Set(['Result', 'Value']),
      called: new Set(['ConfigureAwait', 'GetAwaiter', 'GetResult', 'GetValueOrDefault', 'AsTask']),
    },
    resultsOfAny: {
      ...named(
        'string',
        'ToString Substring ToUpper ToLower ToUpperInvariant ToLowerInvariant Trim TrimStart TrimEnd PadLeft PadRight ' +
          'string.Format string.Join string.Concat',
      ),
      ...named('_int', 'GetHashCode CompareTo IndexOf LastIndexOf string.Compare'),
      ...named('_bool', 'Equals StartsWith EndsWith ReferenceEquals string.IsNullOrEmpty string.IsNullOrWhiteSpace'),
      ...named('Type', 'GetType'),
    },
    iterationMembers: ['GetEnumerator'],
    nextMember: 'Current',
    indexType: 'this[]',
    mapIteration: 'entries',
    builtins: new Set(
      (
        'ToString Equals GetHashCode GetType CompareTo Dispose DisposeAsync Add Remove Clear Contains ContainsKey TryGetValue ' +
        'GetEnumerator MoveNext CopyTo Insert IndexOf Select Where First FirstOrDefault Single Any All Count ToList ToArray ' +
        'Invoke Clone Write WriteLine Read Close Flush Run Start Stop Wait Cancel ConfigureAwait Format Join Split Replace Trim'
      ).split(' '),
    ),
    arrayMembers: {
      ...giving(
        'element',
        'First FirstOrDefault Last LastOrDefault Single SingleOrDefault ElementAt Dequeue Peek Pop Find Max Min Aggregate ' +
          'MaxBy MinBy',
        0,
      ),
      ...giving(
        'self',
        'Where OrderBy OrderByDescending ThenBy Skip Take SkipWhile TakeWhile Distinct Reverse Concat Union AsEnumerable Append',
        0,
        'IEnumerable',
      ),
      ...giving('self', 'ToList FindAll', 0, 'List'),
      ...giving('self', 'ToArray', 0, ''),
      ...giving('self', 'ToHashSet ConfigureAwait AsSpan AsReadOnly', 0),
      ...giving('mapped', 'Select SelectMany ConvertAll', 0, 'IEnumerable'),
      ...giving('unknown', 'ForEach Any All Count Sum RemoveAll Exists ToDictionary GroupBy', 0),
      ...taking('Add Enqueue Push Insert Contains'),
    },
    mapMembers: {
      ...giving('element', 'GetValueOrDefault GetOrAdd AddOrUpdate'),
      ...taking('Add TryAdd'),
    },
  },
};

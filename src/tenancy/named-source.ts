import type { Expression } from '../search/text/expression.ts';
import type { SourceReader } from '../stores/source/port.ts';
import type { Names } from './names.ts';

/** The source of what a caller sees, in the names by which he sees it. */
export function namedSource(source: SourceReader, names: Names): SourceReader {
  let namesByKey: NamesByKey | null = null;
  const allNames = () => (namesByKey ??= namesIn(names));
  const named = <Found extends { repository: string }>(found: Found): Found => ({
    ...found,
    repository: names.nameOf(found.repository),
  });
  return {
    kept: async () => new Map([...(await source.kept())].map(([key, isKept]) => [names.nameOf(key), isKept])),
    read: (repository, path) => source.read(names.keyOf(repository), path),
    histories: (files) =>
      source.histories(files.map(({ repository, path }) => ({ repository: names.keyOf(repository), path }))),
    async search(query) {
      const found = await source.search({ ...query, expression: inKeys(query.expression, names, allNames) });
      return { ...found, files: found.files.map(named) };
    },
    async commits(query) {
      const { repositories, notRepositories, after } = query;
      const found = await source.commits({
        ...query,
        repositories: repositories?.map(names.keyOf) ?? null,
        notRepositories: notRepositories.map(names.keyOf),
        after: after && [after[0], after[1], after[2], names.keyOf(after[3])],
      });
      const { end } = found;
      return {
        ...found,
        commits: found.commits.map(named),
        end: end && [end[0], end[1], end[2], names.nameOf(end[3])],
        byRepository: found.byRepository.map(({ value, count }) => ({ value: names.nameOf(value), count })),
      };
    },
  };
}

/** What each repository is called, by its key. */
type NamesByKey = ReadonlyMap<string, readonly string[]>;

const namesIn = ({ shown }: Names): NamesByKey =>
  new Map(shown.map(({ key, name, full_name }) => [key, full_name === null ? [name] : [name, full_name]]));

/** The same with the keys of repositories, and with the names that patterns are compared with: in a thread, as that may take for ever. */
function inKeys(expression: Expression, names: Names, allNames: () => NamesByKey): Expression {
  switch (expression.op) {
    case 'and':
    case 'or':
      return { ...expression, parts: expression.parts.map((part) => inKeys(part, names, allNames)) };
    case 'not':
      return { ...expression, part: inKeys(expression.part, names, allNames) };
    case 'named':
      // One for all: what stands in a message several times is copied once.
      return { ...expression, names: allNames() };
    case 'repositories':
      return { ...expression, keys: expression.keys.map(names.keyOf) };
    default:
      return expression;
  }
}

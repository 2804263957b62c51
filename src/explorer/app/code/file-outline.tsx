import type { OccurrencesAnswer } from '../../../graph/occurrences.ts';
import { hrefOf } from '../router.ts';
import { kindWords } from '../words.ts';
import { hrefOfPlace } from './address.ts';

type Definition = OccurrencesAnswer['definitions'][number];

/** What a file defines, as it lies in each other, each with the line in this file. */
export function FileOutline({
  repository,
  path,
  definitions,
}: {
  repository: string;
  path: string;
  /** By line. */
  definitions: readonly Definition[];
}) {
  return (
    <nav aria-label="Defined here">
      <h2>Symbols</h2>
      <ul class="outline">
        {nested(definitions).map(({ depth, definition: { id, kind, type, name, line } }) => (
          <li key={id} style={{ '--depth': depth }}>
            <a href={hrefOf('code', { symbol: id })}>{name}</a>
            <span class="quiet">{kindWords(kind ?? type)}</span>
            {line !== null && (
              <a class="quiet" href={hrefOfPlace(repository, path, line)} aria-label={`${name}, line ${line}`}>
                {line}
              </a>
            )}
          </li>
        ))}
      </ul>
      {definitions.length === 0 && <p class="quiet">No functions or classes.</p>}
    </nav>
  );
}

/** How many others each lies in. */
function nested(definitions: readonly Definition[]): { definition: Definition; depth: number }[] {
  const open: number[] = [];
  return definitions.map((definition) => {
    const line = definition.line ?? 0;
    while (open.length > 0 && (open.at(-1) ?? 0) < line) open.pop();
    const depth = open.length;
    open.push(definition.end_line ?? line);
    return { definition, depth };
  });
}

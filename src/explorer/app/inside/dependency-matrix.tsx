import type { HierarchyAnswer } from '../../../graph/hierarchy.ts';
import { AsCsv } from '../components/table.tsx';
import { format } from '../format.ts';
import { hrefOfPart } from './part-address.ts';
import { weightOf } from './parts-map.tsx';

/** Wider, nobody can follow a row. */
const maxShown = 24;
/** Of the colour of the heaviest, in percent: more makes the number hard to read. */
const maxTint = 40;

/** Who depends on whom: a row refers to a column; what is in a cycle is marked. */
export function DependencyMatrix({
  shown: { repository, parts, edges },
  address,
}: {
  shown: HierarchyAnswer;
  address: object;
}) {
  const joined = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const allLinked = parts.filter(({ id }) => joined.has(id));
  const linked = allLinked.slice(0, maxShown);
  const names = new Map(parts.map(({ id, name }) => [id, name]));
  if (linked.length === 0) return <p class="quiet">Nothing at this level refers to anything else at it.</p>;
  const heaviest = Math.log2(1 + Math.max(...edges.map(weightOf)));
  const byEnds = new Map(edges.map((edge) => [`${edge.from}\n${edge.to}`, edge]));
  return (
    <>
      <p class="quiet" id="matrix-says">
        How often a row calls or inherits from a column, the bluer the more often. ↻ marks a cycle: parts that depend on
        each other.
        {allLinked.length > linked.length &&
          ` The largest ${linked.length} of ${format.whole(allLinked.length)} parts; the CSV has all.`}
      </p>
      <div class="table matrix" role="region" aria-label="Dependencies" tabIndex={0}>
        <table aria-describedby="matrix-says">
          <thead>
            <tr>
              <td />
              {linked.map(({ id, name }, index) => (
                <th key={id} scope="col" title={name}>
                  {index + 1}
                  <span class="unseen"> {name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {linked.map((part, index) => (
              <tr key={part.id}>
                <th scope="row">
                  {index + 1} <a href={hrefOfPart(repository, part, address)}>{part.name}</a>
                  {part.cycle !== null && <span title={`In cycle ${part.cycle}`}> ↻{part.cycle}</span>}
                </th>
                {linked.map((other) => {
                  const edge = byEnds.get(`${part.id}\n${other.id}`);
                  const isCyclic = part.cycle !== null && part.cycle === other.cycle && edge !== undefined;
                  return (
                    <td
                      key={other.id}
                      class={part.id === other.id ? 'self' : isCyclic ? 'cyclic' : edge && 'weighed'}
                      style={
                        edge && { '--share': `${Math.round((maxTint * Math.log2(1 + weightOf(edge))) / heaviest)}%` }
                      }
                      title={
                        edge &&
                        `${part.name} to ${other.name}: ${format.count(edge.calls, 'call')}, ${format.count(edge.inherits, 'inheritance')}`
                      }
                    >
                      {edge === undefined ? '' : format.whole(weightOf(edge))}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <AsCsv
        caption={`Dependencies in ${repository}`}
        columns={[
          { id: 'from', title: 'From', cell: ({ from }) => names.get(from) },
          { id: 'to', title: 'To', cell: ({ to }) => names.get(to) },
          { id: 'calls', title: 'Calls', cell: ({ calls }) => format.whole(calls) },
          { id: 'inherits', title: 'Inherits', cell: ({ inherits }) => format.whole(inherits) },
        ]}
        all={() => edges}
      />
    </>
  );
}

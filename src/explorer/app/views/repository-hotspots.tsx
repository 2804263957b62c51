import { useMemo } from 'preact/hooks';
import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import { AsTable } from '../charts/as-table.tsx';
import { mostOf, redOf } from '../charts/heat.ts';
import { Treemap } from '../charts/treemap.tsx';
import type { Column } from '../components/table.tsx';
import { hrefOfPlace } from '../code/address.ts';
import { format } from '../format.ts';

type Hotspot = NonNullable<RepositoryPackage['hotspots']>[number];

/** Files as large as they are complex, as hot as they are changed. */
export function RepositoryHotspots({ repo, hotspots }: { repo: string; hotspots: readonly Hotspot[] | null }) {
  const tiles = useMemo(() => {
    const most = mostOf(hotspots ?? [], ({ changes_12m: changes }) => changes);
    return (hotspots ?? []).map((file) => ({
      path: file.path,
      size: Math.max(1, file.complexity),
      red: redOf(file.changes_12m, most, file.test === true),
      says: saysOf(file),
    }));
  }, [hotspots]);
  if (hotspots === null)
    return (
      <p class="quiet">Not known: the repository was loaded by an older version. Loading it again measures them.</p>
    );
  const [first] = hotspots;
  if (first === undefined) return <p class="quiet">There is no source code.</p>;
  return (
    <>
      <p class="quiet">
        Each file is as large as its functions are complex, and the redder the more it was changed within twelve months,
        tests half as red
        {hotspots.length < 200 ? '' : '; the 200 with the most changes times complexity, tests after production'}.
      </p>
      <Treemap
        tiles={tiles}
        label={`${format.count(hotspots.length, 'file')} by complexity and changes. The hottest is ${first.path}: ${saysOf(first)}.`}
      />
      <AsTable caption="Hotspots" columns={columnsOf(repo)} rows={hotspots} keyOf={({ path }) => path} />
    </>
  );
}

const saysOf = ({ changes_12m, people_12m, complexity, code, test }: Hotspot) =>
  `${test ? 'test, ' : ''}${format.count(changes_12m, 'change')} by ${format.count(people_12m, 'person', 'people')}, complexity ${format.whole(complexity)}, ${format.count(code, 'line')}`;

const columnsOf = (repo: string): Column<Hotspot>[] => [
  {
    id: 'path',
    title: 'File',
    isHead: true,
    cell: ({ path, test }) => (
      <>
        <a href={hrefOfPlace(repo, path, null)}>
          <code>
            <bdi>{path}</bdi>
          </code>
        </a>
        {test && <span class="quiet"> test</span>}
      </>
    ),
  },
  { id: 'changes', title: 'Changes', align: 'end', cell: ({ changes_12m: count }) => format.whole(count) },
  { id: 'people', title: 'People', align: 'end', cell: ({ people_12m: count }) => format.whole(count) },
  { id: 'complexity', title: 'Complexity', align: 'end', cell: ({ complexity }) => format.whole(complexity) },
  { id: 'code', title: 'Lines', align: 'end', cell: ({ code }) => format.whole(code) },
];

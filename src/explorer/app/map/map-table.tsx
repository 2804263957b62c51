import { useState } from 'preact/hooks';
import type { MapAnswer } from '../../../graph/map.ts';
import { hrefOfNode } from '../code/address.ts';
import { Grade } from '../components/grade.tsx';
import { Table } from '../components/table.tsx';
import type { Column, Sort } from '../components/table.tsx';
import { format } from '../format.ts';
import { languageName } from '../words.ts';
import { countWords } from './link-words.ts';

type Repository = MapAnswer['repositories'][number] & { grade: string | null; score: number | null };
interface Row extends Repository {
  links: number;
}

const figures: Record<string, (row: Row) => string | number> = {
  name: ({ name }) => name.toLowerCase(),
  language: ({ language }) => language ?? '',
  grade: ({ score }) => score ?? -1,
  lines: ({ lines }) => lines ?? -1,
  links: ({ links }) => links,
};

const columns: Column<Row>[] = [
  {
    id: 'name',
    title: 'Repository',
    isHead: true,
    sortable: true,
    cell: ({ id, name }) => <a href={hrefOfNode({ id, type: 'Repository', repository: id })}>{name}</a>,
  },
  { id: 'language', title: 'Language', sortable: true, cell: ({ language }) => languageName(language) },
  { id: 'grade', title: 'Grade', sortable: true, align: 'end', cell: ({ grade }) => <Grade grade={grade} /> },
  { id: 'lines', title: 'Lines', sortable: true, align: 'end', cell: ({ lines }) => format.whole(lines) },
  { id: 'links', title: 'Linked to', sortable: true, align: 'end', cell: ({ links }) => format.whole(links) },
];

/** The same as the map shows. */
export function MapTable({ repositories, map }: { repositories: readonly Repository[]; map: MapAnswer }) {
  const [sort, setSort] = useState<Sort>({ column: 'lines', order: 'desc' });
  const figure = figures[sort.column] ?? (() => 0);
  const sign = sort.order === 'asc' ? 1 : -1;
  const linked = new Map<string, number>();
  for (const { from, to } of map.links) for (const end of [from, to]) linked.set(end, (linked.get(end) ?? 0) + 1);
  const rows = repositories
    .map((each) => ({ ...each, links: linked.get(each.id) ?? 0 }))
    .sort((a, b) => {
      const [one, other] = [figure(a), figure(b)];
      return sign * (one < other ? -1 : one > other ? 1 : 0) || (a.id < b.id ? -1 : 1);
    });
  return (
    <div class="as-table">
      <Table caption="Repositories" columns={columns} rows={rows} keyOf={({ id }) => id} sort={sort} onSort={setSort} />
      {map.links.length > 0 && (
        <>
          <h2>Links</h2>
          <Table
            caption="Links between repositories"
            columns={[
              { id: 'from', title: 'From', isHead: true, cell: ({ from }) => from },
              { id: 'to', title: 'To', cell: ({ to }) => to },
              { id: 'what', title: 'What', cell: ({ counts }) => countWords(counts) },
            ]}
            rows={map.links}
            keyOf={({ from, to }) => `${from} ${to}`}
          />
        </>
      )}
    </div>
  );
}

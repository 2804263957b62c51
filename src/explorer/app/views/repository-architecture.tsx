import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import { hrefOfPlace } from '../code/address.ts';
import { Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { rangeWords } from '../charts/range-bars.tsx';

type Architecture = NonNullable<RepositoryPackage['architecture']>;
type People = NonNullable<RepositoryPackage['people_by_component']>;
type Component = Architecture['components']['items'][number];
type Edge = Architecture['edges']['items'][number];

/** What it is made of, how the parts depend on each other, and who knows them. */
export function RepositoryArchitecture({
  repo,
  architecture,
  people,
}: {
  repo: string;
  architecture: Architecture | null;
  people: People | null;
}) {
  if (architecture === null)
    return <p class="quiet">Not known: the repository was loaded by an older version. Loading it again measures it.</p>;
  const { components, edges, cycles, file_cycles: circles, basis, made_of: madeOf } = architecture;
  return (
    <>
      <p class="quiet">
        {format.count(components.total, 'component')}, {madeOfWords[madeOf]}, and{' '}
        {format.count(edges.total, 'dependency', 'dependencies')} between them by{' '}
        {basis.length === 1 ? 'imports' : 'imports, calls and inheritance'}; production alone. None of it is in the
        score. <a href={hrefOf('inside', { repo, as: 'matrix' })}>Dependencies from the inside</a>
      </p>
      <Listed
        caption="Components"
        list={components}
        columns={componentColumns(repo, people)}
        keyOf={({ name }) => name}
      />
      <h3>Cycles</h3>
      {cycles.total + circles.total === 0 && <p class="quiet">None, neither of components nor of files.</p>}
      {cycles.items.map(({ components: names, edges: weakest }, index) => (
        <details key={names.join(' ')} open={index === 0}>
          <summary>
            {format.count(names.length, 'component')}: {names.join(', ')}
          </summary>
          <Listed
            caption={`The weakest dependencies of cycle ${index + 1}`}
            list={weakest}
            columns={edgeColumns(repo)}
            keyOf={({ from, to }) => `${from} ${to}`}
          />
        </details>
      ))}
      {circles.items.map(({ files }) => (
        <details key={files.items.join(' ')}>
          <summary>{format.count(files.total, 'file')} that import each other in a circle</summary>
          <ul>
            {files.items.map((path) => (
              <li key={path}>
                <Place repo={repo} path={path} />
              </li>
            ))}
          </ul>
          <Left list={files} />
        </details>
      ))}
      <Oddities repo={repo} architecture={architecture} />
      <Coupling repo={repo} coupling={architecture.change_coupling} />
      <DeadCode repo={repo} dead={architecture.dead_code} />
    </>
  );
}

const madeOfWords = {
  configured: 'as architecture.yml says',
  packages: 'by packages',
  folders: 'by folders of source',
} as const;

interface List<T> {
  total: number;
  items: T[];
}

/** Says how many there are beyond those that are listed. */
function Left<T>({ list: { total, items } }: { list: List<T> }) {
  return total > items.length ? (
    <p class="quiet">
      The first {format.whole(items.length)} of {format.whole(total)}.
    </p>
  ) : null;
}

function Listed<T>({
  caption,
  list,
  columns,
  keyOf,
}: {
  caption: string;
  list: List<T>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
}) {
  return (
    <>
      <Table caption={caption} columns={columns} rows={list.items} keyOf={keyOf} />
      <Left list={list} />
    </>
  );
}

const Place = ({ repo, path, line = null }: { repo: string; path: string; line?: number | null }) => (
  <a href={hrefOfPlace(repo, path, line)}>
    <code>
      <bdi>
        {path}
        {line === null ? '' : `:${line}`}
      </bdi>
    </code>
  </a>
);

function componentColumns(repo: string, people: People | null): Column<Component>[] {
  const known = new Map((people?.components ?? []).map((each) => [each.component, each]));
  const share = (value: number | null) => (value === null ? '–' : format.share(value));
  return [
    {
      id: 'name',
      title: 'Component',
      isHead: true,
      cell: ({ name, paths, cycle }) => {
        const folder = paths.find((path) => path.endsWith('/'));
        return (
          <>
            <a href={hrefOf('inside', { repo, at: folder ?? null })}>
              <bdi>{name}</bdi>
            </a>
            {cycle !== null && <span title={`In cycle ${cycle}`}> ↻{cycle}</span>}
          </>
        );
      },
    },
    { id: 'files', title: 'Files', align: 'end', cell: ({ files }) => format.whole(files) },
    { id: 'lines', title: 'Lines', align: 'end', cell: ({ lines }) => format.whole(lines) },
    { id: 'used', title: 'Used by', align: 'end', cell: ({ used_by: count }) => format.whole(count) },
    { id: 'uses', title: 'Uses', align: 'end', cell: ({ uses }) => format.whole(uses) },
    { id: 'instability', title: 'Instability', align: 'end', cell: ({ instability }) => share(instability) },
    { id: 'cohesion', title: 'Stays inside', align: 'end', cell: ({ cohesion }) => share(cohesion) },
    { id: 'depth', title: 'Depth', align: 'end', cell: ({ depth }) => format.whole(depth) },
    {
      id: 'bus',
      title: 'Bus factor',
      align: 'end',
      cell: ({ name }) => format.whole(known.get(name)?.bus_factor),
    },
  ];
}

const edgeColumns = (repo: string): Column<Edge>[] => [
  { id: 'from', title: 'From', isHead: true, cell: ({ from }) => from },
  { id: 'to', title: 'To', cell: ({ to }) => to },
  {
    id: 'places',
    title: 'Places',
    align: 'end',
    cell: ({ imports, types, calls, inherits }) => format.whole(imports + types + (calls ?? 0) + (inherits ?? 0)),
  },
  {
    id: 'example',
    title: 'The first',
    cell: ({ example: { path, line, to_path: toPath, to_line: toLine } }) => (
      <>
        <Place repo={repo} path={path} line={line} /> → <Place repo={repo} path={toPath} line={toLine} />
      </>
    ),
  },
];

function Oddities({ repo, architecture }: { repo: string; architecture: Architecture }) {
  const { god_components: gods, unstable_interfaces: unstable, own_among_others: own } = architecture;
  return (
    <>
      {gods.items.map(({ name, lines_pct: share, neighbors }) => (
        <p key={name}>
          <strong>{name}</strong> has {format.tenth(share)} % of all lines, and {format.whole(neighbors)} of the other
          components depend on it or are depended on by it.
        </p>
      ))}
      {unstable.total > 0 && (
        <>
          <h3>Unstable interfaces</h3>
          <Listed
            caption="Files that many import, and that these had to be changed with"
            list={unstable}
            columns={[
              { id: 'path', title: 'File', isHead: true, cell: ({ path }) => <Place repo={repo} path={path} /> },
              {
                id: 'dependents',
                title: 'Imported by',
                align: 'end',
                cell: ({ dependents }) => format.whole(dependents),
              },
              { id: 'changes', title: 'Changes', align: 'end', cell: ({ changes_12m: count }) => format.whole(count) },
              {
                id: 'with',
                title: 'Changed with it',
                align: 'end',
                cell: ({ changed_with: count }) => format.whole(count),
              },
            ]}
            keyOf={({ path }) => path}
          />
        </>
      )}
      {own.total > 0 && (
        <p>
          Production although among tests or the code of others, as production imports it and it imports production:{' '}
          {own.items.map((path) => (
            <span key={path}>
              <Place repo={repo} path={path} />{' '}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function Coupling({ repo, coupling }: { repo: string; coupling: Architecture['change_coupling'] }) {
  return (
    <>
      <h3>Changed together</h3>
      {coupling === null ? (
        <p class="quiet">Not known: there is no whole history.</p>
      ) : (
        <>
          <p class="quiet">
            Files of different folders, neither of which depends on the other, by{' '}
            {format.count(coupling.commits, 'commit')} of twelve months; without {format.whole(coupling.left_out.bots)}{' '}
            of bots, {format.count(coupling.left_out.merges, 'merge')} and {format.whole(coupling.left_out.mass)} of
            more than 30 files.
          </p>
          {coupling.pairs.total === 0 ? (
            <p>None.</p>
          ) : (
            <Listed
              caption="Files that are changed together"
              list={coupling.pairs}
              columns={[
                { id: 'a', title: 'File', isHead: true, cell: ({ path }) => <Place repo={repo} path={path} /> },
                { id: 'b', title: 'With', cell: ({ other_path: path }) => <Place repo={repo} path={path} /> },
                { id: 'commits', title: 'Commits', align: 'end', cell: ({ commits }) => format.whole(commits) },
                {
                  id: 'share',
                  title: 'Of its changes',
                  align: 'end',
                  cell: ({ confidence }) => format.share(confidence),
                },
              ]}
              keyOf={({ path, other_path: other }) => `${path} ${other}`}
            />
          )}
        </>
      )}
    </>
  );
}

function DeadCode({ repo, dead }: { repo: string; dead: Architecture['dead_code'] }) {
  if (dead === null) return null;
  return (
    <>
      <h3>Code that nothing seems to use</h3>
      {dead.total === 0 ? (
        <p class="quiet">None was found.</p>
      ) : (
        <Listed
          caption="Functions and classes that nothing seems to use"
          list={dead}
          columns={[
            {
              id: 'place',
              title: 'Place',
              isHead: true,
              cell: ({ path, line }) => <Place repo={repo} path={path} line={line} />,
            },
            { id: 'what', title: 'What', cell: ({ kind, name }) => `${kind} ${name ?? ''}` },
            { id: 'confidence', title: 'Confidence', cell: ({ confidence }) => confidence },
            { id: 'why', title: 'Why', cell: ({ reason }) => reason },
          ]}
          keyOf={({ path, line, name }) => `${path} ${line} ${name}`}
        />
      )}
    </>
  );
}

/** Who knows each component. */
export function RepositoryKnowledge({ people }: { people: People | null }) {
  if (people === null)
    return (
      <p class="quiet">
        Who knows which component is not known: there is no whole history, or it was loaded by an older version.
      </p>
    );
  return (
    <>
      <h3>Who knows which component</h3>
      <Table
        caption="Who knows which component"
        columns={[
          { id: 'component', title: 'Component', isHead: true, cell: ({ component }) => <bdi>{component}</bdi> },
          { id: 'bus', title: 'Bus factor', align: 'end', cell: ({ bus_factor: count }) => format.whole(count) },
          {
            id: 'orphaned',
            title: 'Without an active author',
            align: 'end',
            cell: ({ orphaned, files }) => `${format.whole(orphaned.files)} of ${format.count(files, 'file')}`,
          },
          { id: 'hours', title: 'Hours to read', cell: ({ onboarding_hours: hours }) => rangeWords(hours) },
          {
            id: 'people',
            title: 'Known by',
            cell: ({ people: { total, items } }) => (
              <bdi class="nowrap">
                {items
                  .slice(0, 4)
                  .map(({ name }) => name)
                  .join(', ')}
                {total > 4 && ` and ${format.whole(total - 4)} more`}
              </bdi>
            ),
          },
        ]}
        rows={people.components}
        keyOf={({ component }) => component}
      />
    </>
  );
}

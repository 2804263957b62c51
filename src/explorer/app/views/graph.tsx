import { useEffect, useRef } from 'preact/hooks';
import type { MapAnswer } from '../../../graph/map.ts';
import { hrefOfNode } from '../code/address.ts';
import { Empty } from '../components/empty.tsx';
import { Failure } from '../components/failure.tsx';
import { format } from '../format.ts';
import { Finder } from '../map/finder.tsx';
import { MapTable } from '../map/map-table.tsx';
import { PortfolioMap } from '../map/portfolio-map.tsx';
import { panelHead, PersonPanel, RepositoryPanel } from '../map/repository-panel.tsx';
import type { Graded } from '../map/repository-panel.tsx';
import type { Query } from '../router.ts';
import { languageName } from '../words.ts';
import { useAnswer } from '../use-answer.ts';
import type { ViewProps } from './index.ts';
import './graph.css';

interface Grades {
  repositories: Graded[];
}

const grades = ['A', 'B', 'C', 'D', 'E', 'none'];
const paletteSize = 8;
/** By what repositories lie together. */
const groups = ['language', 'organization', 'community'] as const;

/** All repositories as a map, or as a table; what is looked at is in the address. */
export function GraphView({ api, query, navigate }: ViewProps) {
  const asked = Object.fromEntries(query);
  const { node: selected = null, to = null } = asked;
  const group = groups.find((each) => each === asked['group']) ?? 'language';
  const coloring = asked['color'] === 'language' ? 'language' : 'grade';
  const isTable = asked['as'] === 'table';
  const map = useAnswer<MapAnswer>(api, '/api/graph/map', { group });
  // Without due diligence there is a map all the same.
  const graded = useAnswer<Grades>(api, '/api/dd/executive', { page_size: 1_000 });
  const byName = new Map(graded.answer?.repositories.map((each) => [each.repo, each]));
  const change = (query: Query, replace = false) => navigate({ query: { ...asked, ...query }, replace });
  const isChosen = useRef(false);
  const select = (id: string | null) => {
    isChosen.current = true;
    change({ node: id, to: null });
  };
  useEffect(() => {
    if (isChosen.current) document.getElementById(selected === null ? 'main' : panelHead)?.focus();
  }, [selected]);

  const { answer } = map;
  const repositories = (answer?.repositories ?? []).map((each) => {
    const { grade = null, score = null } = byName.get(each.id) ?? {};
    return { ...each, grade, score };
  });
  const languages = [...Map.groupBy(repositories, ({ language }) => language ?? 'no language')]
    .map(([language, all]) => ({ language, lines: all.reduce((sum, { lines }) => sum + (lines ?? 0), 0) }))
    .sort((a, b) => b.lines - a.lines || (a.language < b.language ? -1 : 1))
    .map(({ language }) => language);
  const colorOf = ({ id, language }: { id: string; language: string | null }) => {
    if (coloring === 'grade') return `--grade-${(byName.get(id)?.grade ?? 'none').toLowerCase()}`;
    const index = languages.indexOf(language ?? 'no language');
    return index < paletteSize ? `--palette-${index}` : '--grade-none';
  };
  const legend =
    coloring === 'grade'
      ? grades.map((value) => [value === 'none' ? 'no grade' : value, `--grade-${value.toLowerCase()}`] as const)
      : [
          ...languages.slice(0, paletteSize).map((value, index) => [value, `--palette-${index}`] as const),
          ...(languages.length > paletteSize ? [['others', '--grade-none'] as const] : []),
        ];

  if (map.error !== null)
    return (
      <>
        <h1 class="unseen">Map of the repositories</h1>
        <Failure error={map.error} again={map.again} />
      </>
    );
  return (
    <div class="wide graph-view">
      <h1 class="unseen">Map of the repositories</h1>
      <div class="tools">
        <Finder
          api={api}
          label="Find anything"
          onFound={(found) => {
            if (found.type === 'Repository' || found.type === 'Contributor') select(found.id);
            else location.hash = hrefOfNode(found);
          }}
        />
        <label>
          Colour by{' '}
          <select value={coloring} onChange={({ currentTarget }) => change({ color: currentTarget.value })}>
            <option value="grade">grade</option>
            <option value="language">language</option>
          </select>
        </label>
        <label>
          Group by{' '}
          <select value={group} onChange={({ currentTarget }) => change({ group: currentTarget.value })}>
            {groups.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={asked['people'] === '1'}
            onChange={({ currentTarget }) => change({ people: currentTarget.checked ? 1 : null })}
          />{' '}
          Shared people
        </label>
        <button type="button" aria-pressed={isTable} onClick={() => change({ as: isTable ? null : 'table' })}>
          Table
        </button>
      </div>
      <div class="caption">
        {!isTable && <Legend coloring={coloring} entries={legend} />}
        <p class="counts quiet" role="status">
          {answer === null
            ? 'Loading the map…'
            : `${format.count(answer.repositories.length, 'repository', 'repositories')}, ${format.count(answer.links.length, 'link')}, ${format.count(answer.total_contributors, 'contributor')}`}
        </p>
      </div>
      <div class="stage">
        {answer !== null && answer.repositories.length === 0 && (
          <Empty title="Nothing is loaded yet">
            <p>
              <code>repo-intel load PATH</code> loads a repository.
            </p>
          </Empty>
        )}
        {answer !== null &&
          (isTable ? (
            <MapTable repositories={repositories} map={answer} />
          ) : (
            <PortfolioMap
              map={answer}
              colorOf={colorOf}
              letterOf={({ id }) => (coloring === 'grade' ? (byName.get(id)?.grade ?? null) : null)}
              saysOf={(repository) => saysOf(repository, byName.get(repository.id))}
              withPeople={asked['people'] === '1'}
              selected={selected}
              onSelect={select}
            />
          ))}
        {selected?.startsWith('contributor:') && (
          <PersonPanel key={selected} api={api} id={selected} onClose={() => select(null)} />
        )}
        {selected !== null && !selected.startsWith('contributor:') && (
          <RepositoryPanel
            key={selected}
            api={api}
            id={selected}
            graded={byName.get(selected) ?? null}
            to={to}
            onPath={(to) => change({ to })}
            onClose={() => select(null)}
          />
        )}
      </div>
    </div>
  );
}

/** `koa: JavaScript, 1,840 lines, grade B, 61.2 of 100`. */
function saysOf({ name, language, lines }: MapAnswer['repositories'][number], graded: Graded | undefined): string {
  const { grade = null, score = null } = graded ?? {};
  const told = [
    languageName(language),
    lines !== null && format.count(lines, 'line'),
    grade !== null && `grade ${grade}`,
    score !== null && `${format.tenth(score)} of 100`,
  ];
  return `${name}: ${told.filter(Boolean).join(', ')}`;
}

/** What size and colour stand for. */
function Legend({
  coloring,
  entries,
}: {
  coloring: 'grade' | 'language';
  entries: readonly (readonly [value: string, color: string])[];
}) {
  return (
    <ul class="legend" aria-label={`Colours by ${coloring}`}>
      <li class="quiet">Area: lines. Colour: {coloring === 'grade' ? 'grade of due diligence' : 'language'}</li>
      {entries.map(([value, color]) => (
        <li key={value}>
          <span class="dot" style={{ background: `var(${color})` }} />
          {coloring === 'language' ? languageName(value) : value}
        </li>
      ))}
    </ul>
  );
}

import type { Architecture } from '../model/architecture.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { PeopleByComponent } from './people-by-component.ts';
import { readingRates } from './people-by-component.ts';
import type { Range } from './range.ts';
import type { RepositoryReport } from './report.ts';
import { table } from './report-table.ts';
import { numberWords } from './report-words.ts';

/** On paper fewer than in `--json`. */
const maxShown = 20;

/** What it is made of, how the parts depend on each other, and who knows them. */
export function architectureSection({ details: { architecture }, people }: RepositoryReport): Html {
  if (!architecture) return html``;
  const { components, cycles, file_cycles: circles, basis } = architecture;
  return html`<section>
    <h2>Architecture</h2>
    <p>
      ${numberWords(components.total)} components, made of ${madeOfWords[architecture.made_of]};
      ${numberWords(architecture.edges.total)} dependencies between them, by
      ${basis.length === 1 ? 'imports' : 'imports, calls and inheritance'}. ${numberWords(cycles.total)} cycles of
      components, ${numberWords(circles.total)} of files. None of this is in the score.
    </p>
    ${componentTable(architecture, people)} ${cycleList(architecture)} ${oddities(architecture)}
    ${couplingTable(architecture)} ${deadCodeTable(architecture)} ${leavingTable(people)}
  </section>`;
}

const madeOfWords = {
  configured: 'what architecture.yml says',
  packages: 'packages',
  folders: 'folders of source',
} as const;

/** Says how many there are where not all are shown. */
const countWords = (shown: number, total: number) =>
  shown < total ? html`<p>The first ${shown} of ${numberWords(total)}.</p>` : '';

const place = (path: string, line: number | null = null) =>
  html`<code><bdi>${path}${line === null ? '' : `:${line}`}</bdi></code>`;

const rangeWords = ({ low, likely, high }: Range) =>
  `${numberWords(likely)} (${numberWords(low)} to ${numberWords(high)})`;

const shareWords = (share: number | null) => (share === null ? '–' : `${numberWords(Math.round(share * 100))} %`);

function componentTable({ components }: Architecture, people: PeopleByComponent | null): Html {
  const known = new Map((people?.components ?? []).map((each) => [each.component, each]));
  const shown = components.items.slice(0, maxShown);
  return html`${countWords(shown.length, components.total)}
  ${table(
    ['Component', 'Lines', 'Used by', 'Uses', 'Instability', 'Stays inside', 'Bus factor', 'Hours to read'],
    shown.map((each) => {
      const { bus_factor: busFactor = null, onboarding_hours: hours } = known.get(each.name) ?? {};
      return [
        html`${place(each.name)}${each.cycle === null ? '' : ` in cycle ${each.cycle}`}`,
        numberWords(each.lines),
        each.used_by,
        each.uses,
        shareWords(each.instability),
        shareWords(each.cohesion),
        busFactor === null ? '–' : busFactor,
        hours === undefined ? '–' : rangeWords(hours),
      ];
    }),
  )}`;
}

function cycleList({ cycles, file_cycles: circles }: Architecture): Html {
  const shown = cycles.items.slice(0, maxShown);
  const files = circles.items.slice(0, maxShown);
  if (shown.length + files.length === 0) return html``;
  return html`<h3>Cycles</h3>
    ${countWords(shown.length, cycles.total)}
    <ol>
      ${shown.map(
        ({ components, edges }) =>
          html`<li>
            ${components.map((name, index) => html`${index === 0 ? '' : ', '}${place(name)}`)}; the weakest:
            ${edges.items
              .slice(0, 3)
              .map(
                ({ example: { path, line, to_path: toPath, to_line: toLine } }, index) =>
                  html`${index === 0 ? '' : ', '}${place(path, line)} → ${place(toPath, toLine)}`,
              )}
          </li>`,
      )}
    </ol>
    ${
      files.length === 0
        ? ''
        : html`<p>Files that import each other in a circle.</p>
            ${countWords(files.length, circles.total)}
            <ol>
              ${files.map(
                ({ files: { total, items } }) =>
                  html`<li>
                    ${numberWords(total)} files:
                    ${items.slice(0, 5).map((path, index) => html`${index === 0 ? '' : ', '}${place(path)}`)}${total > 5 ? ', …' : ''}
                  </li>`,
              )}
            </ol>`
    }`;
}

function oddities({ god_components: gods, unstable_interfaces: unstable, own_among_others: own }: Architecture): Html {
  return html`${gods.items.map(
    ({ name, lines_pct: share, neighbors }) =>
      html`<p>
        ${place(name)} has ${numberWords(share)} % of all lines, and ${neighbors} of the other components depend on it
        or are depended on by it.
      </p>`,
  )}
  ${unstable.items
    .slice(0, maxShown)
    .map(
      ({ path, dependents, changes_12m: changes, changed_with: together }) =>
        html`<p>
          ${place(path)} is imported by ${dependents} files and was changed ${changes} times within twelve months;
          ${together} of them had to be changed with it.
        </p>`,
    )}
  ${
    own.total === 0
      ? ''
      : html`<p>
          Production although it lies among tests or the code of others, as it is imported by production and imports it:
          ${own.items.map((path, index) => html`${index === 0 ? '' : ', '}${place(path)}`)}${own.total > own.items.length ? ` and ${own.total - own.items.length} more` : ''}.
        </p>`
  }`;
}

function couplingTable({ change_coupling: coupling }: Architecture): Html {
  if (coupling === null || coupling.pairs.total === 0) return html``;
  const { commits, left_out: leftOut, pairs } = coupling;
  const shown = pairs.items.slice(0, maxShown);
  return html`<h3>Changed together, though neither depends on the other</h3>
    <p>
      By ${numberWords(commits)} commits of twelve months; without ${leftOut.bots} of bots, ${leftOut.merges} merges and
      ${leftOut.mass} of more than 30 files.
    </p>
    ${countWords(shown.length, pairs.total)}
    ${table(
      ['File', 'With', 'Commits', 'Of the changes of one'],
      shown.map(({ path, other_path: other, commits, confidence }) => [
        place(path),
        place(other),
        commits,
        shareWords(confidence),
      ]),
    )}`;
}

function deadCodeTable({ dead_code: dead }: Architecture): Html {
  if (dead === null || dead.total === 0) return html``;
  const shown = dead.items.slice(0, maxShown);
  return html`<h3>Code that nothing seems to use</h3>
    ${countWords(shown.length, dead.total)}
    ${table(
      ['Place', 'What', 'Confidence', 'Why'],
      shown.map(({ path, line, name, kind, confidence, reason }) => [
        place(path, line),
        `${kind}${name === null ? '' : ` ${name}`}`,
        confidence,
        reason,
      ]),
    )}`;
}

function leavingTable(people: PeopleByComponent | null): Html {
  const left = people?.if_leave;
  if (!left) return html``;
  return html`<h3>Without ${left.people.length === 0 ? 'nobody who is known' : left.people.join(', ')}</h3>
    <p>
      ${numberWords(left.files.total)} files, ${numberWords(left.lines)} lines would have no active author left: about
      ${rangeWords(left.hours)} hours for others to read
      (${readingRates.map(({ id, lines }) => `${id} at ${lines} lines an hour`).join(', ')}).
    </p>
    ${table(
      ['Component', 'Files', 'Lines', ''],
      left.components.map(({ component, files, lines, lost }) => [
        place(component),
        files,
        numberWords(lines),
        lost ? 'most of it' : '',
      ]),
    )}`;
}

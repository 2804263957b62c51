import { z } from 'zod';
import { text } from '../../http/query.ts';
import { unparsedIn } from '../../model/unparsed.ts';
import type { RepositoryInfo } from '../../model/snapshot.ts';
import type { Neighbor } from '../../stores/graph/port.ts';
import type { SearchHit } from '../../stores/search/port.ts';
import { diligenceSections } from '../diligence-sections.ts';
import type { Section } from '../document.ts';
import { byCode, languagesOf, numberOf, share, textOf } from '../portfolio-facts.ts';
import { ReportFailure, reportType } from '../report-type.ts';

/** So many of the most central symbols are shown. */
const SYMBOLS = 25;

/** All that is known of one repository. */
export const repositoryDeepDive = reportType({
  id: 'repository_deep_dive',
  name: 'Repository deep dive',
  summary:
    'One repository: metrics, factors, languages, people, dependencies, neighbors and the symbols that most else leads to.',
  parameters: z.strictObject({
    repo: text(1, 256).meta({ description: 'Name of the repository.', examples: ['payments-api'] }),
  }),
  sources: ['graph', 'search', 'snapshots', 'diligence'],
  async build({ parameters: { repo: asked }, sources: { graph, search, snapshots, diligence }, onProgress }) {
    const { nodes, counts } = await graph.repositoryGraph();
    // It may be asked for by its full name.
    const repo = (await graph.node(asked))?.id;
    const repository = nodes.find(({ id, type }) => type === 'Repository' && id === repo);
    if (!repository || repo === undefined)
      throw new ReportFailure('repository_not_found', `No repository is named ${JSON.stringify(asked)}.`);
    onProgress(0.3);
    const neighbors = (await graph.neighbors(repo)) ?? [];
    onProgress(0.6);
    const { hits } = await search.search({
      text: '',
      types: ['Function', 'Class'],
      repositories: [repo],
      sort: 'composite_score',
      order: 'desc',
      offset: 0,
      limit: SYMBOLS,
    });
    onProgress(0.9);
    const info = (await snapshots.get(repo))?.info ?? null;
    const inside = counts.find(({ repository }) => repository === repo);
    const { doc, properties } = repository;
    const commit = textOf(properties['commit']);
    return {
      title: `Repository deep dive: ${repo}`,
      answers: async () => ({
        get_repository_summary: await diligence.answers.get_repository_summary(repo),
        get_repository_package: await diligence.answers.get_repository_package(repo),
      }),
      sections: {
        repository: {
          title: 'Repository',
          // Where it was read is the operator's business.
          notes: info?.warnings.map((warning) => warning.replaceAll(info.source, repo)) ?? [],
          facts: true,
          columns: {
            name: 'Name',
            description: 'Description',
            commit: 'Commit',
            branch: 'Branch',
            committed_at: 'Committed at',
            files: 'Files',
            lines: 'Lines parsed',
            commits: 'Commits',
            contributors: 'Contributors',
          },
          rows: [
            {
              name: repo,
              description: doc ?? textOf(properties['description']),
              commit,
              branch: textOf(properties['branch']),
              committed_at: textOf(properties['committed_at']),
              files: numberOf(properties['files']),
              lines: numberOf(properties['lines']),
              // Without a history nobody knows.
              commits: commit === null ? null : numberOf(properties['commits']),
              contributors: commit === null ? null : numberOf(properties['contributors']),
            },
          ],
        },
        ...(await diligenceSections(diligence, repo)),
        languages: languages(languagesOf(repository)),
        inside: {
          title: 'Inside',
          notes: ['What the code graph holds of this repository, by type.'],
          columns: { kind: 'What', type: 'Type', count: 'Count' },
          rows: [
            ...Object.entries(inside?.nodes ?? {}).map(([type, count]) => ({ kind: 'node', type, count })),
            ...Object.entries(inside?.edges ?? {}).map(([type, count]) => ({ kind: 'edge', type, count })),
          ].sort((a, b) => byCode(b.kind, a.kind) || byCode(a.type, b.type)),
        },
        contributors: contributors(neighbors),
        neighbors: repositories(neighbors),
        symbols: symbols(hits),
        ...(info === null ? {} : fromManifests(info)),
      },
    };
  },
});

function languages(found: ReturnType<typeof languagesOf>): Section {
  const bytes = found.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    title: 'Languages',
    columns: { language: 'Language', files: 'Files', bytes: 'Bytes', share: 'Share of bytes' },
    rows: found.map((one) => ({ ...one, share: share(one.bytes, bytes) })),
  };
}

const rowsOf = (neighbors: readonly Neighbor[]) =>
  neighbors.flatMap(({ node, edges }) => edges.map((each) => ({ node, ...each })));

function contributors(neighbors: readonly Neighbor[]): Section {
  const people = rowsOf(neighbors)
    .filter(({ edge }) => edge.type === 'CONTRIBUTED_TO')
    .sort((a, b) => b.edge.weight - a.edge.weight || byCode(a.node.id, b.node.id));
  const commits = people.reduce((sum, { edge }) => sum + edge.weight, 0);
  return {
    title: 'Contributors',
    columns: { contributor: 'Contributor', kind: 'Kind', commits: 'Commits', share: 'Share of commits' },
    rows: people.map(({ node: { name, kind }, edge: { weight } }) => ({
      contributor: name,
      kind,
      commits: weight,
      share: share(weight, commits),
    })),
  };
}

function repositories(neighbors: readonly Neighbor[]): Section {
  return {
    title: 'Neighbors',
    notes: ['Other loaded repositories; out: this one depends on them or imports them.'],
    columns: { neighbor: 'Repository', edge: 'Edge', direction: 'Direction', weight: 'Weight', strategy: 'Found by' },
    rows: rowsOf(neighbors)
      .filter(({ node }) => node.type === 'Repository')
      .sort((a, b) => b.edge.weight - a.edge.weight || byCode(a.node.id, b.node.id) || byCode(a.edge.type, b.edge.type))
      .map(({ node, direction, edge: { type, weight, strategy } }) => ({
        neighbor: node.name,
        edge: type,
        direction,
        weight,
        strategy,
      })),
  };
}

function symbols(hits: readonly SearchHit[]): Section {
  return {
    title: 'Most central symbols',
    notes: [`The ${SYMBOLS} functions and classes that most else in the repository leads to; tests rank lower.`],
    columns: { symbol: 'Symbol', type: 'Type', path: 'Path', line: 'Line', centrality: 'Centrality' },
    rows: hits.map(({ document: { name, qualified_name, type, path, line, centrality } }) => ({
      symbol: qualified_name ?? name,
      type,
      path,
      line,
      centrality,
    })),
  };
}

/** What only the snapshot tells. */
function fromManifests(info: RepositoryInfo): Record<string, Section> {
  const { requires, completeness, skipped } = info;
  const reasons = Map.groupBy(skipped, ({ reason }) => reason);
  return {
    dependencies: {
      title: 'Dependencies',
      notes: ['Packages that the manifests ask for, and how many source files import them.'],
      columns: {
        ecosystem: 'Ecosystem',
        package: 'Package',
        range: 'Version',
        scope: 'Scope',
        imports: 'Importing files',
        path: 'Manifest',
      },
      rows: requires
        .map(({ ecosystem, name, range, scope, imports, path }) => ({
          ecosystem,
          package: name,
          range,
          scope,
          imports,
          path,
        }))
        .sort((a, b) => byCode(a.ecosystem, b.ecosystem) || byCode(a.package, b.package) || byCode(a.path, b.path)),
    },
    completeness: {
      title: 'Completeness of the analysis',
      facts: true,
      columns: {
        files: 'Files',
        files_parsed: 'Parsed',
        files_skipped: 'Skipped',
        files_with_syntax_errors: 'With syntax errors',
        lines: 'Lines parsed',
        lines_unparsed: 'Of them unreadable',
        calls: 'Calls',
        calls_resolved: 'Calls resolved',
        calls_external: 'Calls out of the repository',
        calls_unresolved: 'Calls unresolved',
      },
      rows: [
        { ...completeness, lines: completeness.lines ?? null, lines_unparsed: completeness.lines_unparsed ?? null },
      ],
    },
    skipped: {
      title: 'Files left out',
      columns: { reason: 'Reason', files: 'Files' },
      rows: [...reasons]
        .map(([reason, files]) => ({ reason, files: files.length }))
        .sort((a, b) => b.files - a.files || byCode(a.reason, b.reason)),
    },
    unparsed: {
      title: 'Source without symbols',
      notes: [
        'Files that could not be read, and lines that the parser could not: what stands there is in no graph and no search.',
      ],
      columns: { path: 'Path', line: 'From line', end_line: 'To line', reason: 'Reason' },
      rows: unparsedIn(info).map(({ path, line, end_line, reason }) => ({ path, line, end_line, reason })),
    },
  };
}

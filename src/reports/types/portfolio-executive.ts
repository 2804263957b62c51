import { z } from 'zod';
import type { GraphNode } from '../../model/graph.ts';
import type { RepositoryInfo } from '../../model/snapshot.ts';
import type { RepositoryGraph } from '../../stores/graph/port.ts';
import { diligenceSections, scoresSection } from '../diligence-sections.ts';
import type { Section } from '../document.ts';
import { byCode, languagesOf, numberOf, share, textOf } from '../portfolio-facts.ts';
import { reportType } from '../report-type.ts';

/** So many people and packages are shown. */
const TOP = 25;

/** All repositories on a few pages. */
export const portfolioExecutive = reportType({
  id: 'portfolio_executive',
  name: 'Portfolio, for executives',
  summary: 'All repositories: health, size, activity, languages, the people that they depend on, and what they share.',
  parameters: z.strictObject({}),
  sources: ['graph', 'snapshots', 'diligence'],
  async build({ sources: { graph, snapshots, diligence }, onProgress }) {
    const whole = await graph.repositoryGraph();
    onProgress(0.5);
    const infos = new Map((await snapshots.list()).map(({ repository, info }) => [repository, info]));
    const repositories = whole.nodes.filter(({ type }) => type === 'Repository').sort((a, b) => byCode(a.id, b.id));
    return {
      title: 'Portfolio',
      answers: async () => ({ get_portfolio_summary: await diligence.answers.get_portfolio_summary() }),
      sections: {
        portfolio: totals(repositories, whole),
        health: await scoresSection(diligence),
        ...(await diligenceSections(diligence, null)),
        repositories: perRepository(repositories, whole),
        languages: languages(repositories),
        contributors: contributors(whole),
        packages: packages(infos),
      },
    };
  },
});

const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);

function totals(repositories: readonly GraphNode[], { nodes, counts }: RepositoryGraph): Section {
  return {
    title: 'Portfolio',
    facts: true,
    columns: {
      repositories: 'Repositories',
      contributors: 'Contributors',
      functions: 'Functions',
      classes: 'Classes',
      files: 'Files',
      lines: 'Lines parsed',
      commits: 'Commits',
    },
    rows: [
      {
        repositories: repositories.length,
        contributors: nodes.filter(({ type, kind }) => type === 'Contributor' && kind !== 'bot').length,
        functions: sum(counts.map(({ nodes }) => nodes.Function ?? 0)),
        classes: sum(counts.map(({ nodes }) => nodes.Class ?? 0)),
        files: sum(repositories.map(({ properties }) => numberOf(properties['files']))),
        lines: sum(repositories.map(({ properties }) => numberOf(properties['lines']))),
        commits: sum(repositories.map(({ properties }) => numberOf(properties['commits']))),
      },
    ],
  };
}

function perRepository(repositories: readonly GraphNode[], { edges, counts }: RepositoryGraph): Section {
  const inside = new Map(counts.map(({ repository, nodes }) => [repository, nodes]));
  return {
    title: 'Repositories',
    notes: ['Dependents are other repositories of the portfolio; the top share is that of the busiest contributor.'],
    columns: {
      repository: 'Repository',
      language: 'Language',
      committed_at: 'Last commit',
      files: 'Files',
      functions: 'Functions',
      classes: 'Classes',
      contributors: 'Contributors',
      commits: 'Commits',
      top_share: 'Top share of commits',
      depends_on: 'Depends on',
      dependents: 'Dependents',
    },
    rows: repositories.map(({ id, name, language, properties }) => {
      const links = edges.filter(({ type }) => type === 'DEPENDS_ON');
      const commits = edges
        .filter(({ type, to }) => type === 'CONTRIBUTED_TO' && to === id)
        .map(({ weight }) => weight);
      return {
        repository: name,
        language,
        committed_at: textOf(properties['committed_at']),
        files: numberOf(properties['files']),
        functions: inside.get(id)?.Function ?? 0,
        classes: inside.get(id)?.Class ?? 0,
        contributors: commits.length,
        commits: sum(commits),
        top_share: share(Math.max(0, ...commits), sum(commits)),
        depends_on: links.filter(({ from }) => from === id).length,
        dependents: links.filter(({ to }) => to === id).length,
      };
    }),
  };
}

function languages(repositories: readonly GraphNode[]): Section {
  const all = repositories.flatMap((repository) => languagesOf(repository));
  const bytes = sum(all.map(({ bytes }) => bytes));
  return {
    title: 'Languages',
    columns: {
      language: 'Language',
      repositories: 'Repositories',
      files: 'Files',
      bytes: 'Bytes',
      share: 'Share of bytes',
    },
    rows: [...Map.groupBy(all, ({ language }) => language)]
      .map(([language, uses]) => {
        const own = sum(uses.map(({ bytes }) => bytes));
        const files = sum(uses.map(({ files }) => files));
        return { language, repositories: uses.length, files, bytes: own, share: share(own, bytes) };
      })
      .sort((a, b) => b.bytes - a.bytes || byCode(a.language, b.language)),
  };
}

function contributors({ nodes, edges }: RepositoryGraph): Section {
  const names = new Map(nodes.map(({ id, name, kind }) => [id, { name, kind }]));
  const contributed = edges.filter(({ type }) => type === 'CONTRIBUTED_TO');
  const commits = sum(contributed.map(({ weight }) => weight));
  return {
    title: 'People with the most commits',
    columns: {
      contributor: 'Contributor',
      kind: 'Kind',
      repositories: 'Repositories',
      commits: 'Commits',
      share: 'Share of commits',
    },
    rows: [...Map.groupBy(contributed, ({ from }) => from)]
      .map(([id, edges]) => ({ id, repositories: edges.length, commits: sum(edges.map(({ weight }) => weight)) }))
      .sort((a, b) => b.commits - a.commits || byCode(a.id, b.id))
      .slice(0, TOP)
      .map(({ id, repositories, commits: own }) => ({
        contributor: names.get(id)?.name ?? null,
        kind: names.get(id)?.kind ?? null,
        repositories,
        commits: own,
        share: share(own, commits),
      })),
  };
}

function packages(infos: ReadonlyMap<string, RepositoryInfo>): Section {
  const uses = [...infos].flatMap(([repository, { requires }]) =>
    requires.map(({ ecosystem, name, imports }) => ({ repository, key: `${ecosystem} ${name}`, imports })),
  );
  return {
    title: 'Packages that the most repositories need',
    columns: { ecosystem: 'Ecosystem', package: 'Package', repositories: 'Repositories', imports: 'Importing files' },
    rows: [...Map.groupBy(uses, ({ key }) => key)]
      .map(([key, uses]) => ({
        key,
        repositories: new Set(uses.map(({ repository }) => repository)).size,
        imports: sum(uses.map(({ imports }) => imports)),
      }))
      .sort((a, b) => b.repositories - a.repositories || b.imports - a.imports || byCode(a.key, b.key))
      .slice(0, TOP)
      .map(({ key, repositories, imports }) => {
        const [ecosystem = '', ...name] = key.split(' ');
        return { ecosystem, package: name.join(' '), repositories, imports };
      }),
  };
}

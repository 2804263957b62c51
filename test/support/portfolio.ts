import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import type { SearchDocument } from '../../src/model/search-document.ts';
import type { Stores } from '../../src/stores/open.ts';
import { putLinks } from './put-links.ts';
import { shareWithAll } from './share-with-all.ts';

const node = (id: string, type: GraphNode['type'], name: string, more: Partial<GraphNode> = {}): GraphNode => ({
  id,
  type,
  name,
  repository: id.split('/')[0] ?? null,
  kind: null,
  qualified_name: null,
  language: null,
  path: null,
  line: null,
  end_line: null,
  signature: null,
  doc: null,
  exported: true,
  properties: {},
  ...more,
});

const edge = (type: GraphEdge['type'], from: string, to: string, more: Partial<GraphEdge> = {}): GraphEdge => ({
  type,
  from,
  to,
  weight: 1,
  confidence: 1,
  strategy: 'structure',
  path: null,
  line: null,
  ...more,
});

const symbol = (repository: string, name: string, type: 'Function' | 'Class', doc: string | null = null) =>
  node(`${repository}/src/${name}.ts#${name}`, type, name, {
    kind: type.toLowerCase(),
    qualified_name: name,
    language: 'TypeScript',
    path: `src/${name}.ts`,
    line: 3,
    end_line: 9,
    signature: type === 'Function' ? `${name}(): void` : null,
    doc,
  });

const anna = node('contributor:a1', 'Contributor', 'Anna Berg', { repository: null, properties: { commits: 12 } });
const bo = node('contributor:b2', 'Contributor', 'Bo Dahl', { repository: null, properties: { commits: 3 } });

const repositories: Record<string, { nodes: GraphNode[]; edges: GraphEdge[] }> = {
  'payments-api': {
    nodes: [
      node('payments-api', 'Repository', 'payments-api', { language: 'TypeScript', doc: 'Takes payments.' }),
      symbol('payments-api', 'parsePaymentRequest', 'Function', 'Reads a request.'),
      symbol('payments-api', 'chargeCard', 'Function'),
      symbol('payments-api', 'PaymentGateway', 'Class'),
      anna,
      bo,
    ],
    edges: [
      ...['parsePaymentRequest', 'chargeCard', 'PaymentGateway'].map((name) =>
        edge('CONTAINS', 'payments-api', `payments-api/src/${name}.ts#${name}`),
      ),
      edge(
        'CALLS',
        'payments-api/src/parsePaymentRequest.ts#parsePaymentRequest',
        'payments-api/src/chargeCard.ts#chargeCard',
        {
          weight: 2,
          confidence: 0.9,
          strategy: 'import',
        },
      ),
      edge('CONTRIBUTED_TO', 'contributor:a1', 'payments-api', { weight: 12, strategy: 'history' }),
      edge('CONTRIBUTED_TO', 'contributor:b2', 'payments-api', { weight: 3, strategy: 'history' }),
    ],
  },
  ledger: {
    nodes: [node('ledger', 'Repository', 'ledger', { language: 'Go' }), symbol('ledger', 'PaymentBook', 'Class'), anna],
    edges: [edge('CONTRIBUTED_TO', 'contributor:a1', 'ledger', { weight: 5, strategy: 'history' })],
  },
  'odd name+ü': { nodes: [node('odd name+ü', 'Repository', 'odd name+ü')], edges: [] },
};

/** The names of its repositories. */
export const portfolio: readonly string[] = Object.keys(repositories);

const links = [edge('DEPENDS_ON', 'payments-api', 'ledger', { weight: 4, strategy: 'manifest' })];

const documentOf = (item: GraphNode): SearchDocument => {
  const { id, type, name, qualified_name, repository, path, line, language, kind, signature, doc } = item;
  const more = { details: null, frameworks: [], exported: true, centrality: 0.5, usage: 0, health: null };
  return {
    id,
    type,
    name,
    qualified_name,
    repository,
    path,
    line,
    language,
    kind,
    signature,
    doc,
    ...more,
    updated_at: null,
    test: false,
  };
};

/** A name that is declared in three places, as search has it. */
const declared: SearchDocument = {
  ...documentOf(symbol('payments-api', 'RETRY_LIMIT', 'Class')),
  id: 'payments-api/src/settings.ts#constant:RETRY_LIMIT',
  type: 'Declaration',
  kind: 'constant',
  qualified_name: null,
  path: 'src/settings.ts',
  line: 4,
  signature: null,
  doc: null,
  declared: {
    count: 3,
    places: [
      { path: 'src/settings.ts', line: 4 },
      { path: 'src/worker.ts', line: 9, in: 'Worker' },
      { path: 'src/worker.ts', line: 30, in: 'Loop' },
    ],
  },
};

/** Puts a small known portfolio into the stores: three repositories, two people, four symbols, one declared name, one dependency. */
export async function fillStores(stores: Pick<Stores, 'graph' | 'search' | 'relational'>): Promise<void> {
  const { graph, search } = stores;
  await shareWithAll(stores, portfolio);
  for (const [repository, { nodes, edges }] of Object.entries(repositories)) {
    await graph.replaceRepository({ repository, generation: '1', nodes, edges });
    const documents = nodes.filter(({ type }) => type !== 'Contributor').map(documentOf);
    if (repository === 'payments-api') documents.push(declared);
    await search.replaceRepository({ repository, generation: '1', documents });
  }
  await putLinks(graph, links);
}

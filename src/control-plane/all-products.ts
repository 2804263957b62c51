import { z } from 'zod';

export const categorySchema = z
  .enum(['due-diligence', 'graph-and-search', 'benchmark', 'security', 'people', 'platform'])
  .meta({ id: 'ProductCategory' });

/** What the service sells, or will. */
export interface Product {
  slug: string;
  name: string;
  category: z.infer<typeof categorySchema>;
  /** One sentence. */
  summary: string;
  description: string;
  /** RFC 3339, UTC; null while it is still to come. */
  released_at: string | null;
}

const beta = '2026-11-21T00:00:00.000Z';

/** When this list last changed. */
export const catalogUpdatedAt = beta;

/** Every product: the live ones, whose routes name them by their slug, and those to come. */
export const allProducts: readonly Product[] = [
  {
    slug: 'dd-executive',
    name: 'Executive due diligence',
    category: 'due-diligence',
    summary: 'Portfolio and per-repository engineering-health summary.',
    description:
      'One page for whoever decides: scores, risks and what to do first, for all repositories together and for each.',
    released_at: beta,
  },
  {
    slug: 'dd-deep',
    name: 'Deep due diligence',
    category: 'due-diligence',
    summary: 'Every finding and metric of a portfolio or a repository, with its evidence.',
    description: 'What the executive summary rests on: all metrics with the files, commits and people behind them.',
    released_at: beta,
  },
  {
    slug: 'dd-factors',
    name: 'Due diligence factors',
    category: 'due-diligence',
    summary: 'The factors that scores are made of, and how each repository does on them.',
    description: 'Each factor with its definition, its weight, and its value in every repository.',
    released_at: beta,
  },
  {
    slug: 'code-graph',
    name: 'Code graph',
    category: 'graph-and-search',
    summary: 'Repositories, contributors, code, endpoints and data models, and the typed edges between them.',
    description:
      'The graph of all repositories as a whole or of one from the inside, what is next to any one of them, who is affected by a change, and how one thing leads to another.',
    released_at: beta,
  },
  {
    slug: 'code-search',
    name: 'Code search',
    category: 'graph-and-search',
    summary: 'Full-text search over repositories, functions, classes and people.',
    description: 'Ranked by composite score; finds parts of a name, other spellings and typing mistakes; paginated.',
    released_at: beta,
  },
  {
    slug: 'benchmark',
    name: 'Benchmark',
    category: 'benchmark',
    summary: 'Task instances for coding models, made from your own history, and how models did on them.',
    description: 'Lists and gives out verified task instances by difficulty, and the results of evaluations.',
    released_at: beta,
  },
  {
    slug: 'security-findings',
    name: 'Security findings',
    category: 'security',
    summary: 'Secrets and findings of static analysis as one feed.',
    description: 'What scanners find in each repository, without doubles, with where and since when.',
    released_at: null,
  },
  {
    slug: 'dependency-risk',
    name: 'Dependency risk',
    category: 'security',
    summary: 'Known vulnerabilities, abandoned packages and pinning gaps per repository.',
    description: 'The dependencies of each repository against what is known of their vulnerabilities and upkeep.',
    released_at: null,
  },
  {
    slug: 'sbom-export',
    name: 'SBOM export',
    category: 'security',
    summary: 'Bills of materials in SPDX and CycloneDX, with licences.',
    description: 'What each repository is made of, in the formats that buyers and auditors ask for.',
    released_at: null,
  },
  {
    slug: 'contributor-insights',
    name: 'Contributor insights',
    category: 'people',
    summary: 'Bus factor, map of knowledge and on-boarding risk.',
    description: 'Who knows what, what only one person knows, and what is lost when somebody leaves.',
    released_at: null,
  },
  {
    slug: 'delivery-metrics',
    name: 'Delivery metrics',
    category: 'people',
    summary: 'The four DORA keys and the latency of reviews.',
    description: 'How often, how fast and how safely each team delivers.',
    released_at: null,
  },
  {
    slug: 'remediation-planner',
    name: 'Remediation planner',
    category: 'due-diligence',
    summary: 'An ordered plan of what to mend, from the cost of mending it.',
    description: 'Findings turned into work packages, ordered by what they save and what they cost.',
    released_at: null,
  },
  {
    slug: 'semantic-search',
    name: 'Semantic search',
    category: 'graph-and-search',
    summary: 'Code found by a question in plain language.',
    description: 'Search by meaning, beside the search by words.',
    released_at: null,
  },
  {
    slug: 'change-alerts',
    name: 'Change alerts',
    category: 'platform',
    summary: 'Signed webhooks when a score or an edge of the graph changes.',
    description: 'Tells your systems what changed, signed as Standard Webhooks asks.',
    released_at: null,
  },
  {
    slug: 'task-generator',
    name: 'Task generator',
    category: 'benchmark',
    summary: 'Task instances minted on demand.',
    description: 'New task instances from the repositories and commits that you name.',
    released_at: null,
  },
  {
    slug: 'eval-runner',
    name: 'Evaluation runner',
    category: 'benchmark',
    summary: 'Hosted runs of models on private tasks.',
    description: 'Runs models on your task instances and keeps the results.',
    released_at: null,
  },
];

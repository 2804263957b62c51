import { z } from 'zod';
import { architectureSchema, knowledgeSchema } from './architecture.ts';
import { ecosystems, type OsvEcosystem } from './ecosystems/index.ts';

/** Why there is no value; a closed list, so that gaps can be counted. */
export const metricReasonSchema = z
  .enum([
    'no_source_code',
    'code_elsewhere',
    'no_report_found',
    'report_stale',
    'report_incomplete',
    'unsupported_language',
    'not_a_git_repository',
    'history_too_short',
    'shallow_clone',
    'squash_history',
    'no_manifest',
    'library_repo',
    'no_ci_config',
    'no_container_or_workflow',
    'vulnerability_db_absent',
    'nothing_to_measure',
    'timeout',
    'parse_error',
  ])
  .meta({ id: 'MetricReason' });
export type MetricReason = z.infer<typeof metricReasonSchema>;

/** Where a value comes from: a place in the tree, a commit, or a word on it. */
export const evidenceSchema = z
  .object({
    path: z.string().nullable(),
    line: z.int().nullable(),
    commit: z.string().nullable(),
    note: z.string().nullable(),
    steps: z
      .array(z.int())
      .optional()
      .meta({ description: 'The lines over which data comes there, from where a request fills it.' }),
    way: z
      .array(z.object({ path: z.string(), line: z.int() }))
      .optional()
      .meta({ description: 'Likewise where it comes over several files.' }),
  })
  .meta({ id: 'Evidence' });
export type Evidence = z.infer<typeof evidenceSchema>;

/** Of the metrics' catalogue: what never changes from one repository to another. */
interface MetricDefinition {
  id: string;
  name: string;
  group: string;
  unit: string;
  direction: 'higher_better' | 'lower_better' | 'informational';
}

const higher = 'higher_better';
const lower = 'lower_better';
const informational = 'informational';

/** The metrics, in the order of every matrix. */
export const metricCatalog = [
  { id: 'loc_code', name: 'Lines of code', group: 'code_size', unit: 'lines', direction: informational },
  { id: 'source_file_count', name: 'Source files', group: 'code_size', unit: 'files', direction: informational },
  { id: 'language_count', name: 'Languages in use', group: 'code_size', unit: 'languages', direction: informational },
  { id: 'duplicated_lines_pct', name: 'Duplicated lines', group: 'code_size', unit: '%', direction: lower },
  { id: 'long_function_loc_pct', name: 'Code in long functions', group: 'code_size', unit: '%', direction: lower },
  {
    id: 'complex_function_loc_pct',
    name: 'Code in complex functions',
    group: 'code_size',
    unit: '%',
    direction: lower,
  },
  {
    id: 'hotspot_change_share_pct',
    name: 'Change concentrated in complex files',
    group: 'code_size',
    unit: '%',
    direction: lower,
  },
  { id: 'test_code_ratio_pct', name: 'Test code ratio', group: 'test_coverage', unit: '%', direction: higher },
  { id: 'line_coverage_pct', name: 'Line coverage', group: 'test_coverage', unit: '%', direction: higher },
  { id: 'skipped_test_count', name: 'Skipped tests', group: 'test_coverage', unit: 'tests', direction: lower },
  {
    id: 'test_cochange_pct',
    name: 'Changes that also touch tests',
    group: 'test_coverage',
    unit: '%',
    direction: higher,
  },
  { id: 'ci_workflow_count', name: 'CI workflows', group: 'ci', unit: 'files', direction: informational },
  { id: 'ci_gate_score_pct', name: 'Quality gates in CI', group: 'ci', unit: '%', direction: higher },
  { id: 'ci_token_least_privilege_pct', name: 'Least-privilege workflows', group: 'ci', unit: '%', direction: higher },
  { id: 'release_interval_median_days', name: 'Release interval', group: 'ci', unit: 'days', direction: lower },
  {
    id: 'change_lead_time_median_hours',
    name: 'Change lead time (proxy)',
    group: 'ci',
    unit: 'hours',
    direction: lower,
  },
  { id: 'build_system_count', name: 'Build systems', group: 'build', unit: 'count', direction: informational },
  { id: 'toolchain_pinned_pct', name: 'Toolchain pinned', group: 'build', unit: '%', direction: higher },
  { id: 'build_doc_completeness_pct', name: 'Build documentation', group: 'build', unit: '%', direction: higher },
  {
    id: 'direct_dependency_count',
    name: 'Direct dependencies',
    group: 'dependency_pinning',
    unit: 'packages',
    direction: informational,
  },
  { id: 'lockfile_coverage_pct', name: 'Lockfile coverage', group: 'dependency_pinning', unit: '%', direction: higher },
  {
    id: 'build_ref_hash_pinned_pct',
    name: 'Build references pinned by hash',
    group: 'dependency_pinning',
    unit: '%',
    direction: higher,
  },
  {
    id: 'dependency_update_automation',
    name: 'Update automation',
    group: 'dependency_pinning',
    unit: '0/1',
    direction: higher,
  },
  {
    id: 'dependency_staleness_days',
    name: 'Dependency staleness',
    group: 'dependency_pinning',
    unit: 'days',
    direction: lower,
  },
  {
    id: 'external_service_count',
    name: 'External services',
    group: 'external_service_coupling',
    unit: 'services',
    direction: lower,
  },
  {
    id: 'external_service_spread_pct',
    name: 'Spread of direct service use',
    group: 'external_service_coupling',
    unit: '%',
    direction: lower,
  },
  {
    id: 'hardcoded_endpoint_count',
    name: 'Hard-coded endpoints',
    group: 'external_service_coupling',
    unit: 'findings',
    direction: lower,
  },
  {
    id: 'active_contributors_12m',
    name: 'Active contributors',
    group: 'contributors',
    unit: 'people',
    direction: informational,
  },
  {
    id: 'contributor_absence_factor_12m',
    name: 'Contributor absence factor',
    group: 'contributors',
    unit: 'people',
    direction: higher,
  },
  { id: 'truck_factor', name: 'Truck factor', group: 'contributors', unit: 'people', direction: higher },
  {
    id: 'orphaned_code_pct',
    name: 'Code without an active author',
    group: 'contributors',
    unit: '%',
    direction: lower,
  },
  { id: 'active_week_pct_12m', name: 'Weeks with human activity', group: 'contributors', unit: '%', direction: higher },
  { id: 'secret_finding_count', name: 'Secrets', group: 'security', unit: 'findings', direction: lower },
  {
    id: 'security_pattern_finding_count',
    name: 'Insecure patterns',
    group: 'security',
    unit: 'findings',
    direction: lower,
  },
  {
    id: 'known_vulnerable_dependency_count',
    name: 'Known vulnerable dependencies',
    group: 'security',
    unit: 'packages',
    direction: lower,
  },
  {
    id: 'remediation_hours_likely',
    name: 'Remediation effort',
    group: 'remediation_cost',
    unit: 'engineer-hours',
    direction: lower,
  },
  {
    id: 'technical_debt_ratio_pct',
    name: 'Technical debt ratio',
    group: 'remediation_cost',
    unit: '%',
    direction: lower,
  },
] as const satisfies readonly MetricDefinition[];

export type MetricId = (typeof metricCatalog)[number]['id'];
export const metricIdSchema = z
  .enum(metricCatalog.map(({ id }) => id) as [MetricId, ...MetricId[]])
  .meta({ id: 'MetricId' });

/** One metric of one repository. What could not be measured is null with a reason, never 0. */
export const metricSchema = z
  .object({
    id: metricIdSchema,
    value: z.number().nullable(),
    unit: z.string(),
    direction: z.enum([higher, lower, informational]).meta({ id: 'Direction' }),
    status: z.enum(['measured', 'not_applicable', 'not_measured']).meta({ id: 'Outcome' }),
    reason: metricReasonSchema.nullable(),
    numerator: z.number().nullable(),
    denominator: z.number().nullable(),
    /** The first of them; `evidence_count` says how many there are. */
    evidence: z.array(evidenceSchema),
    evidence_count: z.int(),
    /** What the cost model multiplies: `functions`, `points_over`, `blocks` … */
    quantities: z.record(z.string(), z.number()),
    /** Changes when the same repository would be measured differently. */
    method_version: z.string(),
  })
  .meta({ id: 'Metric' });
export type Metric = z.infer<typeof metricSchema>;

/** A person's share in a repository, by which people are counted over several repositories. */
export const personShareSchema = z.object({
  /** As of the contributor's node. */
  id: z.string(),
  /** Ids that the same person's other addresses have in other repositories. */
  also: z.array(z.string()).optional(),
  name: z.string(),
  bot: z.boolean(),
  commits: z.int(),
  commits_12m: z.int(),
  /** Of these, those that change what code says, rather than comments, white space or other files; older runs don't say. */
  code_commits_12m: z.int().optional(),
  /** Weeks with a commit of more than comments and white space within twelve months before the commit that was measured: 0 is the last. */
  weeks_12m: z.array(z.int()),
});

/** A source file by what is known to go wrong where it is high: how complex it is, and how often it is changed. */
export const hotspotSchema = z
  .object({
    path: z.string(),
    /** Code lines. */
    code: z.int(),
    /** Of its functions together. */
    complexity: z.int(),
    /** Commits of people within twelve months before the commit that was measured, and how many people they are of. */
    changes_12m: z.int(),
    people_12m: z.int(),
    test: z
      .literal(true)
      .optional()
      .meta({ description: 'Part of tests, which come after all production; else absent.' }),
    coverage: z
      .object({ lines: z.int(), covered: z.int().meta({ description: 'Lines of these that a test ran.' }) })
      .optional()
      .meta({
        description:
          'Lines that tests can cover and those that they do; absent where no report of a test run knows the file.',
      }),
  })
  .meta({ id: 'Hotspot' });
export type Hotspot = z.infer<typeof hotspotSchema>;

/** So many places are kept of a repository, those with the most commits first. */
export const maxOwnedPlaces = 10_000;

/** Of source files, and of folders (with `/` at the end; the root is empty) with all in them, who made the most commits to their code. */
export const ownershipSchema = z.array(
  z.object({
    path: z.string(),
    /** Id of the person. */
    author: z.string(),
    /** Theirs, to all files of it, and those of everybody. */
    commits: z.int(),
    all: z.int(),
    /** How many people ever changed its code. */
    people: z.int(),
  }),
);
export type Ownership = z.infer<typeof ownershipSchema>;

/** The work of people by the month, merges and bots apart. */
export const activitySchema = z
  .object({
    /** The last sixty up to the commit that was measured, in order and without gaps; fewer where the history is shorter. */
    months: z.array(z.object({ month: z.string().regex(/^\d{4}-\d\d$/), commits: z.int(), people: z.int() })),
    /** Those with the most commits in these months: twenty at most. Their commits, month by month. */
    people: z.array(z.object({ id: z.string(), name: z.string(), commits: z.array(z.int()) })),
  })
  .meta({ id: 'Activity' });
export type Activity = z.infer<typeof activitySchema>;

/** What tells whether anybody still looks after the repository. Times are ISO 8601; how old they are depends on the day one asks. */
export const livenessSchema = z.object({
  /** Committer's time of the newest commit that is no bot's; null without a history. */
  last_human_commit_at: z.string().nullable(),
  /** Of the newest tag that names a version. */
  last_release_at: z.string().nullable(),
  /** Where it says of itself that it is deprecated, archived or no longer maintained. */
  notices: z.array(evidenceSchema),
});
export type Liveness = z.infer<typeof livenessSchema>;

/** Source that no figure about code counts, by the rule that left it out. Secrets and insecure code are looked for in it all the same. */
export const leftOutSchema = z
  .object({
    rule: z.enum([
      'vendored',
      'generated',
      'minified',
      'too_large',
      'binary',
      'not_utf8',
      'parse_error',
      'timeout',
      'unreadable',
      'documentation',
      'submodule',
      'package',
    ]),
    /** What says so: a package manager's means that a lockfile names the package. */
    by: z.enum(['gitattributes', 'path', 'content', 'package_manager', 'git', 'manifest']),
    /** Each submodule is one, and each package that comes from no registry. */
    files: z.int(),
    /** Code lines; of a file that could not be read, one for each 40 bytes. Null of submodules and packages: of what is in them nothing is known. */
    lines: z.int().nullable(),
    /** The five largest files. */
    largest: z.array(z.string()),
  })
  .meta({ id: 'LeftOut' });
export type LeftOut = z.infer<typeof leftOutSchema>;

/** A package in the version that a lockfile, a bill of materials or a manifest settled on; ecosystems as OSV calls them. */
export const suppliedPackageSchema = z.object({
  ecosystem: z.enum(ecosystems.map(({ osv }) => osv) as [OsvEcosystem, ...OsvEcosystem[]]),
  name: z.string(),
  version: z.string(),
  /** Which file says so. */
  path: z.string(),
  /** As the lockfile writes it; absent where it does not. */
  license: z.string().exactOptional(),
  /** The shortest way to it, `NAME VERSION` each, from a package that a manifest asks for to itself; absent where no lockfile tells. */
  via: z.array(z.string()).readonly().exactOptional(),
  /** Something asks for it, in the end, that a manifest asks for to run, rather than to develop; absent where nobody can tell. */
  shipped: z.boolean().exactOptional(),
});
export type SuppliedPackage = z.infer<typeof suppliedPackageSchema>;

/** What a repository is made of that others made. */
export const supplySchema = z.object({
  /** Its own, as its manifest writes it. */
  license: z.string().nullable(),
  packages: z.array(suppliedPackageSchema).readonly(),
});
export type Supply = z.infer<typeof supplySchema>;

/** What evidence two commits differ by: in one metric, what came and what went, a few of each. */
export const moveSchema = z.object({
  metric: z.string(),
  came: z.array(evidenceSchema.pick({ path: true, note: true })),
  went: z.array(evidenceSchema.pick({ path: true, note: true })),
});
export type Move = z.infer<typeof moveSchema>;

/** A repository as it was at an earlier commit. */
export const pastMeasurementSchema = z.object({
  commit: z.string(),
  committed_at: z.string(),
  /** The UTC day to which its ages are counted: that of the commit. */
  day: z.string(),
  /** Without evidence. */
  metrics: z.array(metricSchema),
  liveness: livenessSchema.optional(),
  /** Against the point before. */
  moves: z.array(moveSchema),
});
export type PastMeasurement = z.infer<typeof pastMeasurementSchema>;

/** How many points of a history are measured at most. */
export const maxTrendPoints = 24;

/** Of evidence, what stays the same when a function has a line more. */
export const roughly = ({ path, note }: Pick<Evidence, 'path' | 'note'>): string =>
  `${path}\n${(note ?? '').replaceAll(/\d+/g, '#')}`;

/** What was measured of one repository at one commit; the same commit gives the same. */
export const measurementsSchema = z.object({
  /** All but the two that are made from the factors. */
  metrics: z.array(metricSchema),
  people: z.array(personShareSchema),
  /** Source files by the people who know them (degree of authorship): how many files each set of people has. */
  authorship: z.array(z.object({ authors: z.array(z.string()), files: z.int() })),
  /** Production, those with the most changes times complexity first, then tests likewise: 200 at most. Absent from what an older version measured, as the next is. */
  hotspots: z.array(hotspotSchema).optional(),
  /** Null without a history. */
  activity: activitySchema.nullable().optional(),
  /** Absent from what an older version measured, as the next is. */
  liveness: livenessSchema.optional(),
  /** The most lines first. */
  left_out: z.array(leftOutSchema).optional(),
  /** Absent from what an older version measured. */
  supply: supplySchema.optional(),
  /** Absent from what an older version measured, as the next is. */
  architecture: architectureSchema.optional(),
  /** Of each component who knows its files; empty without a whole history. */
  knowledge: knowledgeSchema.optional(),
  /** Null without a whole history; absent from what an older version measured. */
  ownership: ownershipSchema.nullable().optional(),
  /** The oldest first, the commit that is measured last; absent where nobody asked for them. */
  past: z.array(pastMeasurementSchema).optional(),
});
export type Measurements = z.infer<typeof measurementsSchema>;

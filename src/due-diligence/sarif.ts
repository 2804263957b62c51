import { createHash } from 'node:crypto';
import type { Location, Log, ReportingDescriptor, Result } from 'sarif';
import packageJson from '../../package.json' with { type: 'json' };
import { metricCatalog } from '../model/due-diligence.ts';
import type { Evidence, MetricId } from '../model/due-diligence.ts';
import type { RepositoryReport } from './report.ts';
import { factorCatalog } from './factors/index.ts';
import type { Risk } from './scoring-model.ts';

/** Metrics whose evidence is files to put right; that of others shows what is there, or names folders. */
export const ofFindings: readonly MetricId[] = [
  'secret_finding_count',
  'security_pattern_finding_count',
  'known_vulnerable_dependency_count',
  'ci_token_least_privilege_pct',
  'build_ref_hash_pinned_pct',
  'lockfile_coverage_pct',
  'toolchain_pinned_pct',
  'duplicated_lines_pct',
  'long_function_loc_pct',
  'complex_function_loc_pct',
  'hotspot_change_share_pct',
  'skipped_test_count',
  'hardcoded_endpoint_count',
  'orphaned_code_pct',
];

const levels = { critical: 'error', high: 'warning', medium: 'note', low: 'note' } as const satisfies Record<
  Risk,
  string
>;

/** The findings with their places, as SARIF 2.1.0: for code scanning and editors. */
export function sarifOf({ repo, assessment }: RepositoryReport): Log {
  const found = assessment.matrix.filter(({ id, evidence }) => ofFindings.includes(id) && evidence.some(isLocated));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'repo-intel', version: packageJson.version, rules: found.map(({ id }) => ruleOf(id)) },
        },
        automationDetails: { id: `repo-intel/${encodeURIComponent(repo)}/` },
        columnKind: 'utf16CodeUnits',
        results: found.flatMap(({ id, evidence }, ruleIndex) =>
          evidence.filter(isLocated).map((each) => resultOf(id, ruleIndex, each)),
        ),
      },
    ],
  };
}

function ruleOf(id: MetricId): ReportingDescriptor {
  const name = nameOf(id);
  const factor = factorOf(id);
  return {
    id,
    shortDescription: { text: name },
    ...(factor && {
      help: { text: factor.recommendation },
      defaultConfiguration: { level: levels[factor.risk] },
      properties: { tags: [factor.dimension] },
    }),
  };
}

function resultOf(id: MetricId, ruleIndex: number, { path, line, note, steps, way }: Located): Result {
  const fingerprint = createHash('sha256').update([id, path, note].join('\n')).digest('hex').slice(0, 32);
  const factor = factorOf(id);
  const places = way ?? steps?.map((each) => ({ path, line: each }));
  return {
    ruleId: id,
    ruleIndex,
    level: factor ? levels[factor.risk] : 'note',
    message: { text: note === null ? nameOf(id) : `${nameOf(id)}: ${note}` },
    locations: [locationOf(path, line)],
    ...(places && {
      codeFlows: [
        { threadFlows: [{ locations: places.map((each) => ({ location: locationOf(each.path, each.line) })) }] },
      ],
    }),
    // Without the line, so that a finding that moves is the same finding.
    partialFingerprints: { 'repoIntel/v1': fingerprint },
  };
}

const locationOf = (path: string, line: number | null): Location => ({
  physicalLocation: {
    artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
    ...(line === null ? {} : { region: { startLine: Math.max(1, line) } }),
  },
});

type Located = Evidence & { path: string };
const isLocated = (evidence: Evidence): evidence is Located => evidence.path !== null && evidence.path !== '';

const nameOf = (id: MetricId) => metricCatalog.find((metric) => metric.id === id)?.name ?? id;
const factorOf = (id: MetricId) => factorCatalog.find(({ inputs }) => inputs.includes(id));

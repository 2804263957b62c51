import { metricCatalog } from '../../src/model/due-diligence.ts';
import type { Hotspot, Measurements, Metric } from '../../src/model/due-diligence.ts';
import type { Requirement, Skipped } from '../../src/model/snapshot.ts';
import type { InsecureCode } from '../facts/insecure-code.ts';
import type { Document } from '../facts/document.ts';
import type { Manifests } from '../manifests/read-manifests.ts';
import type { FileImport } from '../facts/file-import.ts';
import type { Contributor } from '../snapshot/contributors.ts';
import { isProse } from '../snapshot/language-of.ts';
import type { OpenSnapshot, SourceFile } from '../snapshot/snapshot.ts';
import { hotFiles, hottest } from './code-size/hot-files.ts';
import { activityOf } from './contributors/activity.ts';
import type { HistoryFacts } from './history-facts.ts';
import type { FileMeasures, Glance, Measures } from './file-measures.ts';
import { metricSources } from './index.ts';
import { leftOutCode, leftOutRows, submodulesIn } from './left-out/left-out.ts';
import type { LeftOutCode } from './left-out/left-out.ts';
import { livenessOf } from './liveness/liveness.ts';
import { holdsNotices } from './liveness/notices.ts';
import type { MeasuredFile, Measurement, MetricInput, MetricSource, UsedFile } from './metric.ts';
import { authorshipOf, sharesOf } from './people.ts';
import { securityFindings } from './security/security-findings.ts';
import type { SecurityFinding } from './security/security-findings.ts';
import { oncePerPath } from '../snapshot/once-per-path.ts';
import { packagesElsewhere } from '../manifests/packages-elsewhere.ts';
import { resolvedPackages } from '../manifests/resolved-packages.ts';
import type { ResolvedPackage } from '../manifests/resolved-packages.ts';
import { mayHoldSecrets, secretsIn } from './security/secrets-in.ts';
import type { PastSecrets } from './security/past-secrets.ts';
import type { SecretFinding } from './security/secrets-in.ts';
import type { CoverageFile } from './test-coverage/coverage-report.ts';
import { coverageByFile } from './test-coverage/line-coverage-pct.ts';
import type { VulnerabilityDatabase } from '../vulnerabilities/vulnerability-database.ts';

/** A text that a metric asks for is read up to this size. */
const maxTextBytes = 5_000_000;
/** So much evidence is kept of a metric; how much there was is said. */
const defaultMaxEvidence = 100;

/** Measures a repository: every metric but those that are made from the factors, the people's shares, what is insecure, and what the lockfiles settled on. */
export async function measureAll(
  opened: OpenSnapshot,
  known: {
    measures: Measures;
    insecure: ReadonlyMap<string, readonly InsecureCode[]>;
    used: ReadonlyMap<string, UsedFile>;
    glances: ReadonlyMap<string, Glance>;
    skipped: readonly Skipped[];
    documents: readonly Document[];
    imports: readonly FileImport[];
    manifests: Manifests;
    requires: readonly Requirement[];
    history: HistoryFacts | null;
    pastSecrets: PastSecrets | null;
    contributors: readonly Contributor[];
    vulnerabilities?: VulnerabilityDatabase | null;
    coverage?: readonly CoverageFile[] | undefined;
    maxEvidence?: number | undefined;
    /** For who measures several commits of one repository: what was found in files that are no code. */
    secretsByFile?: SecretsByFile | undefined;
    /** Nothing else of the measurements but what is alive in it. */
    onlyMetrics?: boolean;
  },
): Promise<{
  measurements: Measurements;
  security: () => SecurityFinding[];
  resolved: readonly ResolvedPackage[];
  /** What figures about code count. */
  counted: readonly MeasuredFile[];
}> {
  const {
    measures,
    insecure,
    used,
    documents,
    imports,
    manifests,
    requires,
    history,
    pastSecrets,
    contributors,
    vulnerabilities,
    coverage = [],
  } = known;
  const { texts, otherSecrets } = await readTexts(opened, manifests, known.secretsByFile);
  const text = (path: string) => texts.get(path) ?? manifests.text(path);
  const resolved = resolvedPackages(manifests.paths, text, requires);
  const leftOut = leftOutCode({ opened, ...known, resolved });
  const input: MetricInput = {
    ...countedFiles(opened, measures),
    leftOut,
    submodules: submodulesIn(opened),
    packagesElsewhere: packagesElsewhere(manifests.paths, manifests.text, requires),
    insecure,
    used,
    paths: manifests.paths,
    text,
    otherSecrets,
    pastSecrets: pastSecrets?.found ?? [],
    history,
    noHistory: opened.commit === null ? 'not_a_git_repository' : 'parse_error',
    fullName: opened.fullName,
    branch: opened.branch,
    shallow: opened.shallow,
    requires,
    publishes: manifests.publishes,
    resolved,
    advisories: (await vulnerabilities?.advisoriesFor(resolved)) ?? null,
    documents,
    imports,
    coverage,
    contributors,
    tags: await opened.tags(),
  };
  const metrics = metricSources.map((source) => metricOf(source, measureOne(source, input), known.maxEvidence));
  const liveness = livenessOf(input, opened.name);
  return {
    measurements: known.onlyMetrics
      ? { metrics, people: [], authorship: [], liveness }
      : {
          metrics,
          people: sharesOf(input),
          authorship: authorshipOf(input),
          hotspots: withCoverage(hottest(hotFiles(input)), input),
          activity: activityOf(input),
          liveness,
          left_out: leftOutRows([...leftOut, ...input.aside.map(asideCode)], input),
          supply: { license: manifests.description.license ?? null, packages: resolved },
        },
    security: () => securityFindings(input),
    resolved,
    counted: input.files,
  };
}

function withCoverage(hotspots: readonly Hotspot[], input: MetricInput): Hotspot[] {
  const coverage = coverageByFile(input);
  return hotspots.map((hotspot) => {
    const known = coverage.get(hotspot.path);
    return known === undefined ? hotspot : { ...hotspot, coverage: known };
  });
}

/** So many times the code beside them, documentation and examples are what a repository is for; code in prose, so many times and lines. */
const manyExamples = 4;
const manyQuoted = { times: 10, lines: 200 };

/** The files that figures about code count, and those beside them. */
export function countedFiles(
  { files }: Pick<OpenSnapshot, 'files'>,
  measures: Measures,
): Pick<MetricInput, 'files' | 'aside'> {
  const all = files.flatMap((file) => {
    const { language, aside } = file.countedAs;
    return measures.has(file.path) && language !== null
      ? [{ aside, measured: new MeasuredSource(file, language, measures) }]
      : [];
  });
  const of = (isAside: boolean) => all.filter(({ aside }) => aside === isAside).map(({ measured }) => measured);
  const lines = (some: readonly MeasuredFile[]) =>
    some.reduce((sum, { test, measures: { code } }) => sum + (test ? 0 : code), 0);
  const [counted, aside] = [of(false), of(true)];
  const quoted = lines(aside.filter(({ path }) => isProse(path)));
  const isForExamples = lines(aside) - quoted > manyExamples * lines(counted);
  const isForQuoted = quoted > Math.max(manyQuoted.times * lines(counted), manyQuoted.lines);
  return isForExamples || isForQuoted
    ? { files: all.map(({ measured }) => measured), aside: [] }
    : { files: counted, aside };
}

const asideCode = ({ path, test, measures: { code } }: MeasuredFile): LeftOutCode => ({
  path,
  test,
  rule: 'documentation',
  by: 'path',
  lines: code,
  glance: null,
});

/** A class, as there are very many: its measures are looked for when they are asked for. */
class MeasuredSource implements MeasuredFile {
  readonly language: string;
  readonly #file: SourceFile;
  readonly #measures: Measures;

  constructor(file: SourceFile, language: string, measures: Measures) {
    this.language = language;
    this.#file = file;
    this.#measures = measures;
  }

  get path(): string {
    return this.#file.path;
  }

  get blobId(): string {
    return this.#file.blobId;
  }

  get size(): number {
    return this.#file.size;
  }

  get test(): boolean {
    return this.#file.test;
  }

  get documentation(): boolean {
    return this.#file.documentation;
  }

  get measures(): FileMeasures {
    const found = this.#measures.get(this.path);
    if (!found) throw new Error(`${this.path} was not measured.`);
    return found;
  }
}

/** What breaks one metric leaves the others. */
function measureOne(source: MetricSource, input: MetricInput): Measurement {
  try {
    return source.measure(input);
  } catch (error) {
    const note = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return { value: null, reason: 'parse_error', evidence: [{ note }] };
  }
}

function metricOf({ id, version }: MetricSource, measured: Measurement, maxEvidence = defaultMaxEvidence): Metric {
  const definition = metricCatalog.find((each) => each.id === id);
  if (!definition) throw new Error(`The catalogue has no metric ${id}.`);
  const evidence = measured.evidence ?? [];
  const isMeasured = measured.value !== null;
  return {
    id,
    value: isMeasured ? rounded(measured.value) : null,
    unit: definition.unit,
    direction: definition.direction,
    status: isMeasured ? 'measured' : measured.notApplicable ? 'not_applicable' : 'not_measured',
    reason: isMeasured ? null : measured.reason,
    numerator: isMeasured ? (measured.numerator ?? null) : null,
    denominator: isMeasured ? (measured.denominator ?? null) : null,
    evidence: evidence
      .slice(0, maxEvidence)
      .map(({ path = null, line = null, commit = null, note = null, steps, way }) => ({
        path,
        line,
        commit,
        note,
        ...(steps && { steps }),
        ...(way && { way }),
      })),
    evidence_count: evidence.length,
    quantities: measured.quantities ?? {},
    method_version: `${id}/${version}`,
  };
}

/** To four decimals: enough for any of them, and the same on every machine. */
const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** By blob and path. */
export type SecretsByFile = Map<string, readonly SecretFinding[]>;

/** Whether a metric reads the text of such a file. */
const isAsked = oncePerPath(
  (path) => holdsNotices(path) || metricSources.some((source) => source.reads?.(path) === true),
);

/** Each file at most once; a text that is only looked through for secrets is not kept, nor read where they are known. */
async function readTexts(opened: OpenSnapshot, manifests: Manifests, known: SecretsByFile = new Map()) {
  const files = new Map(opened.files.map((file) => [file.path, file]));
  const isSearched = (path: string) => files.get(path)?.countedAs.language === null && mayHoldSecrets(path);
  const texts = new Map<string, string>();
  const otherSecrets: (SecretFinding & { path: string })[] = [];
  const keyOf = (path: string) => `${files.get(path)?.blobId} ${path}`;
  const search = (path: string, text: string) => {
    if (isSearched(path) && !known.has(keyOf(path))) known.set(keyOf(path), secretsIn(text, path));
  };
  const tell = (path: string) => {
    if (!isSearched(path)) return;
    for (const finding of known.get(keyOf(path)) ?? []) otherSecrets.push({ path, ...finding });
  };
  const wanted: string[] = [];
  for (const path of manifests.paths) {
    const text = manifests.text(path);
    if (text !== null) {
      search(path, text);
      tell(path);
    } else if ((files.get(path)?.size ?? 0) <= maxTextBytes && (isSearched(path) || isAsked(path))) wanted.push(path);
  }
  const unread = wanted.filter((path) => isAsked(path) || !known.has(keyOf(path)));
  const decoder = new TextDecoder();
  for await (const { path, content } of opened.read(unread)) {
    if (content === null || content.length > maxTextBytes) continue;
    const text = decoder.decode(content);
    search(path, text);
    if (isAsked(path)) texts.set(path, text);
  }
  for (const path of wanted) tell(path);
  return { texts, otherSecrets };
}

import { type InsecureCode, isHidden } from '../../facts/insecure-code.ts';
import { anyOf } from '../../snapshot/linguist/any-of.ts';
import { tests } from '../../snapshot/linguist/tests.ts';
import { isAside } from '../../snapshot/is-aside.ts';
import { readsWorkflows, workflowsOf } from '../ci/workflows-of.ts';
import type { MetricInput, MetricSource } from '../metric.ts';
import { dangerousWorkflows } from './dangerous-workflows.ts';
import type { Finding } from './finding.ts';
import { binaryArtifacts, insecureFile, mayHoldSettings, missingPolicy } from './insecure-files.ts';
import { insecureCodeOf } from './insecure-code-of.ts';
import type { PlacedInsecureCode } from './insecure-code-of.ts';
import { findingsOfSarif, isSarifReport } from './sarif.ts';

const isTest = anyOf(tests);
const severities: readonly InsecureCode['severity'][] = ['low', 'medium', 'high', 'critical'];
const order: readonly Finding['kind'][] = ['dangerous_workflow', 'binary', 'other'];

/**
 * Insecure patterns in the tree (OpenSSF Scorecard: Dangerous-Workflow, Binary-Artifacts, Token-Permissions, Security-Policy; keys,
 * containers), errors and warnings of scanners whose SARIF reports are in it, and insecure code by our own rules. Of what tests and
 * examples hold, insecure code is no part of the value, but of the evidence and the score; the rest is not counted.
 */
export const securityPatterns: MetricSource = {
  id: 'security_pattern_finding_count',
  version: 8,
  reads: (path) => readsWorkflows(path) || mayHoldSettings(path) || isSarifReport(path),
  measure(input) {
    const patterns = findingsIn(input).toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    const count = (kind: Finding['kind']) => patterns.filter((finding) => finding.kind === kind).length;
    const all = insecureCodeOf(input).toSorted(
      (a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity) || (a.path < b.path ? -1 : 1),
    );
    const [code, aside] = [all.filter((each) => !each.aside), all.filter((each) => each.aside)];
    const bySeverity = (severity: InsecureCode['severity']) => code.filter((each) => each.severity === severity).length;
    const used = new Set(aside.filter(({ usedBy, severity }) => usedBy !== undefined && isHigh(severity)));
    const hidden = [...code, ...used].filter(isHidden).length;
    return {
      value: patterns.length + code.length,
      numerator: patterns.length + code.length,
      evidence: [
        ...patterns.filter(({ kind }) => kind !== 'other'),
        ...code,
        ...[...used].map((each) => ({ ...each, rule: usedWords(each) })),
        ...patterns.filter(({ kind }) => kind === 'other'),
        ...aside
          .filter((each) => !used.has(each))
          .map((each) => ({ ...each, rule: `${each.rule}, aside: it counts less` })),
      ].map((each) => ({
        path: each.path,
        line: each.line,
        note: each.rule,
        ...('steps' in each && each.steps ? { steps: [...each.steps] } : {}),
        ...('way' in each && each.way ? { way: [...each.way] } : {}),
      })),
      quantities: {
        dangerous_workflows: count('dangerous_workflow'),
        binaries: count('binary'),
        others: count('other'),
        code_high: bySeverity('high') + bySeverity('critical'),
        code_medium: bySeverity('medium'),
        code_low: bySeverity('low'),
        code_aside: aside.length,
        ...(used.size > 0 && { code_high_used: used.size, lines_used: usedLines(input) }),
        ...(hidden > 0 && { code_hidden: hidden }),
      },
    };
  },
};

const isHigh = (severity: InsecureCode['severity']) => severity === 'high' || severity === 'critical';
const usedWords = ({ rule, usedBy }: PlacedInsecureCode) =>
  `${rule}, beside production code but used by ${usedBy?.path}: it counts for the grade of the whole`;

/** Lines that are used and are none of production's. */
function usedLines({ files, used }: MetricInput): number {
  const production = new Set(files.flatMap(({ path, test }) => (test ? [] : [path])));
  return [...used.values()].reduce((sum, { path, lines }) => sum + (production.has(path) ? 0 : lines), 0);
}

/** All of them, in no order. */
export function findingsIn(input: MetricInput): Finding[] {
  const paths = input.paths.filter((path) => !isTest(path) && !isAside(path));
  const workflows = workflowsOf(input).filter(({ system }) => system === 'github');
  const isWrapperChecked = workflows.some(({ steps }) =>
    steps.some(
      ({ kind, text }) =>
        kind === 'uses' &&
        /^gradle\/(wrapper-validation-action|actions\/(wrapper-validation|setup-gradle))@/.test(text),
    ),
  );
  return [
    ...workflows.flatMap((workflow) => dangerousWorkflows(workflow, input.text(workflow.path) ?? '')),
    ...binaryArtifacts(paths, isWrapperChecked),
    ...workflows.flatMap(({ path }) => writeAll(path, input.text(path) ?? '')),
    ...paths.flatMap((path) => insecureFile(path, input.text(path))),
    ...paths.filter(isSarifReport).flatMap((path) => importedFrom(path, input.text(path))),
    ...missingPolicy(input.paths),
  ];
}

/** A token that may do everything, wherever in the workflow it is granted. */
function writeAll(path: string, text: string): Finding[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      /^\s*permissions:\s*["']?write-all\b/.test(line)
        ? [{ kind: 'other' as const, rule: 'token_write_all', path, line: index + 1 }]
        : [],
    );
}

/** A report that can't be read tells nothing. */
function importedFrom(path: string, text: string | null): Finding[] {
  try {
    return text === null ? [] : findingsOfSarif(path, text);
  } catch {
    return [];
  }
}

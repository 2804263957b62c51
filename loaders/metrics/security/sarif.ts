import { z } from 'zod';
import type { Finding } from './finding.ts';

const isSarif = /\.sarif(\.json)?$/i;

/** Whether a file is a scanner's report. */
export const isSarifReport = (path: string): boolean => isSarif.test(path);

const text = z.string().max(500).optional().catch(undefined);
const index = z.int().optional().catch(undefined);
const levels = z.enum(['error', 'warning', 'note', 'none']).optional().catch(undefined);
const listOf = <T extends z.ZodType>(item: T) => z.array(item).optional().catch(undefined);
const rule = z
  .object({ id: text, defaultConfiguration: z.object({ level: levels }).optional().catch(undefined) })
  .catch({});
const physical = z
  .object({
    artifactLocation: z.object({ uri: text }).optional().catch(undefined),
    region: z.object({ startLine: index }).optional().catch(undefined),
  })
  .optional()
  .catch(undefined);
const result = z
  .object({
    ruleId: text,
    ruleIndex: index,
    kind: text,
    level: levels,
    baselineState: text,
    suppressions: listOf(z.object({ status: text }).catch({})),
    locations: listOf(z.object({ physicalLocation: physical }).catch({})),
  })
  .nullable()
  .catch(null);
const run = z
  .object({
    tool: z
      .object({
        driver: z
          .object({ name: text, rules: listOf(rule) })
          .optional()
          .catch(undefined),
      })
      .optional()
      .catch(undefined),
    results: listOf(result),
  })
  .catch({});
const reportSchema = z.object({ runs: z.array(run) });

type Rule = z.infer<typeof rule>;
type Result = NonNullable<z.infer<typeof result>>;

/** Errors and warnings of a SARIF 2.1.0 report that nobody suppressed; its messages are left out, for they may quote what is secret. */
export function findingsOfSarif(path: string, report: string): Finding[] {
  const { runs } = reportSchema.parse(JSON.parse(report.replace(/^\uFEFF/, '')));
  return runs.flatMap(({ tool, results = [] }) => {
    const rules = tool?.driver?.rules ?? [];
    const byId = new Map(rules.map((each) => [each.id, each]));
    return results
      .filter((each) => each !== null)
      .filter(isOpenFailure)
      .flatMap((each): Finding[] => {
        const described = rules[each.ruleIndex ?? -1] ?? byId.get(each.ruleId);
        const level = levelOf(each, described);
        if (level === 'note' || level === 'none') return [];
        const name = `${tool?.driver?.name ?? 'sarif'}: ${each.ruleId ?? described?.id ?? 'finding'} (${level})`;
        return [{ kind: 'other', rule: name, ...placeOf(each, path) }];
      });
  });
}

/** Neither passed, nor suppressed, nor gone since the baseline. */
function isOpenFailure({ kind, suppressions, baselineState }: Result): boolean {
  const isSuppressed = suppressions?.some(({ status }) => status === undefined || status === 'accepted') ?? false;
  return (kind === undefined || kind === 'fail') && !isSuppressed && baselineState !== 'absent';
}

const levelOf = ({ level }: Result, described: Rule | undefined) =>
  level ?? described?.defaultConfiguration?.level ?? 'warning';

/** The report's own path where the result names no file. */
function placeOf({ locations }: Result, report: string): Pick<Finding, 'path' | 'line'> {
  const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
  const line = region?.startLine ?? 0;
  return { path: artifactLocation?.uri ?? report, line: line > 0 ? line : null };
}

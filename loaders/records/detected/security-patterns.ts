import { securityRule } from '../../detectors/security-rules.ts';
import type { SecurityFinding } from '../../metrics/security/security-findings.ts';
import type { DetectedInput } from '../detected-nodes.ts';
import type { NodeCollector } from './node-collector.ts';

type Input = Pick<DetectedInput, 'documents' | 'idAt'>;

/** A security pattern, with an edge from the symbol around it (CONTAINS). */
export function addSecurityPattern(
  input: Input,
  { add, connect, documentOf }: NodeCollector,
  { kind, rule, path, line, steps, way, ...found }: SecurityFinding,
): void {
  const { cwe, message, ...known } = securityRule(kind, rule);
  const severity = found.severity ?? known.severity;
  const id = add(
    'SecurityPattern',
    path,
    line,
    rule,
    kind === 'other' ? 'insecure_pattern' : kind === 'code' ? 'insecure_code' : kind,
    {
      rule,
      cwe,
      severity,
      ...(steps ? { steps: [...steps] } : {}),
      ...(way ? { way: way.map((each) => `${each.path}:${each.line}`) } : {}),
    },
    message,
  );
  const document = documentOf(path);
  if (id === null || document < 0 || line === null) return;
  const around = innermost(input, document, line);
  if (around) connect('CONTAINS', around, id, path, line, 1, 'place');
}

function innermost({ documents, idAt }: Input, document: number, at: number): string | null {
  let inner: string | null = null;
  for (const [definition, { line, endLine }] of (documents[document]?.facts.definitions ?? []).entries())
    if (line <= at && at <= endLine) inner = idAt({ document, definition }) ?? inner;
  return inner;
}

import { z } from 'zod';
import { readYaml } from '../../read-yaml.ts';
import type { SecurityRule } from '../security-rules.ts';
import { ruleFiles } from './rule-files.ts';
import type { RuleFile } from './rule-files.ts';

const levels = { error: 'high', warning: 'medium', info: 'low' } as const;

/** A rule file. */
const ruleSchema = z.strictObject({
  id: z.string().regex(/^[a-z_]+$/),
  language: z.enum(['TypeScript', 'Python', 'Go', 'Java']),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  /** In tree-sitter's query language; what is captured as `found` is told. */
  query: z.string(),
  metadata: z.strictObject({
    cwe: z.string().regex(/^CWE-\d+$/),
    /** In the text of every file in which the rule finds something: the rule does not look at other files. */
    hint: z.string(),
    /** Sources in which it finds something, and nothing. */
    insecure: z.array(z.string()).min(1),
    fine: z.array(z.string()).min(1),
  }),
});

/** What insecure code looks like, and what it means. */
export interface InsecureCodeRule extends SecurityRule {
  id: string;
  language: z.infer<typeof ruleSchema>['language'];
  query: string;
  insecure: readonly string[];
  fine: readonly string[];
}

const known = new Map<RuleFile, InsecureCodeRule>();

/** Every rule, by the name of its file; each file of `rules` is one. */
export function insecureCodeRules(): readonly InsecureCodeRule[] {
  return ruleFiles().map(ruleIn);
}

/** The rule of a file. */
export function ruleIn(file: RuleFile): InsecureCodeRule {
  const rule = known.get(file) ?? toRule(file);
  known.set(file, rule);
  return rule;
}

function toRule({ text, hint: found }: RuleFile): InsecureCodeRule {
  const { id, language, severity, message, query, metadata } = ruleSchema.parse(readYaml(text).value);
  const { cwe, hint, insecure, fine } = metadata;
  // Bounded: it is only compared.
  if (new RegExp(hint).source !== found.source) throw new Error(`The hint of ${id} is not what stands on its line.`);
  return {
    id,
    language,
    severity: levels[severity],
    message,
    cwe,
    query,
    insecure,
    fine,
  };
}

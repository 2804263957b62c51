import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SecurityRule } from '../security-rules.ts';

/** Where data comes from: from nowhere, from what is not known, from who calls the function, from a request of anybody. */
const origins = ['constant', 'variable', 'parameter', 'request'] as const;
export type Origin = (typeof origins)[number];
/** Greater is worse. */
export const rankOf = (origin: Origin): number => origins.indexOf(origin);

const expression = z.string();
const names = z.array(z.string());

/** One way in which a rule finds something; the README says what each part means. */
const findSchema = z.strictObject({
  calls: names.optional(),
  sets: names.optional(),
  strings: expression.optional(),
  within: names.optional(),
  argument: z.union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))]).optional(),
  when: z.array(z.enum(['request', 'parameter', 'variable', 'built', 'built parameter'])).optional(),
  is: expression.optional(),
  like: expression.optional(),
  unless: expression.optional(),
  file: expression.optional(),
});

const ruleSchema = z.strictObject({
  id: z.string().regex(/^[a-z_]+$/),
  cwe: z.string().regex(/^CWE-\d+$/),
  severity: z.enum(['low', 'medium', 'high', 'critical']),
  message: z.string(),
  clean: names.default([]),
  finds: z.array(findSchema).min(1),
  insecure: z.array(z.string()).min(1),
  fine: z.array(z.string()).min(1),
});

const languageRulesSchema = z.strictObject({
  languages: names,
  /** Another language whose rules hold here as well: what is made there by `new` may be made without it. */
  alsoOf: z.string().optional(),
  /** What a request fills, which anybody may send. */
  sources: names.default([]),
  /** What who starts the program says: no more than a parameter. */
  inputs: names.default([]),
  interpolates: expression.optional(),
  parameters: expression.optional(),
  handlers: expression.optional(),
  clean: names.default([]),
  rules: z.array(ruleSchema),
});

/** What insecure code looks like in a family of languages: a file of `rules`. */
export type LanguageRules = z.infer<typeof languageRulesSchema>;
export type Find = z.infer<typeof findSchema>;

/** What insecure code looks like, and what it means. */
export type InsecureCodeRule = z.infer<typeof ruleSchema> & SecurityRule;

const folder = join(import.meta.dirname, 'rules');
const read = new Map<string, LanguageRules>();

function rulesIn(file: string): LanguageRules {
  const known = read.get(file) ?? languageRulesSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  read.set(file, known);
  return known;
}

/** Files of rules by the languages that they are for, where that is not the language's own name. */
const families: Readonly<Record<string, string>> = {
  javascript: 'ecmascript',
  typescript: 'ecmascript',
  tsx: 'ecmascript',
  c: 'cpp',
};

/** The rules for a language; null where there are none. */
export function rulesOfLanguage(language: string): LanguageRules | null {
  const file = `${families[language] ?? language}.json`;
  return (files ??= readdirSync(folder).sort()).includes(file) ? rulesIn(file) : null;
}
let files: readonly string[] | undefined;

/** All rules of all languages. */
export function insecureCodeRules(): readonly (LanguageRules & { rules: InsecureCodeRule[] })[] {
  return (files ??= readdirSync(folder).sort()).map(rulesIn);
}

let byId: ReadonlyMap<string, InsecureCodeRule> | undefined;

/** The rule of a finding. */
export function insecureCodeRule(id: string): InsecureCodeRule | undefined {
  byId ??= new Map(insecureCodeRules().flatMap(({ rules }) => rules.map((rule) => [rule.id, rule])));
  return byId.get(id);
}

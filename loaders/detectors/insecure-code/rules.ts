import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecurityRule } from '../security-rules.ts';

/** Where data comes from: from nowhere, from what is not known, from who calls the function, from a request of anybody. */
const origins = ['constant', 'variable', 'parameter', 'request'] as const;
export type Origin = (typeof origins)[number];
/** Greater is worse. */
export const rankOf = (origin: Origin): number => origins.indexOf(origin);

/** One way in which a rule finds something; the README says what each part means. */
export interface Find {
  calls?: string[];
  sets?: string[];
  strings?: string;
  within?: string[];
  argument?: number | string | (number | string)[];
  when?: ('request' | 'parameter' | 'variable' | 'built' | 'built parameter' | 'decoded')[];
  is?: string;
  like?: string;
  only?: string;
  unless?: string;
  file?: string;
}

/** What insecure code looks like, and what it means. */
export interface InsecureCodeRule extends SecurityRule {
  id: string;
  clean?: string[];
  finds: Find[];
  /** Sources in which it finds something, and nothing. */
  insecure: string[];
  fine: string[];
}

/** What insecure code looks like in a family of languages: a file of `rules`, whose form their test checks. */
export interface LanguageRules {
  languages: string[];
  /** Another language whose rules hold here as well: what is made there by `new` may be made without it. */
  alsoOf?: string;
  /** What a request fills, which anybody may send. */
  sources?: string[];
  /** What who starts the program says: no more than a parameter. */
  inputs?: string[];
  interpolates?: string;
  parameters?: string;
  handlers?: string;
  clean?: string[];
  /** What gives text that stands otherwise where it is from; `only` as in a find. */
  decodes?: { calls: string[]; only?: string }[];
  /** What gives other text than it is called on, in files in which text is run: `beside` is of one of these. */
  turns?: { calls: string[]; beside: string };
  /** What runs, or takes as a module, a file that is named to it, or the text of one. */
  runs?: string[];
  /** What takes folders in which modules are looked for. */
  looksIn?: string[];
  rules: InsecureCodeRule[];
}

const folder = join(import.meta.dirname, 'rules');
const read = new Map<string, LanguageRules>();

function rulesIn(file: string): LanguageRules {
  const known = read.get(file) ?? (JSON.parse(readFileSync(join(folder, file), 'utf8')) as LanguageRules);
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
export function insecureCodeRules(): readonly LanguageRules[] {
  return (files ??= readdirSync(folder).sort()).map(rulesIn);
}

let byId: ReadonlyMap<string, InsecureCodeRule> | undefined;

/** The rule of a finding. */
export function insecureCodeRule(id: string): InsecureCodeRule | undefined {
  byId ??= new Map(insecureCodeRules().flatMap(({ rules }) => rules.map((rule) => [rule.id, rule])));
  return byId.get(id);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of `rules`, and of it what tells whether it need be read as YAML: which costs each parsing thread more than a small repository. */
export interface RuleFile {
  text: string;
  language: string;
  /** In the text of every file in which the rule finds something. */
  hint: RegExp;
}

let files: readonly RuleFile[] | undefined;

/** All of them, by their names. */
export function ruleFiles(): readonly RuleFile[] {
  const folder = join(import.meta.dirname, 'rules');
  return (files ??= readdirSync(folder)
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const [, language] = /^language: (\w+)$/m.exec(text) ?? [];
      const [, hint] = /^ {2}hint: (.+)$/m.exec(text) ?? [];
      if (language === undefined || hint === undefined)
        throw new Error(`${name} needs its language and its hint on a line each.`);
      // Bounded: a rule's own, which its test checks.
      return { text, language, hint: new RegExp(hint) };
    }));
}

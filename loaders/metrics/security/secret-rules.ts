import data from '../../reference-data/secret-rules.json' with { type: 'json' };

/** Raised when a rule comes, goes or changes. */
export const secretRulesVersion: number = data.version;

/** What a provider's secret looks like, so that it is told from any other text . */
export interface SecretRule {
  id: string;
  /** In every text that the rule finds something in, and hardly in any other; where a word begins or ends, for so it is found quickly. */
  hint: string;
  pattern: string;
  /** In bits a character: less is a placeholder. */
  minEntropy: number;
  /** What tests and examples are full of: there it opens nothing. */
  commonInTests?: boolean;
  /** Says nothing of who gave it out. */
  generic?: boolean;
}

export const secretRules: readonly SecretRule[] = data.rules;

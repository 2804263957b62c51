import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { classifyLines, CODE } from '../../loaders/languages/reading/classify-lines.ts';
import { commentSyntax } from '../../loaders/languages/reading/comment-syntax.ts';
import { secretsIn } from '../../loaders/metrics/security/secrets-in.ts';

interface CodeExample {
  language: string;
  source: string;
  code: number;
}
interface SecretExample {
  path: string;
  source: string;
  secrets: number;
}

/** What `bench/dd.ts` gives as the reason where a figure is not that of an independent tool. */
const reasons = JSON.parse(readFileSync(join(import.meta.dirname, '../../bench/dd-reasons.json'), 'utf8')) as Record<
  string,
  Record<string, { why: string; example: CodeExample | SecretExample }>
>;

describe('reasons why figures are not those of other tools', () => {
  for (const [repository, figures] of Object.entries(reasons))
    for (const [figure, { why, example }] of Object.entries(figures))
      it(`${repository}, ${figure}: the example is counted as it says`, () => {
        expect(why).to.have.length.above(30);
        if ('secrets' in example) {
          expect(secretsIn(example.source, example.path)).to.have.length(example.secrets);
          return;
        }
        const kinds = classifyLines(example.source, commentSyntax(example.language));
        expect(kinds.filter((kind) => kind === CODE)).to.have.length(example.code);
      });
});

import type { Detector } from './detector.ts';
import { expression } from './patterns.ts';

/** Models. */
export const activeRecord: Detector = {
  id: 'active-record',
  title: 'Active Record',
  languages: ['Ruby'],
  hint: /\b(?:ApplicationRecord|ActiveRecord::Base)\b/,
  inherited: true,
  fieldless: true,
  patterns: [
    {
      gives: 'model',
      expression: expression(
        String.raw`^[ \t]*class\s+(?<name>(?!ApplicationRecord\b)[\w:]+)\s*<\s*(?:::)?(?:ApplicationRecord|ActiveRecord::Base)\b`,
      ),
    },
  ],
};

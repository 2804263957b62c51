import type { Detector } from './detector.ts';
import { expression } from './patterns.ts';

/** Models. */
export const djangoModels: Detector = {
  id: 'django-models',
  title: 'Django',
  languages: ['Python'],
  hint: /\bclass\s+\w+\s*\([^)]{0,200}\bModel\b/,
  uses: /^django\b/i,
  inherited: true,
  patterns: [
    {
      gives: 'model',
      expression: expression(String.raw`^[ \t]*class\s+(?<name>\w+)\s*\([^)]{0,200}?(?<![\w.])(?:models\.)?Model\b`),
    },
  ],
};

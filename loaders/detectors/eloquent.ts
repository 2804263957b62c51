import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Models. */
export const eloquent: Detector = {
  id: 'eloquent',
  title: 'Eloquent',
  languages: ['PHP'],
  hint: /\bIlluminate\\(?:Database\\Eloquent|Foundation\\Auth)\b/,
  inherited: true,
  fieldless: true,
  patterns: [
    {
      gives: 'model',
      expression: expression(
        String.raw`^[ \t]*(?:(?:final|abstract)\s+)?class\s+(?<name>\w+)\s+extends\s+(?:Model|Authenticatable|Pivot)\b(?:[^}]{0,2000}?\$table\s*=\s*${quoted('table')})?`,
      ),
    },
  ],
};

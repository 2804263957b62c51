import type { Detector } from './detector.ts';
import { expression } from './patterns.ts';

/** Models that are checked. */
export const pydantic: Detector = {
  id: 'pydantic',
  title: 'Pydantic',
  languages: ['Python'],
  hint: /\b(?:Base(?:Model|Settings)|SQLModel)\b/,
  uses: /^(?:pydantic|sqlmodel)\b/i,
  inherited: true,
  patterns: [
    {
      gives: 'model',
      expression: expression(
        String.raw`^[ \t]*class\s+(?<name>\w+)\s*\([^)]{0,200}?\b(?:Base(?:Model|Settings)|SQLModel)\b(?![^)]*\btable\s*=\s*True)`,
      ),
    },
  ],
};

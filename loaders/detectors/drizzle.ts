import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Tables. */
export const drizzle: Detector = {
  id: 'drizzle',
  title: 'Drizzle',
  languages: ['JavaScript', 'TypeScript', 'TSX'],
  hint: /\b(?:pg|mysql|sqlite|singlestore)Table\(/,
  uses: /^drizzle-orm\b/,
  patterns: [
    {
      gives: 'model',
      expression: expression(
        String.raw`(?<![\w$])(?<name>[\w$]+)\s*=\s*(?:pg|mysql|sqlite|singlestore)Table\(\s*${quoted('table')}\s*,\s*(?:\([^)]*\)\s*=>\s*\(\s*)?\{(?<body>[^;]{0,4000}?)\n\s*\}`,
      ),
      fields: /^[ \t]+(\w+)\s*:/gm,
    },
  ],
};

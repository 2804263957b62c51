import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Entities. */
export const typeorm: Detector = {
  id: 'typeorm',
  title: 'TypeORM',
  languages: ['TypeScript', 'JavaScript'],
  hint: /@Entity\b/,
  uses: /^(?:typeorm|@mikro-orm\/)/,
  patterns: [
    {
      gives: 'model',
      annotates: true,
      expression: expression(
        String.raw`@Entity\(\s*(?:(?:\{[^}]{0,200}?\b(?:name|tableName)\s*:\s*)?${quoted('table')})?`,
      ),
    },
  ],
};

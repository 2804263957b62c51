import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Models made of schemas. */
export const mongoose: Detector = {
  id: 'mongoose',
  title: 'Mongoose',
  languages: ['JavaScript', 'TypeScript', 'TSX'],
  hint: /\bmodel\s*[(<]/,
  uses: /^(?:mongoose|@nestjs\/mongoose)$/,
  patterns: [
    {
      gives: 'model',
      expression: expression(
        String.raw`(?<![\w$])model\s*(?:<[^()]{0,200}>)?\(\s*${quoted('name', String.raw`\w`)}\s*,`,
      ),
    },
  ],
};

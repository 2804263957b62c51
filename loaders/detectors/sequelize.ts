import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Defined models, and classes of them. */
export const sequelize: Detector = {
  id: 'sequelize',
  title: 'Sequelize',
  languages: ['JavaScript', 'TypeScript', 'TSX'],
  hint: /\.define\(|\bextends\s+(?:\w+\.)?Model\b/,
  uses: /^(?:sequelize|sequelize-typescript|@sequelize\/core)$/,
  handedOn: true,
  patterns: [
    { gives: 'model', expression: expression(String.raw`\b[sS]equelize\.define\(\s*${quoted('name')}`) },
    {
      gives: 'model',
      expression: expression(String.raw`\bclass\s+(?<name>\w+)\s+extends\s+(?:[sS]equelize\.)?Model\b`),
    },
  ],
};

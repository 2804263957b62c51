import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Mapped classes and tables. */
export const sqlalchemy: Detector = {
  id: 'sqlalchemy',
  title: 'SQLAlchemy',
  languages: ['Python'],
  hint: /__tablename__|\bdb\.Model\b|\bTable\(|\btable\s*=\s*True/,
  uses: /^(?:sqlalchemy|flask_sqlalchemy|flask-sqlalchemy|sqlmodel)\b/i,
  inherited: true,
  patterns: [
    {
      gives: 'model',
      expression: expression(
        String.raw`^[ \t]*class\s+(?<name>\w+)\s*\([^)\n]{0,200}\)\s*:[ \t]*\n(?:(?!class\b)[^\n]{0,300}\n){0,40}?[ \t]+__tablename__(?:\s*:(?:[^=\n]*[^=\s])?)?\s*=\s*${quoted('table')}`,
      ),
    },
    {
      gives: 'model',
      expression: expression(
        String.raw`^[ \t]*class\s+(?<name>\w+)\s*\([^)\n]{0,200}?\b(?:db\.Model\b|table\s*=\s*True)`,
      ),
    },
    {
      gives: 'model',
      expression: expression(String.raw`(?<!\w)(?<name>\w+)\s*=\s*(?:\w+\.)?Table\(\s*${quoted('table')}\s*,`),
    },
  ],
};

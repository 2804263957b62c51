import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Entities. */
export const jpa: Detector = {
  id: 'jpa',
  title: 'JPA',
  languages: ['Java', 'Kotlin', 'Groovy'],
  hint: /@(?:Entity|Document|MappedSuperclass)\b/,
  uses: /^(?:(?:javax|jakarta)\.persistence|org\.springframework\.data|org\.hibernate)\b/,
  patterns: [
    {
      gives: 'model',
      annotates: true,
      expression: expression(
        String.raw`^[ \t]*@(?:[\w.]+\.)?(?:Entity|Document|MappedSuperclass)\b(?:[^{};]{0,200}?@Table\([^)]{0,100}?\bname\s*=\s*${quoted('table')})?`,
      ),
    },
  ],
};

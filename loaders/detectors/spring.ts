import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

const annotation = String.raw`\(\s*(?:[^()"]{0,100}?\b(?:value|path)\s*=\s*)?(?:\{\s*)?${quoted('path')}(?<arguments>[^()]{0,300})`;

/** Mappings of methods below those of their class. */
export const spring: Detector = {
  id: 'spring',
  title: 'Spring',
  languages: ['Java', 'Kotlin', 'Groovy'],
  hint: /@(?:Get|Post|Put|Patch|Delete|Request)Mapping\b/,
  uses: /^org\.springframework\b/,
  patterns: [
    {
      gives: 'endpoint',
      annotates: true,
      expression: expression(
        String.raw`@(?<method>Get|Post|Put|Patch|Delete)Mapping(?:${annotation}|(?!\s*\(\s*[^)\s]))`,
      ),
    },
    {
      gives: 'endpoint',
      annotates: true,
      expression: expression(String.raw`@RequestMapping${annotation}`),
      // Bounded: it is asked of an annotation's arguments, at most 300 characters.
      methods: /\b(?:RequestMethod\.|(?<=[{,]\s*))(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/g,
    },
  ],
};

import type { Detector } from './detector.ts';
import { expression } from './patterns.ts';

/** Structs with GORM's base or tags. */
export const gorm: Detector = {
  id: 'gorm',
  title: 'GORM',
  languages: ['Go'],
  hint: /\bgorm\.Model\b|`[^`\n]*\bgorm:"/,
  patterns: [
    {
      gives: 'model',
      expression: expression(
        String.raw`^[ \t]*(?:type\s+)?(?<name>\w+)\s+struct\s*\{(?=[^}]{0,4000}?\bgorm(?:\.Model\b|:"))`,
      ),
    },
  ],
};

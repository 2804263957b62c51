import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Methods of controllers. */
export const nestjs: Detector = {
  id: 'nestjs',
  title: 'NestJS',
  languages: ['TypeScript', 'JavaScript'],
  hint: /@Controller\b/,
  uses: /^@nestjs\//,
  patterns: [
    {
      gives: 'scope',
      annotates: true,
      expression: expression(String.raw`@Controller\(\s*(?:(?:\{[^}]{0,200}?\bpath\s*:\s*)?${quoted('prefix')})?`),
    },
    {
      gives: 'endpoint',
      annotates: true,
      expression: expression(
        String.raw`@(?<method>Get|Post|Put|Patch|Delete|Head|Options|All)\(\s*(?:${quoted('path')})?`,
      ),
    },
  ],
};

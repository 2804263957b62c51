import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Attributes of handlers, and resources. */
export const actix: Detector = {
  id: 'actix',
  title: 'Actix Web',
  languages: ['Rust'],
  hint: /#\[(?:actix_web::)?(?:get|post|put|patch|delete|head|options)\(|\bweb::(?:resource|get|post|put|patch|delete)\(/,
  uses: /^actix[-_]web\b/,
  patterns: [
    {
      gives: 'endpoint',
      annotates: true,
      expression: expression(
        String.raw`#\[(?:actix_web::)?(?<method>get|post|put|patch|delete|head|options)\(\s*${quoted('path')}[^\]\n]*\]`,
      ),
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`\b(?:web::resource\(\s*${quoted('path')}\s*\)\s*|\.route\(\s*${quoted('of')}\s*,)(?=(?<handler>[^;]{0,400}))`,
      ),
      calls: /\bweb::(get|post|put|patch|delete|head)\(\)\s*\.to\(\s*([\w:]+)/g,
    },
  ],
};

import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Routes of a router, each method with its handler. */
export const axum: Detector = {
  id: 'axum',
  title: 'axum',
  languages: ['Rust'],
  hint: /\.route\(/,
  uses: /^axum\b/,
  patterns: [
    {
      gives: 'mount',
      expression: expression(String.raw`(?<on>)\.nest\(\s*${quoted('prefix')}\s*,(?=(?<router>[^;\n]{0,200}))`),
    },
    {
      gives: 'endpoint',
      expression: expression(String.raw`\.route\(\s*${quoted('path')}\s*,(?=(?<handler>[^;]{0,600}))`),
      calls: /\b(get|post|put|patch|delete|head|options|any)\(\s*([\w:]+)/g,
    },
  ],
};

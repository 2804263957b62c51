import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Resources: the method by its annotation, the path by that of the class and its own. */
export const jaxRs: Detector = {
  id: 'jax-rs',
  title: 'JAX-RS',
  languages: ['Java', 'Kotlin'],
  hint: /@Path\s*\(/,
  uses: /^(?:javax|jakarta)\.ws\.rs\b/,
  patterns: [
    {
      gives: 'scope',
      annotates: true,
      expression: expression(String.raw`@Path\s*\(\s*(?:value\s*=\s*)?${quoted('prefix')}`),
    },
    {
      gives: 'endpoint',
      annotates: true,
      expression: expression(String.raw`@(?<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b`),
    },
  ],
};

import type { Detector } from './detector.ts';
import { expression } from './patterns.ts';

/** Sets of a context. */
export const entityFramework: Detector = {
  id: 'entity-framework',
  title: 'Entity Framework',
  languages: ['C#'],
  hint: /\bDbSet</,
  patterns: [{ gives: 'model', expression: expression(String.raw`\bDbSet<(?<name>\w+)>\s+(?<table>\w+)`) }],
};

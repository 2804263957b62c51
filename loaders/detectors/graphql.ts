import type { Detector } from './detector.ts';
import { expression } from './patterns.ts';

/** Types, inputs and interfaces of a schema; what queries begin at is none. */
export const graphql: Detector = {
  id: 'graphql',
  title: 'GraphQL',
  languages: [],
  files: /\.(?:graphqls?|gql)$/,
  hint: /\b(?:type|input|interface)\b/,
  patterns: [
    {
      gives: 'model',
      expression: expression(
        String.raw`^[ \t]*(?:type|input|interface)\s+(?<name>(?!(?:Query|Mutation|Subscription)\b)\w+)[^{}\n]{0,200}\{(?<body>[^}]*)\}`,
      ),
      fields: /^[ \t]*(\w+)(?:\([^()]*\))?\s*:/gm,
    },
  ],
};

import type { Detector } from './detector.ts';
import { expression } from './patterns.ts';

/** Messages. */
export const protobuf: Detector = {
  id: 'protobuf',
  title: 'Protocol Buffers',
  languages: [],
  files: /\.proto$/,
  hint: /\bmessage\b/,
  patterns: [
    {
      gives: 'model',
      expression: expression(String.raw`^[ \t]*message\s+(?<name>\w+)\s*\{(?<body>[^}]*)`),
      fields: /^[ \t]*(?:(?:optional|repeated|required)\s+)?(?:map<[^<>]*>|[\w.]+)\s+(\w+)\s*=\s*\d/gm,
    },
  ],
};

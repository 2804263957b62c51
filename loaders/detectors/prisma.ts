import type { Detector } from './detector.ts';
import { expression } from './patterns.ts';

/** Models of a schema. */
export const prisma: Detector = {
  id: 'prisma',
  title: 'Prisma',
  languages: [],
  files: /\.prisma$/,
  hint: /^model\s/m,
  patterns: [
    {
      gives: 'model',
      expression: expression(
        String.raw`^model\s+(?<name>\w+)\s*\{(?<body>[^}]*?(?:@@map\("(?<table>[^"\n]+)"\)[^}]*)?)\}`,
      ),
      fields: /^[ \t]+(\w+)[ \t]+\w/gm,
    },
  ],
};

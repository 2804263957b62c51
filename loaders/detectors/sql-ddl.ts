import type { Detector } from './detector.ts';

/** Tables as they are created. */
export const sqlDdl: Detector = {
  id: 'sql-ddl',
  title: 'SQL',
  languages: [],
  files: /\.(?:sql|ddl)$/i,
  hint: /\bcreate\s+(?:\w+\s+){0,3}table\b/i,
  patterns: [
    {
      gives: 'model',
      expression: new RegExp(
        String.raw`^[ \t]*CREATE\s+(?:(?:GLOBAL|LOCAL|UNLOGGED|EXTERNAL|FOREIGN)\s+){0,2}TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:["\x60[]?\w+["\x60\]]?\.){0,2}["\x60[]?(?<name>\w+)["\x60\]]?\s*\((?<body>[^;]{0,20000})`,
        'gim',
      ),
      fields:
        /^[ \t]*(?!(?:constraint|primary|foreign|unique|check|key|index|exclude|like)\b)["`[]?(\w+)["`\]]?[ \t]+[a-z]/gim,
    },
  ],
};

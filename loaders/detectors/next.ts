import type { Detector } from './detector.ts';
import { expression } from './patterns.ts';

/** A file is a route: `app/users/[id]/route.ts`, `pages/api/users.ts`. */
export const next: Detector = {
  id: 'next',
  title: 'Next.js',
  languages: ['JavaScript', 'TypeScript', 'TSX'],
  files: /(?:^|\/)(?:pages\/api\/.+|app\/(?:.+\/)?route)\.[cm]?[jt]sx?$/,
  hint: /\bexport\b/,
  uses: /^next(?:$|\/)/,
  handedOn: true,
  location: (path) =>
    path
      .replace(/^.*?(?:^|\/)(?:pages\/(?=api\/)|app\/)/, '')
      .replace(/\.[cm]?[jt]sx?$/, '')
      .replace(/(?:^|\/)(?:route|index)$/, '')
      // Groups, and slots beside the page, are no part of the address.
      .replaceAll(/(^|\/)(?:\([^/]*\)|@[^/]+)(?=\/|$)/g, '$1'),
  patterns: [
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`^export\s+(?:async\s+)?(?:function|const)\s+(?<handler>(?<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b)`,
      ),
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`^export\s+default\s+(?:async\s+)?(?:function\s+)?(?<handler>(?!function|async|class)[A-Za-z_$][\w$]*)`,
      ),
    },
  ],
};

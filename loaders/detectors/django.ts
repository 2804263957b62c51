import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** URL patterns; a view takes every method. Routers of Django REST framework too. */
export const django: Detector = {
  id: 'django',
  title: 'Django',
  languages: ['Python'],
  hint: /\b(?:path|url)\(\s*[rR]?["']|\.register\(\s*[rR]?["']/,
  uses: /^(?:django|rest_framework|djangorestframework)\b/i,
  patterns: [
    {
      gives: 'mount',
      expression: expression(
        String.raw`(?<![\w.])(?:re_path|path|url)\(\s*${quoted('prefix')}\s*,\s*include\(\s*(?:[([]\s*)?["']?(?<router>[\w.]+)`,
      ),
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`(?<![\w.])(?:re_path|path|url)\(\s*${quoted('path')}\s*,\s*(?:view\s*=\s*)?(?<handler>(?!include\b)(?:\w+\()?[\w.]+(?:\.as_view\(\)?)?)`,
      ),
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`(?<!\w)(?<router>\w+)\.register\(\s*(?:prefix\s*=\s*)?${quoted('path')}\s*,\s*(?:viewset\s*=\s*)?(?<handler>[\w.]*View\w*)`,
      ),
    },
  ],
};

import type { Detector } from './detector.ts';
import { expression, quoted, routeCall } from './patterns.ts';

/** Routes on instances and groups. */
export const echo: Detector = {
  id: 'echo',
  title: 'Echo',
  languages: ['Go'],
  hint: /\.(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any)\(/,
  uses: /^github\.com\/labstack\/echo\b/,
  patterns: [
    {
      gives: 'router',
      expression: expression(String.raw`(?<router>\w+)\s*:?=\s*(?<on>[\w.]+)\.Group\(\s*${quoted('prefix')}`),
    },
    {
      gives: 'mount',
      expression: expression(
        String.raw`(?<![\w.])(?<router>\w+(?:\.\w+)?)\(\s*(?<on>\w+)\.Group\(\s*${quoted('prefix')}`,
      ),
    },
    {
      gives: 'mount',
      expression: expression(String.raw`(?<![\w.])(?<router>\w+(?:\.\w+)?)\(\s*(?<given>\w+)\s*[,)]`),
    },
    routeCall('GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any', quoted('path')),
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`(?<router>[\w.]+)\.Add\(\s*["'](?<method>[A-Z]+)["']\s*,\s*${quoted('path')}\s*,(?=(?<handler>[^;\n]{0,300}))`,
      ),
    },
  ],
};

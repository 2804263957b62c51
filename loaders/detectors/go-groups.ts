import type { Detector } from './detector.ts';
import { expression, quoted, routeCall } from './patterns.ts';

/** Go's frameworks whose routes are declared on an engine or on groups of it, a method of the engine for each of HTTP's. */
export function goGroups({ any, ...framework }: Pick<Detector, 'id' | 'title' | 'uses'> & { any: string }): Detector {
  return {
    ...framework,
    languages: ['Go'],
    hint: /\.(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any)\(/,
    patterns: [
      {
        gives: 'router',
        expression: expression(String.raw`(?<!\w)(?<router>\w+)\s*:?=\s*(?<on>[\w.]+)\.Group\(\s*${quoted('prefix')}`),
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
          String.raw`(?<![\w.])(?<router>[\w.]+)\.${any}\(\s*["'](?<method>[A-Z]+)["']\s*,\s*${quoted('path')}\s*,(?=(?<handler>[^;\n]{0,300}))`,
        ),
      },
    ],
  };
}

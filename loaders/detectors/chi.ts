import type { Detector } from './detector.ts';
import { expression, quoted, routeCall } from './patterns.ts';

/** Routes on routers, nested in functions or mounted. */
export const chi: Detector = {
  id: 'chi',
  title: 'chi',
  languages: ['Go'],
  hint: /\.(?:Get|Post|Put|Patch|Delete|Head|Options|Method|MethodFunc|Route|Mount|Handle|HandleFunc)\(/,
  uses: /^github\.com\/go-chi\/chi\b/,
  patterns: [
    {
      gives: 'scope',
      expression: expression(String.raw`\.Route\(\s*${quoted('prefix')}\s*,\s*func\b`),
    },
    {
      gives: 'mount',
      expression: expression(
        String.raw`(?<!\w)(?<on>\w+)\.Mount\(\s*${quoted('prefix')}\s*,\s*(?<router>[\w.]+(?:\(\))?)`,
      ),
    },
    routeCall('Get|Post|Put|Patch|Delete|Head|Options', quoted('path')),
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`(?<![\w.])(?<router>[\w.]+)\.Method(?:Func)?\(\s*(?:["']|http\.Method)(?<method>\w+)["']?\s*,\s*${quoted('path')}\s*,(?=(?<handler>[^;\n]{0,300}))`,
      ),
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`(?<![\w.])(?<router>[\w.]+)\.Handle(?:Func)?\(\s*${quoted('path')}\s*,(?=(?<handler>[^;\n]{0,300}))`,
      ),
    },
  ],
};

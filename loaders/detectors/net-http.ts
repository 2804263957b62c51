import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Patterns of the standard library's multiplexer, with a method since Go 1.22. */
export const netHttp: Detector = {
  id: 'net-http',
  title: 'net/http',
  languages: ['Go'],
  hint: /\.Handle(?:Func)?\(/,
  uses: /^net\/http$/,
  patterns: [
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`(?<![\w.])(?<router>[\w.]+)\.Handle(?:Func)?\(\s*${quoted('path', '(?:[A-Z]+ +)?/')}\s*,(?=(?<handler>[^;\n]{0,300}))`,
      ),
    },
  ],
};

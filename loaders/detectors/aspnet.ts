import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Attributes of controllers, and minimal APIs. */
export const aspnet: Detector = {
  id: 'aspnet',
  title: 'ASP.NET Core',
  languages: ['C#'],
  hint: /\[Http(?:Get|Post|Put|Patch|Delete|Head|Options)\b|\.Map(?:Get|Post|Put|Patch|Delete|Group)\(/,
  patterns: [
    { gives: 'scope', annotates: true, expression: expression(String.raw`\[Route\(\s*${quoted('prefix')}\s*\)`) },
    {
      gives: 'endpoint',
      annotates: true,
      expression: expression(
        String.raw`\[Http(?<method>Get|Post|Put|Patch|Delete|Head|Options)(?:\(\s*${quoted('path')})?`,
      ),
    },
    {
      gives: 'router',
      expression: expression(String.raw`(?<!\w)(?<router>\w+)\s*=\s*(?<on>\w+)\.MapGroup\(\s*${quoted('prefix')}`),
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`(?<!\w)(?<router>\w+)\.Map(?<method>Get|Post|Put|Patch|Delete)\(\s*${quoted('path')}\s*,(?=(?<handler>[^;\n]{0,300}))`,
      ),
    },
  ],
};

import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Views by decorator or by name, and blueprints. */
export const flask: Detector = {
  id: 'flask',
  title: 'Flask',
  languages: ['Python'],
  hint: /@[\w.]+\.(?:route|get|post|put|patch|delete)\(|\.(?:add_url_rule|register_blueprint)\(|\bBlueprint\(/,
  uses: /^flask\b/i,
  patterns: [
    {
      gives: 'router',
      expression: expression(
        String.raw`^[ \t]*(?<router>\w+)\s*=\s*(?:\w+\.)?Blueprint\([^)]{0,300}?\burl_prefix\s*=\s*${quoted('prefix')}`,
      ),
    },
    {
      gives: 'mount',
      expression: expression(
        String.raw`(?<!\w)(?<on>\w+)\.register_blueprint\(\s*(?<router>[\w.]+)(?:[^)]{0,300}?\burl_prefix\s*=\s*${quoted('prefix')})?`,
      ),
    },
    {
      gives: 'endpoint',
      annotates: true,
      expression: expression(
        String.raw`^[ \t]*@(?<router>[\w.]+)\.route\(\s*(?:rule\s*=\s*)?${quoted('path')}(?<arguments>[^()]{0,300})`,
      ),
      methods: /\bmethods\s*=\s*[[({]([^\])}]*)/g,
      otherwise: ['GET'],
    },
    {
      gives: 'endpoint',
      annotates: true,
      expression: expression(
        String.raw`^[ \t]*@(?<router>[\w.]+)\.(?<method>get|post|put|patch|delete)\(\s*${quoted('path')}`,
      ),
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`(?<!\w)(?<router>\w+)\.add_url_rule\(\s*${quoted('path')}\s*,(?:\s*["'][^"'\n]*["']\s*,)?(?:[^()=]{0,80}\bview_func\s*=)?\s*(?<handler>[\w.]+)(?<arguments>[^)]{0,200})`,
      ),
      methods: /\bmethods\s*=\s*[[({]([^\])}]*)/g,
      otherwise: ['GET'],
    },
  ],
};

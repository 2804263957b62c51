import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** Operations on applications and routers. */
export const fastapi: Detector = {
  id: 'fastapi',
  title: 'FastAPI',
  languages: ['Python'],
  hint: /@[\w.]+\.(?:get|post|put|patch|delete|head|options|trace|api_route)\(|\bAPIRouter\(|\.include_router\(/,
  uses: /^fastapi\b/i,
  patterns: [
    {
      gives: 'router',
      expression: expression(
        String.raw`^[ \t]*(?<router>\w+)(?:\s*:\s*[\w.]+)?\s*=\s*(?:\w+\.)?APIRouter\([^)]{0,400}?\bprefix\s*=\s*${quoted('prefix')}`,
      ),
    },
    {
      gives: 'mount',
      expression: expression(
        String.raw`(?<![\w.])(?<on>[\w.]+)\.include_router\(\s*(?<router>[\w.]+)(?:[^)]{0,300}?\bprefix\s*=\s*${quoted('prefix')})?`,
      ),
    },
    {
      gives: 'endpoint',
      annotates: true,
      expression: expression(
        String.raw`^[ \t]*@(?<router>[\w.]+)\.(?<method>get|post|put|patch|delete|head|options|trace)\(\s*(?:path\s*=\s*)?${quoted('path')}`,
      ),
    },
    {
      gives: 'endpoint',
      annotates: true,
      expression: expression(
        String.raw`^[ \t]*@(?<router>[\w.]+)\.api_route\(\s*(?:path\s*=\s*)?${quoted('path')}(?<arguments>[^()]{0,300})`,
      ),
      methods: /\bmethods\s*=\s*[[({]([^\])}]*)/g,
      otherwise: ['GET'],
    },
  ],
};

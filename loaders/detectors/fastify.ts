import type { Detector } from './detector.ts';
import { ecmascriptMethods, expression, quoted, routeCall, routerVariable } from './patterns.ts';

/** Routes in short and in full, and plugins under a prefix. */
export const fastify: Detector = {
  id: 'fastify',
  title: 'Fastify',
  languages: ['JavaScript', 'TypeScript', 'TSX'],
  hint: /\.(?:get|post|put|patch|delete|head|options|all)\s*(?:<[^()]{0,300}>)?\(\s*["'`]\/|\.(?:route|register)\s*[(<]/,
  uses: /^(?:fastify|@fastify\/)/,
  handedOn: true,
  routers: /(?:fastify|[aA]pp|[sS]erver|instance|[rR]outer)$/,
  patterns: [
    routerVariable(String.raw`(?:[fF]astify|require\(["']fastify["']\))\s*\(`),
    routeCall(ecmascriptMethods),
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`(?<![\w$])(?<router>[\w$]+)\.route(?:<[^()]{0,300}>)?\(\s*\{[^{}]{0,200}?\bmethod\s*:\s*(?<arguments>["'][A-Z]+["']|\[[^\]]{0,100}\])\s*,[^{}]{0,200}?\b(?:url|path)\s*:\s*${quoted('path')}`,
      ),
      methods: /["']([A-Z]+)["']/g,
    },
    {
      gives: 'mount',
      expression: expression(
        String.raw`(?<![\w$])(?<on>[\w$]+)\.register\(\s*(?<router>[\w$.]+(?:\(["'][^"'\n]+["']\))?)\s*,\s*\{[^}]{0,200}?\bprefix\s*:\s*${quoted('prefix')}`,
      ),
    },
  ],
};

import type { Detector } from './detector.ts';
import { ecmascriptMethods, routeCall, routeChain, routerVariable, useCall } from './patterns.ts';

/** Routes on applications and routers. */
export const express: Detector = {
  id: 'express',
  title: 'Express',
  languages: ['JavaScript', 'TypeScript', 'TSX'],
  hint: /\.(?:get|post|put|patch|delete|head|options|all|route|use)\s*\(\s*["'`][/*"'`]/,
  uses: /^express(?:$|\/|@)/,
  handedOn: true,
  routers: /(?:[aA]pp|[rR]outers?|[rR]outes?|[sS]erver)$/,
  patterns: [
    routerVariable(String.raw`(?:express\s*\(|(?:express\s*\.\s*)?Router\s*\()`),
    routeCall(ecmascriptMethods),
    routeChain,
    useCall,
  ],
};

import type { Detector } from './detector.ts';
import { ecmascriptMethods, expression, quoted, routeCall, routerVariable, useCall } from './patterns.ts';

/** Koa has no routes itself: those of its routers, `@koa/router` and `koa-router`. */
export const koa: Detector = {
  id: 'koa',
  title: 'Koa',
  languages: ['JavaScript', 'TypeScript', 'TSX'],
  hint: /\bRouter\b|[rR]outers?\s*\./,
  uses: /^(?:@koa\/router|koa-router|koa)$/,
  handedOn: true,
  routers: /[rR]outers?$/,
  patterns: [
    routerVariable(String.raw`new\s+\w*Router\b[^;{}]{0,80}\(\s*\{[^}]{0,200}?\bprefix\s*:\s*${quoted('prefix')}`),
    routerVariable(String.raw`(?:new\s+\w*Router\b|[rR]outer\s*\()`),
    {
      gives: 'router',
      expression: expression(String.raw`(?<![\w$])(?<router>[\w$]+)\.prefix\(\s*${quoted('prefix')}`),
    },
    routeCall(ecmascriptMethods),
    // The first argument may be the route's name.
    routeCall(ecmascriptMethods, String.raw`["'][\w:.-]{1,80}["']\s*,\s*${quoted('path', '/')}`),
    useCall,
  ],
};

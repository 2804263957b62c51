import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

const camel = (name: string) =>
  name
    .split('/')
    .map((part) => part.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join('::');

/** `users#show` is `UsersController.show`. */
const action = (handler: string): string | null => {
  const [, controller, name] = /([\w/]+)#(\w+)/.exec(handler) ?? [];
  return controller && name ? `${camel(controller)}Controller.${name}` : null;
};

const own = [
  ['GET', '', 'show'],
  ['POST', '', 'create'],
  ['PATCH', '', 'update'],
  ['PUT', '', 'update'],
  ['DELETE', '', 'destroy'],
] as const;

/** The routing table. */
export const rails: Detector = {
  id: 'rails',
  title: 'Ruby on Rails',
  languages: ['Ruby'],
  hint: /\broutes\.draw\b/,
  patterns: [
    {
      gives: 'scope',
      expression: expression(
        String.raw`^[ \t]*(?:namespace|scope)[ (]+(?:path:[ ]*)?(?::|["'])(?<prefix>[\w/:-]+)[^\n]*\bdo\b`,
      ),
    },
    {
      gives: 'scope',
      expression: expression(String.raw`^[ \t]*resources[ (]+:(?<prefix>\w+)(?=[^\n]*\bdo\b)`),
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`^[ \t]*(?<method>get|post|put|patch|delete|match)[ (]+(?::(?=\w)|["'])(?<path>[^"'\n ,]{1,200})["']?(?=(?<handler>[^\n]{0,200}))`,
      ),
      handlerName: action,
    },
    {
      gives: 'endpoint',
      otherwise: ['GET'],
      handlerName: action,
      expression: expression(String.raw`^[ \t]*root(?=[ (])[^\n]{0,20}?(?<handler>${quoted('target')})`),
    },
    {
      gives: 'endpoint',
      expression: expression(String.raw`^[ \t]*resources[ (]+:(?<path>\w+)`),
      expands: [
        ['GET', '', 'index'],
        ['POST', '', 'create'],
        ...own.filter(([, , name]) => name !== 'create').map(([method, , name]) => [method, '/{id}', name] as const),
      ],
      handlerName: action,
    },
    {
      gives: 'endpoint',
      expression: expression(String.raw`^[ \t]*resource[ (]+:(?<path>\w+)`),
      expands: own,
      handlerName: action,
    },
  ],
};

import type { Detector, Groups } from './detector.ts';
import { expression, quoted } from './patterns.ts';

const camel = (name: string) =>
  name
    .split('/')
    .map((part) => part.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join('::');

/** `users#show` is `UsersController.show`. */
const action = (handler: string): string | null => {
  const [, controller, name] = /(?<![\w/])([\w/]+)#(\w+)/.exec(handler) ?? [];
  return controller && name ? `${camel(controller)}Controller.${name}` : null;
};

const collection = [
  ['GET', 'index'],
  ['POST', 'create'],
] as const;
const member = [
  ['GET', 'show'],
  ['PATCH', 'update'],
  ['PUT', 'update'],
  ['DELETE', 'destroy'],
] as const;

/** Whether `only:` and `except:` leave an action. */
function isLeft(name: string, options: string): boolean {
  // Bounded: the words are our own, and none of it begins twice.
  const listed = (word: string) =>
    new RegExp(`\\b${word}:\\s*(\\[[^\\]]*\\]|%i\\[[^\\]]*\\]|:\\w+)`).exec(options)?.[1];
  // Bounded: a name of an action, which is our own.
  const has = (list: string) => new RegExp(`\\b${name}\\b`).test(list);
  const [only, except] = [listed('only'), listed('except')];
  return only !== undefined ? has(only) : except === undefined || !has(except);
}

const parameter = (options: string) => /\bparam:\s*:(\w+)/.exec(options)?.[1];

function resources({ path = '', arguments: options = '' }: Groups) {
  return [...collection, ...member]
    .filter(([, name]) => isLeft(name, options))
    .map(([method, name]) => {
      const isMember = name !== 'index' && name !== 'create';
      return {
        method,
        path: isMember ? `${path}/{${parameter(options) ?? 'id'}}` : path,
        handler: action(`${path}#${name}`),
      };
    });
}

/** There is one of it, but its controller is named as if there were many. */
function resource({ path = '', arguments: options = '' }: Groups) {
  return [['POST', 'create'] as const, ...member]
    .filter(([, name]) => isLeft(name, options))
    .map(([method, name]) => ({ method, path, handler: action(`${path}s#${name}`) }));
}

const single = (name: string) => name.replace(/ies$/, 'y').replace(/s$/, '');

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
        String.raw`^[ \t]*(?:namespace|scope)[ (]+(?:path:[ ]*)?(?::|["'])(?<prefix>[\w/:-]+)(?![\w/:-])[^\n]*\bdo\b`,
      ),
    },
    {
      gives: 'scope',
      expression: expression(String.raw`^[ \t]*resources[ (]+:(?<name>\w+)\b(?<arguments>[^\n]*)\bdo\b`),
      prefixOf: ({ name = '', arguments: options = '' }) => `${name}/{${single(name)}_${parameter(options) ?? 'id'}}`,
    },
    { gives: 'scope', expression: expression(String.raw`^[ \t]*resource[ (]+:(?<prefix>\w+)\b[^\n]*\bdo\b`) },
    { gives: 'scope', expression: expression(String.raw`^[ \t]*collection[ ]+do\b`), prefixOf: () => '..' },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`^[ \t]*(?<method>get|post|put|patch|delete|match)[ (]+(?::(?=\w)|["'])(?<path>[^"'\n ,]{1,200})["']?(?=(?<handler>[^\n]{0,200}))(?![^\n]*\bon:\s*:collection)`,
      ),
      handlerName: action,
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`^[ \t]*(?<verb>get|post|put|patch|delete)[ (]+(?::(?=\w)|["'])(?<path>[^"'\n ,]{1,200})[^\n]*\bon:\s*:collection`,
      ),
      expands: ({ verb = '', path = '' }) => [{ method: verb.toUpperCase(), path: `../${path}`, handler: null }],
    },
    {
      gives: 'endpoint',
      otherwise: ['GET'],
      handlerName: action,
      expression: expression(String.raw`^[ \t]*root(?=[ (])[^\n]{0,20}?(?<handler>${quoted('target')})`),
    },
    {
      gives: 'endpoint',
      expression: expression(String.raw`^[ \t]*resources[ (]+:(?<path>\w+)(?<arguments>[^\n]*)`),
      expands: resources,
    },
    {
      gives: 'endpoint',
      expression: expression(String.raw`^[ \t]*resource[ (]+:(?<path>\w+)(?<arguments>[^\n]*)`),
      expands: resource,
    },
  ],
};

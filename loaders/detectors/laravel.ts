import type { Detector } from './detector.ts';
import { expression, quoted } from './patterns.ts';

/** `[UserController::class, 'show']` and `'UserController@show'` are `UserController.show`. */
const action = (handler: string): string | null => {
  const [, name, method] = /(?<!\w)(\w+)(?:::class\s*,\s*["']|[@#])(\w+)/.exec(handler) ?? [];
  return name && method ? `${name}.${method}` : null;
};

const actions = [
  ['GET', '', 'index'],
  ['POST', '', 'store'],
  ['GET', '/{id}', 'show'],
  ['PUT', '/{id}', 'update'],
  ['DELETE', '/{id}', 'destroy'],
] as const;

/** The files of routes; those of `routes/api.php` are below `/api`. */
export const laravel: Detector = {
  id: 'laravel',
  title: 'Laravel',
  languages: ['PHP'],
  hint: /\bRoute::/,
  location: (path) => (path.endsWith('routes/api.php') ? '/api' : null),
  patterns: [
    {
      gives: 'scope',
      expression: expression(
        String.raw`^[ \t]*Route::(?:\w+\([^()]*\)->)*prefix\(\s*${quoted('prefix')}\s*\)[^\n]*\bgroup\(`,
      ),
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`\bRoute::(?<method>get|post|put|patch|delete|options|any)\(\s*${quoted('path')}\s*,(?=(?<handler>[^;\n]{0,200}))`,
      ),
      handlerName: action,
    },
    {
      gives: 'endpoint',
      expression: expression(
        String.raw`\bRoute::(?:apiResource|resource)\(\s*${quoted('path')}\s*,\s*(?<controller>\w+)`,
      ),
      expands: ({ path = '', controller = '' }) =>
        actions.map(([method, added, name]) => ({ method, path: path + added, handler: `${controller}.${name}` })),
    },
  ],
};

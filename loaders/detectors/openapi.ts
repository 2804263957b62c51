import type { Detector } from './detector.ts';
import { readYaml } from '../read-yaml.ts';
import { dataModel, lineOfKey, record } from './documents.ts';
import { pathTemplate } from './path-template.ts';

const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']);

/** Operations and schemas of a description, OpenAPI 3 or Swagger 2. */
export const openapi: Detector = {
  id: 'openapi',
  title: 'OpenAPI',
  languages: [],
  files: /(?:openapi|swagger)[^/]*\.(?:json|ya?ml)$|(?:^|\/)(?:openapi|swagger)\/[^/]+\.(?:json|ya?ml)$/i,
  hint: /["']?(?:openapi|swagger)["']?\s*:/,
  read(text, path) {
    const document = record(path.endsWith('.json') ? JSON.parse(text) : readYaml(text).value);
    const base = typeof document['basePath'] === 'string' ? document['basePath'] : '';
    const schemas = { ...record(document['definitions']), ...record(record(document['components'])['schemas']) };
    return [
      ...Object.entries(record(document['paths'])).flatMap(([address, item]) =>
        Object.entries(record(item))
          .filter(([method]) => methods.has(method))
          .map(([method, operation]) => {
            const id = record(operation)['operationId'];
            return {
              gives: 'endpoint' as const,
              method: method.toUpperCase(),
              path: pathTemplate(`${base}/${address}`),
              line: lineOfKey(text, address),
              router: null,
              handler: typeof id === 'string' ? id : null,
              definition: -1,
              within: -1,
            };
          }),
      ),
      ...Object.entries(schemas).map(([name, schema]) => dataModel(name, record(schema), text)),
    ];
  },
};

// Cuts out of a forge's published description (OpenAPI 3 or Swagger 2, JSON or YAML) what it says of the operations that we ask for:
// parameters, statuses, headers and schemas, with all that these refer to, and without prose. Prints it as JSON.
// Arguments: FILE, then each operation as `get /orgs/{org}/repos`.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const [file = '', ...operations] = process.argv.slice(2);
const whole = parse(readFileSync(file, 'utf8')) as { [key: string]: Json };
/** Of a schema, a parameter or a response: what is for people, or for a generator of documentation. */
const prose = new Set([
  'description',
  'title',
  'summary',
  'tags',
  'operationId',
  'externalDocs',
  'example',
  'examples',
]);
/** Maps whose keys are names, not keywords. */
const named = new Set([
  'properties',
  'definitions',
  'schemas',
  'responses',
  'headers',
  'parameters',
  'patternProperties',
]);
const cut: { [key: string]: Json } = {};

for (const operation of operations) {
  const [method = '', path = ''] = operation.split(' ');
  const item = at(['paths', path]) as { [key: string]: Json };
  const { parameters = [], requestBody, responses = {} } = item[method] as { [key: string]: Json };
  const shared = (item['parameters'] ?? []) as Json[];
  const body = requestBody === undefined ? {} : { requestBody };
  put(['paths', path, method], bare({ parameters: [...shared, ...(parameters as Json[])], ...body, responses }) ?? {});
}
console.log(JSON.stringify(cut, null, 2));

function bare(value: Json | undefined, isMap = false): Json | undefined {
  if (Array.isArray(value)) return value.map((each) => bare(each) ?? null);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isMap || !(prose.has(key) || key.startsWith('x-')));
  return Object.fromEntries(
    kept.map(([key, each]) => {
      if (key === '$ref' && typeof each === 'string') follow(each);
      return [key, bare(each, !isMap && named.has(key)) ?? null];
    }),
  );
}

function follow(reference: string): void {
  const path = reference.slice(2).split('/');
  if (at(path, cut) !== undefined) return;
  // So that one that refers to itself ends.
  put(path, {});
  put(path, bare(at(path)) ?? {});
}

function at(path: readonly string[], from: Json = whole): Json | undefined {
  return path.reduce<Json | undefined>(
    (each, key) => (typeof each === 'object' && each !== null && !Array.isArray(each) ? each[key] : undefined),
    from,
  );
}

function put(path: readonly string[], value: Json): void {
  let into = cut;
  for (const key of path.slice(0, -1)) into = (into[key] ??= {}) as { [key: string]: Json };
  into[path.at(-1) ?? ''] = value;
}

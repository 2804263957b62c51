import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import type { ValidateFunction } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import type { Forge } from '../../src/model/listing.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
}
interface Operation {
  parameters: readonly Parameter[];
  requestBody?: { [key: string]: unknown };
  responses: Record<string, { $ref?: string; headers?: Record<string, Json>; [key: string]: unknown }>;
}

/** One question and its answer. */
export interface Exchange {
  method: string;
  /** Behind the address of the API: `/orgs/acme/repos`. */
  path: string;
  query: URLSearchParams;
  /** What was sent with it. */
  sent?: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** As it was sent. */
  body: string;
}

/** What a forge says of its paging outside of its description. */
const paging: Record<Forge, { parameters: readonly string[]; headers: readonly string[] }> = {
  github: { parameters: [], headers: [] },
  // https://docs.gitlab.com/api/rest/#offset-based-pagination
  gitlab: { parameters: [], headers: ['link'] },
  // https://docs.gitea.com/development/api-usage#pagination
  gitea: { parameters: [], headers: ['link'] },
  // https://developer.atlassian.com/cloud/bitbucket/rest/intro/#pagination
  bitbucket: { parameters: ['page', 'pagelen'], headers: [] },
};
/** Headers of HTTP itself. */
const usual = new Set(['content-type']);
/** Any request may be refused, which descriptions do not repeat. */
const refusals = new Set([401, 403, 404, 429]);

const ajv = new Ajv2019({ strict: false, allErrors: true, coerceTypes: false });
addFormats.default(ajv);
const checks = new Map<string, ValidateFunction>();
const read = new Map<Forge, { [key: string]: Json }>();

/** What of an exchange is not as the forge's published description has it (forge-descriptions/README.md): a sentence each. */
export function undescribed(forge: Forge, exchange: Exchange): string[] {
  const { method, status, headers, query } = exchange;
  const document = descriptionOf(forge);
  const { template, operation } = operationOf(document, exchange);
  if (operation === null) return [`${method} ${exchange.path} is not in the description.`];
  const where = `${method} ${template}`;
  const problems: string[] = [];
  const { parameters: morePages, headers: moreHeaders } = paging[forge];
  const parameters = operation.parameters.map((each) => resolved(document, each));
  for (const [name, value] of query) {
    const parameter = parameters.find((each) => each.in === 'query' && each.name === name);
    if (parameter) problems.push(...mistakes(forge, typed(value), parameterSchema(parameter), `${where}?${name}`));
    else if (!morePages.includes(name)) problems.push(`${where} takes no ${name}.`);
  }
  const wanted = bodySchema(operation.requestBody ?? {});
  if (wanted !== null)
    problems.push(...mistakes(forge, JSON.parse(exchange.sent ?? 'null') as Json, wanted, `${where}, what is sent`));
  const told = operation.responses[String(status)];
  if (told === undefined)
    return refusals.has(status) || status >= 500 ? problems : [...problems, `${where} gives no ${status}.`];
  const response = resolved(document, told);
  const known = new Set([
    ...Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()),
    ...moreHeaders,
    ...usual,
  ]);
  for (const name of Object.keys(headers))
    if (!known.has(name.toLowerCase())) problems.push(`${where} gives no header ${name}.`);
  const schema = bodySchema(response);
  if (schema === null) return problems;
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) problems.push(`${where} gives JSON, and says so.`);
  return [...problems, ...mistakes(forge, JSON.parse(exchange.body) as Json, schema, where)];
}

/** The least that a description asks of a schema: what is required, with any value that fits. */
export function leastOf(forge: Forge, reference: string): Json {
  const document = descriptionOf(forge);
  const value = (schema: { [key: string]: Json }): Json => {
    const { $ref, type, format, properties = {}, required = [] } = schema;
    if (typeof $ref === 'string') return value(at(document, $ref) as { [key: string]: Json });
    if (schema['nullable'] === true) return null;
    if (type === 'boolean') return false;
    if (type === 'integer') return 1;
    if (type === 'string')
      return format === 'uri' ? 'https://forge.example/' : format === undefined ? '' : '2026-01-01T00:00:00Z';
    const parts = properties as { [key: string]: { [key: string]: Json } };
    return Object.fromEntries((required as string[]).map((name) => [name, value(parts[name] ?? {})]));
  };
  return value({ $ref: reference });
}

function descriptionOf(forge: Forge): { [key: string]: Json } {
  const known = read.get(forge);
  if (known) return known;
  const text = readFileSync(join(import.meta.dirname, 'forge-descriptions', `${forge}.json`), 'utf8');
  const document = closedAll(JSON.parse(text) as { [key: string]: Json });
  read.set(forge, document);
  ajv.addSchema(document, forge);
  return document;
}

function operationOf(document: { [key: string]: Json }, { method, path }: Exchange) {
  const paths = document['paths'] as unknown as Record<string, Record<string, Operation>>;
  for (const [template, methods] of Object.entries(paths)) {
    const pattern = template.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
    const operation = methods[method.toLowerCase()];
    if (operation && new RegExp(`^(?:/api/v4)?${pattern.replace(/^\/api\/v4/, '')}$`).test(path))
      return { template, operation };
  }
  return { template: path, operation: null };
}

/** OpenAPI 3 has it apart, Swagger 2 within. */
const parameterSchema = (parameter: Parameter) => {
  const apart = new Set(['name', 'in', 'required']);
  const own =
    'schema' in parameter
      ? parameter.schema
      : Object.fromEntries(Object.entries(parameter).filter(([key]) => !apart.has(key)));
  return own as { [key: string]: Json };
};

/** OpenAPI 3 has it by media type, Swagger 2 has it as it is. */
function bodySchema(response: { [key: string]: unknown }): { [key: string]: Json } | null {
  const { schema, content } = response as {
    schema?: { [key: string]: Json };
    content?: Record<string, { schema: { [key: string]: Json } }>;
  };
  return schema ?? content?.['application/json']?.schema ?? null;
}

function mistakes(forge: Forge, value: Json, schema: { [key: string]: Json }, where: string): string[] {
  const key = `${forge} ${JSON.stringify(schema)}`;
  const check = checks.get(key) ?? ajv.compile(inDocument(forge, schema));
  checks.set(key, check);
  if (check(value)) return [];
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${where} ${instancePath} ${message}: ${JSON.stringify(params)}`,
  );
}

/** With the references that it has read from the description. */
const inDocument = (forge: Forge, schema: { [key: string]: Json }) =>
  JSON.parse(JSON.stringify(closed(schema)).replaceAll('"$ref":"#/', `"$ref":"${forge}#/`)) as object;

const typed = (text: string): Json =>
  /^\d+$/.test(text) ? Number(text) : text === 'true' || text === 'false' ? text === 'true' : text;

function resolved<T extends { $ref?: string }>(document: { [key: string]: Json }, value: T): T {
  return value.$ref === undefined ? value : (at(document, value.$ref) as unknown as T);
}

function at(document: { [key: string]: Json }, reference: string): Json {
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((each, key) => (each as { [key: string]: Json })[key] ?? null, document);
}

/** Most descriptions leave open what else an answer may have, and a fake would invent it. */
function closedAll(document: { [key: string]: Json }): { [key: string]: Json } {
  const schemas = (document['definitions'] ?? (document['components'] as { [key: string]: Json })['schemas']) as {
    [key: string]: Json;
  };
  // What refers to one closes it: it may be one part of several.
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = closed(schema, true);
  return document;
}

function closed(schema: Json, isPart = false): Json {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const { additionalProperties, ...rest } = schema;
  const kept = additionalProperties === true ? rest : schema;
  const inner = Object.entries(kept).map(([key, value]): [string, Json] => {
    if (key === 'properties')
      return [
        key,
        Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, closed(each as Json)])),
      ];
    if (key === 'items' || key === 'additionalProperties') return [key, closed(value)];
    if (Array.isArray(value) && /^(all|any|one)Of$/.test(key)) return [key, value.map((each) => closed(each, true))];
    return [key, value];
  });
  const isObject = 'properties' in kept || '$ref' in kept || 'allOf' in kept;
  return { ...Object.fromEntries(inner), ...(isObject && !isPart ? { unevaluatedProperties: false } : {}) };
}

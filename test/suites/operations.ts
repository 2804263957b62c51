/** What the tests read of a schema in the document. */
interface Schema {
  type?: string;
  examples?: readonly unknown[];
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  minimum?: number;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

/** One operation of the document, with a request that it should like. */
export interface Operation {
  method: string;
  path: string;
  parameters: readonly Parameter[];
  /** One of each kind of body it takes; none when it takes none. */
  bodies: readonly { type: string; value: unknown }[];
}

/** All operations of an OpenAPI document. */
export function operationsOf(document: Record<string, unknown>): Operation[] {
  const { schemas } = document['components'] as { schemas: Record<string, unknown> };
  const inPlace = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inPlace);
    if ('$ref' in value) {
      const name = /^#\/components\/schemas\/(.+)$/.exec(String(value.$ref))?.[1];
      return name === undefined ? value : inPlace(schemas[name]);
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inPlace(each)]));
  };
  const paths = inPlace(document['paths']) as Record<string, Record<string, Definition>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      bodies: Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
        (schema.oneOf ?? [schema]).map((kind) => ({ type, value: sample(kind) })),
      ),
    })),
  );
}

interface Definition {
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** A value as the schema describes it: its example, or the simplest. */
export function sample({
  examples,
  default: usual,
  const: only,
  enum: values,
  anyOf,
  oneOf,
  ...schema
}: Schema): unknown {
  if (examples) return examples[0];
  if (only !== undefined) return only;
  if (values) return values[0];
  const kind = (anyOf ?? oneOf)?.[0];
  if (kind) return sample(kind);
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, member]) => [name, sample(member)]));
  if (schema.type === 'array') return schema.items ? [sample(schema.items)] : [];
  if (usual !== undefined) return usual;
  return (
    { string: 'text', integer: schema.minimum ?? 1, number: schema.minimum ?? 1, boolean: true }[schema.type ?? ''] ??
    {}
  );
}

/** The path and query of a request; parameters that are not given are as their examples, those that need not be are left out. */
export function target({ path, parameters }: Operation, given: Readonly<Record<string, string>> = {}): string {
  const value = ({ name, schema }: Parameter) => given[name] ?? String(sample(schema));
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((to, parameter) => to.replace(`{${parameter.name}}`, encodeURIComponent(value(parameter))), path);
  const query = parameters
    .filter(({ name, required, in: place }) => place === 'query' && (required || name in given))
    .map((parameter): [string, string] => [parameter.name, value(parameter)]);
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query).toString()}`;
}

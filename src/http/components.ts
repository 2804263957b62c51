import { z } from 'zod';

type Json = Record<string, unknown>;

/** What members are called and mean: `name` wherever nothing else is said, `Schema.name` in one schema. */
export type Vocabulary = Readonly<Record<string, string>>;

/** The schemas of a document, each written once and referred to by its name. */
export interface Components {
  schemas: Record<string, Json>;
  /**
   * A schema of zod as the document has it. One with an `id` in its metadata is called so; an object without is called after
   * where it stands, beginning with `name`. Two that are the same are one.
   */
  of(schema: z.ZodType, io: 'input' | 'output', name: string): Json;
  /** Each member of an object, with its description. */
  membersOf(schema: z.ZodObject, io: 'input' | 'output', name: string): Record<string, Json>;
}

const prefix = '#/components/schemas/';

/** Objects with any members, wherever they stand. */
const commonNames = new Map(
  Object.entries({ JsonObject: {}, StringMap: { type: 'string' } }).map(([name, values]) => [
    JSON.stringify({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: values }),
    name,
  ]),
);

/** Collects the schemas of one document. */
export function createComponents(vocabulary: Vocabulary): Components {
  const schemas: Record<string, Json> = {};
  const nameOfContent = new Map<string, string>();
  const textOfId = new Map<string, string>();

  /** Under this name, or under the one that the same schema has already; with a number where the name is of another. */
  const put = (name: string, content: Json): string => {
    const key = contentOf(content);
    const known = nameOfContent.get(key);
    if (known !== undefined) return known;
    let free = name;
    for (let count = 2; free in schemas; count++) free = `${name}${count}`;
    nameOfContent.set(key, free);
    // What it stands for is said where it stands.
    schemas[free] = commonNames.has(key) ? JSON.parse(key) : content;
    return free;
  };

  /** With everything in it in its place, but itself where it is. */
  const filled = (json: Json, name: string, nameOf: ReadonlyMap<string, string>): Json => {
    const within = (value: unknown, at = name) => place(value as Json, at, nameOf);
    const { $ref, description, ...rest } = json;
    const words = description === undefined ? {} : { description };
    if (typeof $ref === 'string') return { $ref: prefix + (nameOf.get($ref.slice('#/$defs/'.length)) ?? ''), ...words };
    const placed: Json = { ...words, ...rest };
    for (const kind of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
      if (Array.isArray(rest[kind])) placed[kind] = rest[kind].map((value) => within(value));
    if (isSchema(rest['items'])) placed['items'] = within(rest['items'], singular(name));
    if (isSchema(rest['additionalProperties']))
      placed['additionalProperties'] = within(rest['additionalProperties'], `${name}Value`);
    if (isSchema(rest['propertyNames'])) placed['propertyNames'] = within(rest['propertyNames'], `${name}Key`);
    if (isSchema(rest['properties']))
      placed['properties'] = Object.fromEntries(
        Object.entries(rest['properties']).map(([member, value]) => [
          member,
          saying(name, member, within(value, name + pascal(member))),
        ]),
      );
    return placed;
  };

  const saying = (name: string, member: string, schema: Json): Json => {
    const said = schema['description'] ?? vocabulary[`${name}.${member}`] ?? vocabulary[member];
    return said === undefined ? schema : { ...schema, description: said };
  };

  /** An object stands in a place of its own. */
  const place = (json: Json, name: string, nameOf: ReadonlyMap<string, string>): Json => {
    const content = filled(json, name, nameOf);
    const common = commonNames.get(contentOf(content));
    if (!('properties' in content) && common === undefined) return content;
    const { description } = content;
    return { $ref: prefix + put(common ?? name, content), ...(description === undefined ? {} : { description }) };
  };

  const of: Components['of'] = (schema, io, name) => {
    const {
      $schema: _,
      $defs,
      ...json
    } = z.toJSONSchema(schema, {
      io,
      override: ({ jsonSchema }) => {
        // A client must expect new fields in a response; so the contract doesn't exclude them.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    // One that has a name is a definition, wherever it stands.
    const isNamed = typeof json['id'] === 'string';
    const definitions = { ...$defs, ...(isNamed ? { [String(json['id'])]: json } : {}) };
    const named = Object.entries(definitions).map(([key, definition]) => {
      const { id: _, ...content } = definition as Json;
      // What refers to itself and has no name is numbered.
      const said = key.startsWith('__') ? name + pascal(key) : key;
      const text = JSON.stringify(content);
      // What is sent may be stricter than what is answered.
      const known = textOfId.get(said);
      const own = known === undefined || known === text ? said : `${said}Input`;
      textOfId.set(own, text);
      return { key, own, content };
    });
    const nameOf = new Map(named.map(({ key, own }) => [key, own]));
    for (const { own, content } of named) {
      if (own in schemas) continue;
      const definition = filled(content, own, nameOf);
      schemas[own] = definition;
      nameOfContent.set(contentOf(definition), own);
    }
    return isNamed ? { $ref: prefix + (nameOf.get(String(json['id'])) ?? '') } : place(json, name, nameOf);
  };

  return {
    schemas,
    of,
    membersOf(schema, io, name) {
      const { properties = {} } = z.toJSONSchema(schema, { io });
      return Object.fromEntries(
        Object.keys(properties).map((member) => [
          member,
          saying(name, member, of(schema.shape[member] as z.ZodType, io, name + pascal(member))),
        ]),
      );
    },
  };
}

const contentOf = (schema: Json) => JSON.stringify({ ...schema, description: undefined });

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `api_key` as names of schemas are written. */
export const pascal = (name: string) =>
  name
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const singular = (name: string) => {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
};

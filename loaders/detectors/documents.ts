import type { Found } from './detector.ts';

/** A model as JSON Schema describes it. */
export function dataModel(name: string, schema: Record<string, unknown>, text: string): Found {
  const fields = Object.keys(record(schema['properties']));
  return { gives: 'model', name, table: null, fields, line: lineOfKey(text, name), definition: -1 };
}

/** The line on which a key stands first; 1 where it is written in another way. */
export function lineOfKey(text: string, key: string): number {
  const places = [`"${key}":`, `"${key}" :`, `'${key}':`, `${key}:`, `"${key}"`].map((form) => text.indexOf(form));
  const at = places.find((place) => place >= 0) ?? 0;
  return text.slice(0, at).split('\n').length;
}

export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

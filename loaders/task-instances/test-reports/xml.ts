import { XMLParser } from 'fast-xml-parser';

/** An element of a report: its attributes and its elements by name. */
export type XmlElement = Readonly<Record<string, unknown>>;

const lists = new Set(['testsuite', 'testcase']);

/**
 * Parses a report. Attributes are named as they are, with `@` before them. A file can define entities that grow to gigabytes: what
 * has a document type is refused, and only the references that XML itself knows are resolved. Nested more than 100 deep is refused.
 */
export function parseXml(text: string): XmlElement {
  if (/^[^<]*(?:(?:<\?[^>]*>|<!--(?:(?!-->)[^])*-->)\s*)*<!DOCTYPE/i.test(text.slice(0, 65_536)))
    throw new Error('it has a document type');
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    processEntities: false,
    parseTagValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    maxNestedTags: 100,
    isArray: (name) => lists.has(name),
  });
  return parser.parse(text) as XmlElement;
}

/** The elements of this name below one. */
export function elements(parent: XmlElement, name: 'testsuite' | 'testcase'): XmlElement[] {
  const found = parent[name];
  return Array.isArray(found) ? found.filter((each) => typeof each === 'object' && each !== null) : [];
}

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The text of an attribute; empty where there is none. */
export function attribute(element: XmlElement, name: string): string {
  const value = element[`@${name}`];
  if (typeof value !== 'string') return '';
  return value.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi,
    (written, decimal, hex, entity) => {
      if (entity !== undefined) return named[entity] ?? written;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : written;
    },
  );
}

import type { Detector } from './detector.ts';
import { dataModel, record } from './documents.ts';

/** A schema with a title or an id, and what it defines. */
export const jsonSchema: Detector = {
  id: 'json-schema',
  title: 'JSON Schema',
  languages: [],
  files: /[.-]schema\.json$/,
  hint: /"\$schema"/,
  read(text, path) {
    const schema = record(JSON.parse(text));
    const name = typeof schema['title'] === 'string' ? schema['title'] : path.replace(/^.*\/|[.-]schema\.json$/g, '');
    const defined = { ...record(schema['definitions']), ...record(schema['$defs']) };
    return [
      ...(schema['properties'] === undefined ? [] : [dataModel(name, schema, text)]),
      ...Object.entries(defined).flatMap(([each, value]) =>
        record(value)['properties'] === undefined ? [] : [dataModel(each, record(value), text)],
      ),
    ];
  },
};

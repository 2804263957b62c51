import type { Detector, Found } from '../../detectors/detector.ts';
import type { DefinitionRef } from '../../resolution/definition-ref.ts';
import type { DetectedInput } from '../detected-nodes.ts';
import type { NodeCollector } from './node-collector.ts';

type Model = Extract<Found, { gives: 'model' }>;

/** As many of a model's fields are said. */
const maxFields = 50;

/** Data models, with an edge to the class that describes each (DEPENDS_ON). */
export function createModels(
  { documents, resolution, idAt }: Pick<DetectedInput, 'documents' | 'resolution' | 'idAt'>,
  { add, connect }: NodeCollector,
) {
  const models = new Map<string, Detector>();

  return { add: addModel, addInherited };

  function addModel(path: string, document: number, detector: Detector, model: Model): void {
    const { name, table, line, definition } = model;
    const described = document >= 0 && definition >= 0 ? documents[document]?.facts.definitions[definition] : undefined;
    const own = detector.fieldless
      ? []
      : (described?.members ?? []).filter((member) => member.definition < 0).map((member) => member.name);
    const fields = (model.fields.length > 0 ? model.fields : own).filter((field) => !field.startsWith('__'));
    const id = add('DataModel', path, line, name, detector.id, {
      framework: detector.title,
      ...(table === null ? {} : { table }),
      ...(fields.length > 0 ? { fields: [...new Set(fields)].slice(0, maxFields) } : {}),
    });
    const symbol = definition < 0 ? null : idAt({ document, definition });
    if (id === null || symbol === null) return;
    connect('DEPENDS_ON', id, symbol, path, line, 1, 'definition');
    models.set(`${document} ${definition}`, detector);
  }

  /** A class below a model is one, where the detector says so. */
  function addInherited(): void {
    const below = new Map<string, DefinitionRef[]>();
    for (const { type, from, to } of resolution.edges) {
      if (type !== 'INHERITS') continue;
      const key = `${to.document} ${to.definition}`;
      below.set(key, [...(below.get(key) ?? []), from]);
    }
    // A map gives what is added while it is walked through, too.
    for (const [key, detector] of models) {
      if (!detector.inherited) continue;
      for (const { document, definition } of below.get(key) ?? []) {
        const found = documents[document]?.facts.definitions[definition];
        const path = documents[document]?.path;
        if (!found || path === undefined || models.has(`${document} ${definition}`)) continue;
        const { name, line } = found;
        addModel(path, document, detector, { gives: 'model', name, table: null, fields: [], line, definition });
      }
    }
  }
}

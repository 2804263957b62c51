import type { Detector, Found } from '../../detectors/detector.ts';
import { pathTemplate } from '../../detectors/path-template.ts';
import type { createPrefixes } from '../../detectors/route-prefixes.ts';
import type { Document } from '../../facts/document.ts';
import type { DefinitionRef } from '../../resolution/definition-ref.ts';
import type { DetectedInput } from '../detected-nodes.ts';
import type { NodeCollector } from './node-collector.ts';

type Endpoint = Extract<Found, { gives: 'endpoint' }>;

/** Endpoints, each once at every address where its router is mounted, with an edge to what answers (CALLS). */
export function createEndpoints(
  { documents, resolution, tests, idAt }: Pick<DetectedInput, 'documents' | 'resolution' | 'tests' | 'idAt'>,
  { add, connect }: NodeCollector,
  prefixes: ReturnType<typeof createPrefixes>,
) {
  const answered = new Map<string, { method: string; path: string }>();
  let byQualifiedName: ReturnType<typeof uniqueDefinitions> | undefined;

  return {
    add: addEndpoint,
    /** Addresses that are answered at, tests left out. */
    addresses: () => [...answered.values()],
  };

  function addEndpoint(path: string, document: number, detector: Detector, endpoint: Endpoint): void {
    const { method, line, handler } = endpoint;
    const answers = handlerOf(document, endpoint);
    for (const prefix of prefixes(path, endpoint)) {
      const address = pathTemplate(`${prefix}/${endpoint.path}`);
      if (!tests.has(path)) answered.set(`${method} ${address}`, { method, path: address });
      const id = add('Endpoint', path, line, `${method} ${address}`, detector.id, {
        method,
        path: address,
        framework: detector.title,
        ...(handler === null || answers !== null ? {} : { handler }),
      });
      if (id !== null && answers) connect('CALLS', id, answers.id, path, line, answers.confidence, answers.strategy);
    }
  }

  function handlerOf(document: number, { definition, within, handler }: Endpoint) {
    if (definition >= 0) {
      const id = idAt({ document, definition });
      return id === null ? null : { id, confidence: 1, strategy: 'annotation' };
    }
    if (handler === null) return null;
    const place = document < 0 ? null : resolution.find(document, handler, within);
    const id = place && idAt(place);
    if (id) return { id, confidence: 0.95, strategy: 'value' };
    byQualifiedName ??= uniqueDefinitions(documents);
    const only = byQualifiedName.get(handler.replaceAll('::', '.'));
    const guess = only && handler.includes('.') ? idAt(only) : null;
    return guess === null || guess === undefined ? null : { id: guess, confidence: 0.8, strategy: 'qualified_name' };
  }
}

/** Definitions whose qualified name no other has. */
function uniqueDefinitions(documents: readonly Document[]): Map<string, DefinitionRef | null> {
  const places = new Map<string, DefinitionRef | null>();
  documents.forEach((one, document) => {
    one.facts.definitions.forEach(({ qualifiedName }, definition) => {
      places.set(qualifiedName, places.has(qualifiedName) ? null : { document, definition });
    });
    one.release?.();
  });
  return places;
}

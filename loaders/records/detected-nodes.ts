import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import type { PackageName, Request, Requirement } from '../../src/model/snapshot.ts';
import type { Detection, Found } from '../detectors/detector.ts';
import { createPrefixes } from '../detectors/route-prefixes.ts';
import type { Document } from '../facts/document.ts';
import type { ResolvedPackage } from '../manifests/resolved-packages.ts';
import type { SecurityFinding } from '../metrics/security/security-findings.ts';
import type { DefinitionRef } from '../resolution/definition-ref.ts';
import type { Resolution } from '../resolution/resolution.ts';
import { createEndpoints } from './detected/endpoints.ts';
import { addFrameworks } from './detected/frameworks.ts';
import { createModels } from './detected/models.ts';
import { createNodeCollector } from './detected/node-collector.ts';
import { addSecurityPattern } from './detected/security-patterns.ts';
import { usedDetections } from './detected/used-detections.ts';

/** What is needed of a repository to say what it offers and is made with. */
export interface DetectedInput {
  name: string;
  documents: readonly Document[];
  detections: ReadonlyMap<string, readonly Detection[]>;
  security: readonly SecurityFinding[];
  resolved: readonly ResolvedPackage[];
  resolution: Pick<Resolution, 'edges' | 'externalImports' | 'find' | 'modules' | 'forget'>;
  publishes: readonly PackageName[];
  requires: readonly Requirement[];
  tests: ReadonlySet<string>;
  idAt(place: DefinitionRef): string | null;
}

/** More are kept of no repository. */
const maxRequests = 2_000;

/**
 * Endpoints, data models, frameworks and security patterns as nodes, each contained in the repository; with edges to the function
 * that answers (CALLS), the class that describes a model (DEPENDS_ON), and from the symbol around something insecure (CONTAINS).
 */
export function detectedNodes(input: DetectedInput): {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Addresses that are answered at and asked, tests left out. */
  endpoints: { method: string; path: string }[];
  requests: Request[];
} {
  const { name: repository, documents, resolution, tests } = input;
  const collector = createNodeCollector(repository, documents, tests);
  const files = usedDetections(input).map((file) => ({ ...file, document: collector.documentOf(file.path) }));
  const endpoints = createEndpoints(input, collector, createPrefixes(files, resolution));
  const models = createModels(input, collector);
  const requests = new Map<string, Request>();

  for (const { path, document, detections } of files) {
    for (const { detector, found } of detections) {
      for (const each of found) {
        if (each.gives === 'endpoint') endpoints.add(path, document, detector, each);
        else if (each.gives === 'model') models.add(path, document, detector, each);
        else if (each.gives === 'request' && !tests.has(path)) addRequest(requests, path, each);
      }
    }
    resolution.forget();
  }
  models.addInherited();
  addFrameworks(input, collector);
  for (const finding of input.security) addSecurityPattern(input, collector, finding);
  return {
    nodes: collector.nodes,
    edges: collector.edges,
    endpoints: endpoints.addresses(),
    requests: [...requests.values()].slice(0, maxRequests),
  };
}

function addRequest(
  requests: Map<string, Request>,
  file: string,
  { method, host, path, line }: Extract<Found, { gives: 'request' }>,
): void {
  const key = `${method} ${host ?? ''} ${path}`;
  const known = requests.get(key);
  if (known) known.count++;
  else requests.set(key, { method, host, path, file, line, count: 1 });
}

import { detect } from '../../../loaders/detectors/detect.ts';
import type { Detection } from '../../../loaders/detectors/detector.ts';
import { createExtractor, type Extractor } from '../../../loaders/extraction/extract.ts';
import type { FileFacts } from '../../../loaders/facts/fact.ts';
import { resolve } from '../../../loaders/resolution/resolve.ts';
import { languageOf } from '../../../loaders/languages/index.ts';
import { detectedNodes } from '../../../loaders/records/detected-nodes.ts';
import { symbolIds } from '../../../loaders/records/symbol-ids.ts';
import { languageOf as linguistOf } from '../../../loaders/snapshot/language-of.ts';
import type { Sources } from '../../support/edges-of.ts';

let opening: Promise<Extractor> | undefined;

/** What these sources declare, as a load makes it: nodes of endpoints and data models, and their edges. */
export async function detectedIn(sources: Sources): Promise<ReturnType<typeof detectedNodes>> {
  const extractor = await (opening ??= createExtractor());
  const detections = new Map<string, readonly Detection[]>();
  const documents: { path: string; facts: FileFacts }[] = [];
  for (const [path, source] of Object.entries(sources).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const language = languageOf(path);
    const linguist = linguistOf(path);
    if (!language) {
      detections.set(path, detect({ source, path, linguist, facts: null }));
      continue;
    }
    const read = extractor.read(language, new TextEncoder().encode(source), path, linguist);
    documents.push({ path, facts: read.facts });
    detections.set(path, read.detections ?? []);
  }
  const repository = 'r';
  const resolution = resolve(documents, { paths: Object.keys(sources).sort(), read: (path) => sources[path] ?? null });
  const tests = new Set<string>();
  const { idAt } = symbolIds(repository, documents);
  const detected = detectedNodes({
    name: repository,
    documents,
    detections,
    security: [],
    resolved: [],
    resolution,
    publishes: [],
    requires: [],
    tests,
    idAt,
  });
  return { ...detected, nodes: detected.nodes.filter(({ type }) => type !== 'Framework') };
}

/** Its nodes a line each, with what answers or describes them: `GET /users/{id} -> users.ts#show`. */
export async function declaredIn(sources: Sources): Promise<string[]> {
  const { nodes, edges } = await detectedIn(sources);
  return nodes
    .map(({ id, name }) => {
      const to = edges.filter((edge) => edge.from === id).map((edge) => edge.to.slice('r/'.length));
      return [name, ...to].join(' -> ');
    })
    .sort();
}

import type { Architecture, Knowledge } from '../../src/model/architecture.ts';
import type { Detection } from '../detectors/detector.ts';
import type { Document } from '../facts/document.ts';
import type { Manifests } from '../manifests/read-manifests.ts';
import type { Glance, Measures } from '../metrics/file-measures.ts';
import type { HistoryFacts } from '../metrics/history-facts.ts';
import type { MeasuredFile } from '../metrics/metric.ts';
import type { FileImport } from '../facts/file-import.ts';
import type { Resolution } from '../resolution/resolution.ts';
import type { Contributor } from '../snapshot/contributors.ts';
import type { OpenSnapshot } from '../snapshot/snapshot.ts';
import { architectureOf } from './architecture-of.ts';
import { deadCode } from './dead-code.ts';
import { offeredBy } from './offered.ts';
import { ownAmongOthers } from './own-among-others.ts';

/** The architecture of an open snapshot, by what was read of it. */
export async function readArchitecture(
  opened: OpenSnapshot,
  known: {
    /** What figures about code count. */
    counted: readonly MeasuredFile[];
    documents: readonly Document[];
    detections: ReadonlyMap<string, readonly Detection[]>;
    measures: Measures;
    glances: ReadonlyMap<string, Glance>;
    manifests: Manifests;
    imports: readonly FileImport[];
    /** Null where nobody resolved who calls whom. */
    graph: Resolution | null;
    history: HistoryFacts | null;
    contributors: readonly Contributor[];
  },
): Promise<{ measured: { architecture: Architecture; knowledge: Knowledge }; warnings: readonly string[] }> {
  const { counted, documents, measures, glances, manifests, graph } = known;
  const own = await ownAmongOthers(opened, known);
  const countsOf = (path: string) => ({
    lines: measures.get(path)?.code ?? glances.get(path)?.code ?? 0,
    functions: measures.get(path)?.functions?.length ?? 0,
  });
  const production = new Set(counted.flatMap(({ path, test }) => (test ? [] : [path])));
  const isProduction = (path: string) => production.has(path);
  const isOffered = offeredBy(documents, manifests);
  const { warnings, ...measured } = architectureOf({
    ...known,
    files: counted,
    paths: manifests.paths,
    text: manifests.text,
    imports: own.imports,
    graph: graph && { documents, edges: graph.edges },
    shallow: opened.shallow,
    ownAmongOthers: new Map(own.paths.map((path) => [path, countsOf(path)])),
    deadCode: graph && (await deadCode(opened, { ...known, edges: graph.edges, isProduction, isOffered })),
  });
  return { measured, warnings };
}

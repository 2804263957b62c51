import type { Call } from '../facts/fact.ts';
import type { Document as SpooledDocument } from '../facts/document.ts';
import type { ModuleResolver, RepositoryFiles } from '../languages/language.ts';
import { openTemporaryFile, type TemporaryFile } from '../temporary-file.ts';
import { addBaseEdges, addCompiledBases } from './base-edges.ts';
import { CallEdges } from './call-edges.ts';
import { CompilerAnswers } from './compiler-answers.ts';
import type { Document } from './documents.ts';
import { Engine } from './engine.ts';
import { Findings } from './findings.ts';
import { addImportEdges, pathsOfLibraries } from './import-edges.ts';
import { createLookUp } from './look-up.ts';
import { prepare } from './prepare.ts';
import type { CallOutcome, Compiled, Resolution, ResolvedEdge } from './resolution.ts';
import { type PublishedModule, surfaceOf, type SurfaceNames } from './surface.ts';
import type { Step } from './trace.ts';
import { createNamesakes } from './namesakes.ts';

/** Who wants to know how calls were resolved. */
export interface CallObserver {
  wants(path: string, call: Call): boolean;
  resolved(path: string, call: Call, outcome: CallOutcome, steps: readonly Step[]): void;
}

/** Brings the facts of all files of one repository together: who calls, extends and imports whom. */
export function resolve(
  files: readonly SpooledDocument[],
  repository: Omit<RepositoryFiles, 'packageOf'>,
  compiled: Compiled | null = null,
  file = openTemporaryFile(),
  observer: CallObserver | null = null,
): Resolution {
  const documents = prepare(files, repository);
  const methods = createNamesakes();
  const engine = new Engine(documents, methods.add);
  const findings = new Findings(engine.documents, file);
  const compiler = new CompilerAnswers(engine.documents, compiled);
  const callEdges = new CallEdges(engine, findings, compiler, methods);
  const libraryPaths = pathsOfLibraries(documents);
  const calls = { resolved: 0, external: 0, unresolved: 0 };

  documents.forEach((document, index) => {
    if (document.library) return;
    findings.startDocument(index);
    for (const call of document.facts.calls) {
      const outcome = observer?.wants(document.path, call)
        ? observed(observer, engine, callEdges, index, call)
        : callEdges.add(index, call);
      if (!call.isRead || outcome === 'resolved') calls[outcome]++;
    }
    addBaseEdges(engine, findings, compiler, index);
    addImportEdges(engine, findings, index, libraryPaths);
    findings.endDocument();
    engine.forget();
  });
  if (compiled) addCompiledBases(engine, findings, compiled);
  engine.memory.forgetAll();
  const { edges, externalImports, outside } = findings;
  return {
    edges,
    calls,
    externalImports,
    outside,
    surface: (names) => surfaceOf(engine, publishedModules(documents, names.published), names),
    forget: () => engine.forget(),
    ...createLookUp(engine),
  };
}

/** The edges of the calls of single files, as `resolve` has them, each found when it is asked for. */
export function callsByFile(
  files: readonly SpooledDocument[],
  repository: Omit<RepositoryFiles, 'packageOf'>,
  file: TemporaryFile,
): (path: string) => Iterable<ResolvedEdge> {
  const methods = createNamesakes();
  const engine = new Engine(prepare(files, repository), methods.add);
  const compiler = new CompilerAnswers(engine.documents, null);
  return (path) => {
    const index = engine.documents.numberOf(path);
    if (index === undefined) return [];
    const findings = new Findings(engine.documents, file);
    const callEdges = new CallEdges(engine, findings, compiler, methods);
    findings.startDocument(index);
    for (const call of engine.documents.at(index).facts.calls) callEdges.add(index, call);
    findings.endDocument();
    engine.forget();
    return findings.edges;
  };
}

/** A call, resolved with its steps written down. */
function observed(
  observer: CallObserver,
  engine: Engine,
  callEdges: CallEdges,
  document: number,
  call: Call,
): CallOutcome {
  const { answer, steps } = engine.traced(() => callEdges.add(document, call));
  observer.resolved(engine.documents.at(document).path, call, answer, steps);
  return answer;
}

/** The modules of all languages that others can ask for. */
function* publishedModules(
  documents: readonly Document[],
  keyOf: SurfaceNames['published'],
): Generator<PublishedModule> {
  const languages = new Map<ModuleResolver, string>();
  for (const one of documents) languages.set(one.modules, one.language);
  for (const [modules, language] of languages) {
    for (const published of modules.published?.() ?? []) {
      const key = keyOf(language, published.specifier);
      if (key !== null) yield { key, ...published };
    }
  }
}

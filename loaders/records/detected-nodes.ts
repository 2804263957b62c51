import { nodeId } from '../../src/model/graph.ts';
import type { GraphEdge, GraphNode, NodeType } from '../../src/model/graph.ts';
import type { PackageName, Request, Requirement } from '../../src/model/snapshot.ts';
import type { Detection, Detector, Found } from '../detectors/detector.ts';
import type { Framework } from '../detectors/frameworks.ts';
import { frameworkOf, frameworkOfModule } from '../detectors/frameworks.ts';
import { detectorById } from '../detectors/index.ts';
import { ecosystemOf } from '../manifests/count-imports.ts';
import { pathTemplate } from '../detectors/path-template.ts';
import { createPrefixes } from '../detectors/route-prefixes.ts';
import { securityRule } from '../detectors/security-rules.ts';
import type { Document } from '../facts/document.ts';
import type { DefinitionRef } from '../resolution/definition-ref.ts';
import type { Resolution } from '../resolution/resolution.ts';
import type { ResolvedPackage } from '../manifests/resolved-packages.ts';
import type { SecurityFinding } from '../metrics/security/security-findings.ts';

/** What is needed of a repository to say what it offers and is made with. */
interface Input {
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

type Endpoint = Extract<Found, { gives: 'endpoint' }>;
type Model = Extract<Found, { gives: 'model' }>;
type Asked = Extract<Found, { gives: 'request' }>;

/** As many of a model's fields are said. */
const maxFields = 50;
/** More are kept of no repository. */
const maxRequests = 2_000;

/**
 * Endpoints, data models, frameworks and security patterns as nodes, each contained in the repository; with edges to the function
 * that answers (CALLS), the class that describes a model (DEPENDS_ON), and from the symbol around something insecure (CONTAINS).
 */
export function detectedNodes(input: Input): {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Addresses that are answered at and asked, tests left out. */
  endpoints: { method: string; path: string }[];
  requests: Request[];
} {
  const { name: repository, documents, resolution, tests, idAt } = input;
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const ids = new Set<string>();
  const answered = new Map<string, { method: string; path: string }>();
  const requests = new Map<string, Request>();
  const indexes = new Map(documents.map(({ path }, index) => [path, index]));
  const files = used(input).map((file) => ({ ...file, document: indexes.get(file.path) ?? -1 }));
  const prefixes = createPrefixes(files, resolution);
  let byQualifiedName: ReturnType<typeof uniqueDefinitions> | undefined;
  const models = new Map<string, Detector>();

  for (const { path, document, detections } of files) {
    for (const { detector, found } of detections) {
      for (const each of found) {
        if (each.gives === 'endpoint') addEndpoint(path, document, detector, each);
        else if (each.gives === 'model') addModel(path, document, detector, each);
        else if (each.gives === 'request' && !tests.has(path)) addRequest(path, each);
      }
    }
    resolution.forget();
  }
  addInherited();
  addFrameworks(input);
  for (const finding of input.security) addFinding(finding);
  return { nodes, edges, endpoints: [...answered.values()], requests: [...requests.values()].slice(0, maxRequests) };

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

  function addRequest(file: string, { method, host, path, line }: Asked): void {
    const key = `${method} ${host ?? ''} ${path}`;
    const known = requests.get(key);
    if (known) known.count++;
    else requests.set(key, { method, host, path, file, line, count: 1 });
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

  function addFrameworks({ requires, resolved }: Input): void {
    const seen = new Set<string>();
    for (const requirement of requires) {
      const framework = frameworkOf(requirement);
      if (!framework || seen.has(framework.id)) continue;
      seen.add(framework.id);
      // Of several manifests the one that names a version says most.
      const all = requires.filter((each) => frameworkOf(each) === framework);
      const said =
        all.find(({ range, scope }) => range !== null && scope === 'runtime') ??
        all.find(({ range }) => range) ??
        requirement;
      const { ecosystem, name, range, scope, path, line } = said;
      const settled = resolved.find((each) => each.name === name && sameEcosystem(each.ecosystem, ecosystem));
      add('Framework', path, line, framework.title, framework.kind, {
        version: settled?.version ?? range,
        range,
        package: name,
        ecosystem,
        scope: all.some((each) => each.scope === 'runtime') ? 'runtime' : scope,
        importing_files: all.reduce((sum, { imports }) => sum + imports, 0),
      });
    }
    addImportedFrameworks(seen);
  }

  /** Those that no manifest names, by what files outside tests import. */
  function addImportedFrameworks(seen: ReadonlySet<string>): void {
    const found = new Map<Framework, { path: string; line: number; documents: Set<number> }>();
    for (const { document, language, module, line } of resolution.externalImports) {
      const path = documents[document]?.path;
      const framework = frameworkOfModule(ecosystemOf(language), module);
      if (!framework || path === undefined || seen.has(framework.id) || tests.has(path)) continue;
      const known = found.get(framework) ?? { path, line, documents: new Set() };
      found.set(framework, known);
      known.documents.add(document);
    }
    for (const [{ title, kind }, { path, line, documents: importing }] of found)
      add('Framework', path, line, title, kind, { version: null, importing_files: importing.size });
  }

  function addFinding({ kind, rule, path, line }: SecurityFinding): void {
    const { cwe, severity, message } = securityRule(kind, rule);
    const id = add(
      'SecurityPattern',
      path,
      line,
      rule,
      kind === 'other' ? 'insecure_pattern' : kind === 'code' ? 'insecure_code' : kind,
      { rule, cwe, severity },
      message,
    );
    const document = path === null ? undefined : indexes.get(path);
    if (id === null || document === undefined || line === null) return;
    const around = innermost(document, line);
    if (around) connect('CONTAINS', around, id, path, line, 1, 'place');
  }

  function innermost(document: number, at: number): string | null {
    let inner: string | null = null;
    for (const [definition, { line, endLine }] of (documents[document]?.facts.definitions ?? []).entries())
      if (line <= at && at <= endLine) inner = idAt({ document, definition }) ?? inner;
    return inner;
  }

  /** Null for what is there already. */
  function add(
    type: NodeType,
    path: string | null,
    line: number | null,
    name: string,
    kind: string,
    properties: GraphNode['properties'],
    doc: string | null = null,
  ): string | null {
    const what = type.toLowerCase();
    const plain = nodeId.detected(repository, path ?? '', what, name);
    const id = ids.has(plain) && line !== null ? nodeId.detected(repository, path ?? '', what, name, line) : plain;
    if (ids.has(id)) return null;
    ids.add(id);
    const document = path === null ? undefined : documents[indexes.get(path) ?? -1];
    nodes.push({
      id,
      type,
      name,
      repository,
      kind,
      qualified_name: null,
      language: document?.facts.language ?? null,
      path,
      line,
      end_line: null,
      signature: null,
      doc,
      exported: true,
      properties: path !== null && tests.has(path) ? { ...properties, test: true } : properties,
    });
    connect('CONTAINS', nodeId.repository(repository), id, path, line, 1, 'pattern');
    return id;
  }

  function connect(
    type: GraphEdge['type'],
    from: string,
    to: string,
    path: string | null,
    line: number | null,
    confidence: number,
    strategy: string,
  ): void {
    edges.push({ type, from, to, weight: 1, confidence, strategy, path, line });
  }
}

/** Lockfiles write their ecosystems as osv.dev does. */
const sameEcosystem = (osv: string, ours: string) =>
  osv.toLowerCase() === ours ||
  (osv === 'crates.io' && ours === 'cargo') ||
  (osv === 'Packagist' && ours === 'composer');

/** Detections, by path, of what the file imports, a manifest names, or can't be mistaken. */
function used({ detections, publishes, requires }: Input) {
  const packages = [...requires, ...publishes].map(({ name }) => name);
  const isNamed = new Map<Detector, boolean>();
  const named = (detector: Detector) => {
    const known = isNamed.get(detector);
    if (known !== undefined) return known;
    const found = packages.some((name) => detector.uses?.test(name));
    isNamed.set(detector, found);
    return found;
  };
  return [...detections]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, all]) => {
      const taken = new Set<string>();
      const sure = all.toSorted((a, b) => Number(b.imported) - Number(a.imported));
      return {
        path,
        detections: sure.flatMap(({ detector: id, imported, found }) => {
          const detector = detectorById(id);
          if (!detector || !(imported || named(detector))) return [];
          // Of two frameworks of one form, the first.
          const own = found.filter((each) => !taken.has(keyOf(each)));
          for (const each of own) taken.add(keyOf(each));
          return [{ detector, imported, found: own }];
        }),
      };
    });
}

const keyOf = (found: Found) =>
  found.gives === 'endpoint' ? `${found.method} ${found.path} ${found.line}` : JSON.stringify(found);

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

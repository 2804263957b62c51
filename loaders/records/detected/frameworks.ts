import { ecosystemById } from '../../../src/model/ecosystems/index.ts';
import type { Framework } from '../../detectors/frameworks.ts';
import { frameworkOf, frameworkOfModule } from '../../detectors/frameworks.ts';
import { ecosystemOf } from '../../manifests/count-imports.ts';
import type { DetectedInput } from '../detected-nodes.ts';
import type { NodeCollector } from './node-collector.ts';

type Input = Pick<DetectedInput, 'requires' | 'resolved' | 'resolution' | 'documents' | 'tests'>;

/** Frameworks whose packages the manifests name, or that files import. */
export function addFrameworks(input: Input, collector: NodeCollector): void {
  const { requires, resolved } = input;
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
    const settled = resolved.find((each) => each.name === name && each.ecosystem === ecosystemById(ecosystem)?.osv);
    collector.add('Framework', path, line, framework.title, framework.kind, {
      version: settled?.version ?? range,
      range,
      package: name,
      ecosystem,
      scope: all.some((each) => each.scope === 'runtime') ? 'runtime' : scope,
      importing_files: all.reduce((sum, { imports }) => sum + imports, 0),
    });
  }
  addImportedFrameworks(input, collector, seen);
}

/** Those that no manifest names, by what files outside tests import. */
function addImportedFrameworks(
  { resolution, documents, tests }: Input,
  { add }: NodeCollector,
  seen: ReadonlySet<string>,
): void {
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

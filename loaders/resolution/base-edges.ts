import { isDefined, nameOf } from './callees.ts';
import type { CompilerAnswers } from './compiler-answers.ts';
import { type DefinitionRef, sameDefinition } from './definition-ref.ts';
import { isFunction } from './documents.ts';
import type { Engine } from './engine.ts';
import type { Findings } from './findings.ts';
import { type Compiled, confidences } from './resolution.ts';

/** Who extends, implements or embeds whom, as the classes of a document say it. */
export function addBaseEdges(engine: Engine, findings: Findings, compiler: CompilerAnswers, document: number): void {
  const { documents, classes, ancestors } = engine;
  documents.at(document).facts.definitions.forEach(({ name, bases, receiver }, definition) => {
    if (bases.length === 0) return;
    const isApart = receiver !== undefined && name === '';
    const owner = isApart ? classes.receiver(document, definition) : { document, definition };
    if (!owner || !documents.isNode(owner)) return;
    const from = { document: owner.document, definition: owner.definition };
    const above = superclassOf(engine, document, definition);
    if (above && documents.isNode(above)) {
      const [strategy, line] = ['inheritance', bases[0]?.line ?? 1] as const;
      findings.addEdge({
        type: 'INHERITS',
        from,
        to: above,
        line,
        strategy,
        confidence: confidences[strategy],
        name: '',
      });
    }
    ancestors.bases(document, definition).forEach((values, index) => {
      const base = bases[index];
      if (!base || base.isUnwritten) return;
      const use = { type: 'INHERITS', from, line: base.line, arguments: 0 } as const;
      for (const value of values) findings.addOutside(use, value, isApart);
      const found = values.filter(isDefined);
      const said = compiler.of(document, base.line, nameOf(base.expr), found);
      const strategy = said ? 'scip' : base.how === 'subscripts' ? 'computed_base' : 'inheritance';
      const line = from.document === document ? base.line : lineOf(engine, from);
      for (const to of said ?? found)
        if (documents.isNode(to))
          findings.addEdge({ type: 'INHERITS', from, to, line, strategy, confidence: confidences[strategy], name: '' });
    });
  });
}

/** A chain of traits is followed so far. */
const maxTraits = 32;

/** The class that the first trait of a class extends, where the language gives it to the class (Scala), and the class names it not. */
function superclassOf(engine: Engine, document: number, definition: number): DefinitionRef | null {
  const { documents, ancestors } = engine;
  if (!documents.at(document).semantics.superclassThroughTraits) return null;
  const own = ancestors.bases(document, definition).flat().filter(isDefined);
  let at: DefinitionRef = { document, definition };
  for (let step = 0; step < maxTraits; step++) {
    const [first] = ancestors.bases(at.document, at.definition);
    const written = documents.definition(at.document, at.definition).bases[0];
    const above = written?.isOfCompanion ? undefined : first?.find(isDefined);
    if (!above || documents.at(above.document).library) return null;
    if (documents.definition(above.document, above.definition).kind !== 'interface')
      return step === 0 || own.some((one) => sameDefinition(one, above)) ? null : above;
    at = { document: above.document, definition: above.definition };
  }
  return null;
}

/** What a compiler knows of bases that nobody found here. */
export function addCompiledBases(engine: Engine, findings: Findings, { bases }: Compiled): void {
  const { documents, ancestors } = engine;
  const isClass = (one: DefinitionRef) => {
    const definition = documents.at(one.document).facts.definitions[one.definition];
    return documents.isNode(one) && definition !== undefined && !isFunction(definition);
  };
  for (const { from, to } of bases) {
    const isKnown = ancestors.of(from.document, from.definition).list.some((one) => sameDefinition(one, to));
    if (isKnown || !isClass(from) || !isClass(to)) continue;
    const line = lineOf(engine, from);
    findings.addEdge({ type: 'INHERITS', from, to, line, strategy: 'scip', confidence: confidences.scip, name: '' });
  }
}

function lineOf({ documents }: Engine, { document, definition }: DefinitionRef): number {
  return documents.at(document).facts.definitions[definition]?.line ?? 1;
}

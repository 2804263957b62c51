import type { Call, Expr, FileFacts } from '../facts/fact.ts';
import type { DefinitionRef } from './definition-ref.ts';
import type { Documents } from './documents.ts';

/** What is as unlikely no ordinary build takes: `#ifdef _WIN32`. */
const never = 8;

/** How unlikely an ordinary build takes a definition, and no less what stands in it. */
function unlikelihoodOf({ definitions }: FileFacts, definition: number): number {
  let index = definition;
  while (index >= 0 && definitions[index]?.unlikely === undefined) index = definitions[index]?.owner ?? -1;
  return definitions[index]?.unlikely ?? 0;
}

/** The arguments of a file's calls that no ordinary build makes. */
export function unusualCalls(facts: FileFacts): ReadonlySet<readonly Expr[]> {
  if (!facts.definitions.some(({ unlikely = 0 }) => unlikely >= never)) return new Set();
  return new Set(facts.calls.filter(({ caller }) => unlikelihoodOf(facts, caller) >= never).map(({ args }) => args));
}

/** How far what a call may reach is from the side on which that stands; of other files nobody knows whether they have the same sides. */
export function stepsApart(unlikely: number, isUnusualHere: boolean): number {
  return isUnusualHere ? Math.abs(unlikely - never) : unlikely;
}

/** Of what several builds have in their own way, what the caller's own has: without what no ordinary one takes, or that alone. */
export function ofSameBuild(
  documents: Documents,
  document: number,
  { caller }: Call,
  all: readonly DefinitionRef[],
): readonly DefinitionRef[] {
  if (all.length < 2) return all;
  const isUnusual = (one: DefinitionRef) => (documents.definition(one.document, one.definition).unlikely ?? 0) >= never;
  if (unlikelihoodOf(documents.at(document).facts, caller) < never) {
    const usual = all.filter((one) => !isUnusual(one));
    return usual.length > 0 ? usual : all;
  }
  // There a method may be any of those that override it.
  if (!all.every((one) => documents.definition(one.document, one.definition).kind === 'function')) return all;
  const own = all.filter((one) => one.document === document && isUnusual(one));
  return own.length > 0 ? own : all;
}

import type { Expr } from '../facts/fact.ts';
import { sameDefinition } from './definition-ref.ts';
import type { Engine } from './engine.ts';
import { unite, unknown, type Value, type Values } from './value.ts';

/** Of these, another possibility may say more. */
const saysLittle: ReadonlySet<Value['kind']> = new Set(['variable', 'external', 'container_method']);

/** The first of these that says something; where none does, the last that is not empty. */
export function firstKnown(options: readonly (() => Values)[]): Values {
  let last: Values = unknown;
  for (const option of options) {
    const values = option();
    if (values.length > 0) last = values;
    if (values.some(({ kind }) => !saysLittle.has(kind))) return values;
  }
  return last;
}

type Around = Pick<Engine, 'documents' | 'types' | 'expressions'>;

/** What a test says of a value where it holds, and where it does not. */
export class Narrowing {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** `value` where `test(value)` holds: what the test's predicate says, if it is one. */
  tested(document: number, { test, value }: Extract<Expr, { kind: 'tested' }>): Values {
    const { expressions } = this.#engine;
    return firstKnown([
      () => unite(expressions.evaluate(document, test).map((one) => this.#predicated(one))),
      () => expressions.evaluate(document, value),
    ]);
  }

  /** `value` where it is known to be no instance of `type`. */
  without(document: number, { value, type }: Extract<Expr, { kind: 'without' }>): Values {
    const { expressions, types } = this.#engine;
    const refused = types.of(document, type);
    return expressions
      .evaluate(document, value)
      .filter(
        (one) =>
          one.kind !== 'instance' || !refused.some((other) => other.kind === 'instance' && sameDefinition(other, one)),
      );
  }

  /** What a function's predicate says of its argument. */
  #predicated(test: Value): Values {
    const { documents, types } = this.#engine;
    if (test.kind !== 'function') return unknown;
    const { returnType } = documents.definition(test.document, test.definition);
    return returnType?.kind === 'predicate' ? types.of(test.document, returnType.type) : unknown;
  }
}

import type { Expr, TypeExpr } from '../facts/fact.ts';
import type { Ancestor } from './ancestors.ts';
import { type DefinitionRef, sameDefinition } from './definition-ref.ts';
import type { Engine } from './engine.ts';
import {
  type FunctionValue,
  type InstanceValue,
  isOpen,
  unite,
  unknown,
  type Value,
  type Values,
  type VariableValue,
} from './value.ts';

/** What a definition's type parameters are replaced by, in their order. */
export interface TypeArguments extends DefinitionRef {
  readonly args: readonly Values[];
}

/** Type arguments inside type arguments are replaced so far. */
const maxNesting = 4;

type Around = Pick<
  Engine,
  'documents' | 'classes' | 'ancestors' | 'types' | 'expressions' | 'inference' | 'extensions'
>;

/** Type parameters and what stands in their place. */
export class Generics {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** What a type parameter is at least: `T extends Base`. */
  boundOf({ document, definition, index }: VariableValue): Values {
    const { documents, classes, types } = this.#engine;
    const bound = documents.definition(document, definition).typeParameters[index]?.bound;
    if (bound) return types.of(document, bound);
    // A method apart from its class names the class's parameters anew; their bounds are written there.
    const owners = classes.receivers(document, definition);
    return unite(owners.map((owner) => this.boundOf({ ...owner, kind: 'variable', index })));
  }

  /** The values with type parameters replaced by their arguments; those without an argument stay. */
  substitute(values: Values, replacements: readonly TypeArguments[], nesting = 0): Values {
    if (replacements.length === 0 || nesting > maxNesting || !values.some((value) => isOpen(value))) return values;
    return unite(values.map((value) => this.#substituted(value, replacements, nesting)));
  }

  #substituted(value: Value, replacements: readonly TypeArguments[], nesting: number): Values {
    const inside = (values: Values) => this.substitute(values, replacements, nesting + 1);
    switch (value.kind) {
      case 'variable': {
        const arg = replacements.find((one) => sameDefinition(one, value))?.args[value.index];
        return arg && arg.length > 0 ? arg : [value];
      }
      case 'instance':
      case 'external':
        return [{ ...value, args: value.args.map(inside) }];
      case 'array':
        return [{ ...value, element: inside(value.element) }];
      case 'map':
        return [{ kind: 'map', key: inside(value.key), value: inside(value.value) }];
      case 'tuple':
        return [{ kind: 'tuple', elements: value.elements.map(inside) }];
      case 'callable':
        return [{ ...value, parameters: value.parameters.map(inside), returns: inside(value.returns) }];
      default:
        return [value];
    }
  }

  /** The type arguments that hold for a member of `ancestor` that is taken from `receiver`. */
  ofReceiver(receiver: Value, ancestor: Ancestor): readonly TypeArguments[] {
    const own = receiver.kind === 'super' ? receiver.self : receiver;
    if (own.kind !== 'instance') return [ancestor];
    const outer = [{ document: own.document, definition: own.definition, args: own.args }];
    if (sameDefinition(ancestor, own)) return outer;
    return [{ ...ancestor, args: ancestor.args.map((arg) => this.substitute(arg, outer)) }, ...outer];
  }

  /** Those that hold for a method by the object that it was taken from. */
  ofMethod(value: FunctionValue): readonly TypeArguments[] {
    const { documents, classes, ancestors } = this.#engine;
    const { self } = value;
    if (self?.kind !== 'instance' && self?.kind !== 'super') return [];
    const { list } = ancestors.of(self.document, self.definition);
    const apart = classes.receiver(value.document, value.definition);
    const owner = apart ?? {
      document: value.document,
      definition: documents.definition(value.document, value.definition).owner,
    };
    const ancestor = list.find((one) => sameDefinition(one, owner)) ?? list[0];
    if (!ancestor) return [];
    const replacements = this.ofReceiver(self, ancestor);
    const args = apart && replacements.find((one) => sameDefinition(one, apart))?.args;
    const ofBlock = apart && self.kind === 'instance' ? this.#ofImplementation(value, self) : [];
    if (!args) return [...replacements, ...ofBlock];
    return [...replacements, ...ofBlock, { document: value.document, definition: value.definition, args }];
  }

  /** What stands for the type parameters of `impl<T> Class<T>`, which names the class's own anew. */
  #ofImplementation(value: FunctionValue, self: InstanceValue): readonly TypeArguments[] {
    const { documents, types, inference } = this.#engine;
    const { receiver } = documents.definition(value.document, value.definition);
    if (receiver?.kind !== 'reference' || receiver.args.length === 0 || self.args.length === 0) return [];
    const written = types.of(value.document, receiver);
    const [variable] = written.flatMap((one) =>
      one.kind === 'instance' ? one.args.flat().filter(({ kind }) => kind === 'variable') : [],
    );
    if (variable?.kind !== 'variable' || sameDefinition(variable, self)) return [];
    const { document, definition } = variable;
    const learnt = documents.definition(document, definition).typeParameters.map<Values>(() => unknown);
    inference.learn(written, [self], learnt, variable);
    return [{ document, definition, args: learnt }];
  }

  /** The function's own type parameters, as given or as learnt from the arguments, then from what the call's place expects. */
  ofCall(
    document: number,
    signature: DefinitionRef,
    args: readonly Expr[],
    types: readonly TypeExpr[],
    expected: TypeExpr | null,
    { self, ofUnknown }: Pick<FunctionValue, 'self' | 'ofUnknown'>,
  ): TypeArguments {
    const { documents, types: typing, inference, extensions } = this.#engine;
    const { typeParameters, returnType, receiver, extension } = documents.definition(
      signature.document,
      signature.definition,
    );
    const ofFunction = { document: signature.document, definition: signature.definition };
    if (types.length > 0) return { ...ofFunction, args: types.map((type) => typing.of(document, type)) };
    const learnt: Values[] = typeParameters.map(() => unknown);
    if (typeParameters.length === 0) return { ...ofFunction, args: learnt };
    // What an extension is called on is its first argument.
    const asFunction = extensions.isStatic({ kind: 'function', ...ofFunction, self, ...(ofUnknown && { ofUnknown }) });
    if (self && self.kind !== 'class' && !asFunction && extension && receiver)
      inference.learn(typing.of(signature.document, receiver), [self], learnt, signature);
    inference.fromArguments(signature, document, args, learnt, asFunction);
    if (expected && returnType && learnt.some((values) => values.length === 0)) {
      const asked: Values[] = typeParameters.map(() => unknown);
      inference.learn(typing.of(signature.document, returnType), typing.of(document, expected), asked, signature);
      asked.forEach((values, index) => {
        if (learnt[index]?.length === 0) learnt[index] = values;
      });
    }
    return { ...ofFunction, args: learnt };
  }
}

import { EdgeValue, NodeValue } from '../../model/property-graph.ts';
import type { Value } from '../../model/property-graph.ts';
import { aggregates, sum } from './aggregates.ts';
import type { Effort } from './effort.ts';
import { QueryFailure } from './failure.ts';
import { contentsOf, functions } from './functions.ts';
import { Scope } from './scope.ts';
import type { Compiled, Hoisted, Row, Variable } from './scope.ts';
import type { Expression, Operator } from './syntax.ts';
import { compareKnown, equal, isNumber, typeOf } from './values.ts';
import type { TypeName } from './values.ts';

/** What expressions may use beside variables. */
export interface Environment {
  parameters: ReadonlyMap<string, Value>;
  effort: Effort;
}

type Evaluate = (row: Row) => Value;
type Of<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;
interface Typed {
  evaluate: Evaluate;
  type: Variable['type'];
  /** Of a list whose elements are all of one type. */
  element?: Variable['type'];
}

/** Makes a function of an expression, after it has seen that its variables, functions and types are right. */
export function compile(expression: Expression, scope: Scope, environment: Environment): Compiled {
  const compiler = new Compiler(environment);
  return compiled(compiler, compiler.compile(expression, scope, true));
}

/** The same of a condition, which may be a pattern. */
export function compileCondition(expression: Expression, scope: Scope, environment: Environment): Compiled {
  const compiler = new Compiler(environment);
  return compiled(compiler, { evaluate: compiler.condition(expression, scope, 'WHERE'), type: 'Boolean' });
}

function compiled(compiler: Compiler, { evaluate, type }: Typed): Compiled {
  const { needs, needsEnds, hoisted } = compiler;
  return { evaluate, type, needs, needsEnds, hoisted };
}

const notOf = (what: string, type: string, at: number) =>
  new QueryFailure('SyntaxError', 'InvalidArgumentType', `${what} does not take a ${type}.`, at);

class Compiler {
  readonly needs = new Set<number>();
  readonly hoisted: Hoisted[] = [];
  needsEnds = false;
  private readonly environment: Environment;
  /** Variables of list comprehensions and their like, which only exist while an expression runs. */
  private readonly locals = new Set<string>();
  /** Where a pattern may stand for whether it is there. */
  private readonly conditions = new Set<Expression>();

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** `shallow`: what a node or edge has inside is not looked at. */
  compile(expression: Expression, scope: Scope, shallow = false): Typed {
    switch (expression.kind) {
      case 'literal': {
        const { value } = expression;
        return { evaluate: () => value, type: typeOf(value) };
      }
      case 'slot': {
        const { slot } = expression;
        if (!shallow) this.needs.add(slot);
        return { evaluate: (row) => row[slot] ?? null, type: 'any' };
      }
      case 'parameter':
        return this.parameter(expression);
      case 'variable':
        return this.variable(expression, scope, shallow);
      case 'property':
        return this.property(expression, scope);
      case 'hasLabels':
        return this.hasLabels(expression, scope);
      case 'index':
        return this.index(expression, scope);
      case 'slice':
        return this.slice(expression, scope);
      case 'list':
        return this.list(expression, scope, shallow);
      case 'map':
        return this.map(expression, scope, shallow);
      case 'unary':
        return expression.operator === 'NOT' ? this.not(expression, scope) : this.sign(expression, scope);
      case 'binary':
        return this.binary(expression, scope);
      case 'comparison':
        return this.comparison(expression, scope);
      case 'isNull': {
        const { evaluate } = this.compile(expression.of, scope, true);
        const { negated } = expression;
        return { evaluate: (row) => (evaluate(row) === null) !== negated, type: 'Boolean' };
      }
      case 'case':
        return this.case(expression, scope, shallow);
      default:
        return this.compileMany(expression, scope, shallow);
    }
  }

  /** What goes over lists, rows and patterns. */
  private compileMany(
    expression: Of<
      'call' | 'countAll' | 'quantifier' | 'comprehension' | 'reduce' | 'exists' | 'patternComprehension'
    > & {
      at: number;
    },
    scope: Scope,
    shallow: boolean,
  ): Typed {
    switch (expression.kind) {
      case 'call':
        return this.call(expression, scope);
      case 'countAll':
        throw misplaced(expression.at);
      case 'quantifier':
        return this.quantifier(expression, scope);
      case 'comprehension':
        return this.comprehension(expression, scope, shallow);
      case 'reduce':
        return this.reduce(expression, scope);
      case 'exists':
      case 'patternComprehension':
        return this.hoist(expression, scope, shallow);
    }
  }

  private compileAll(expressions: readonly Expression[], scope: Scope, shallow = false): Typed[] {
    return expressions.map((each) => this.compile(each, scope, shallow));
  }

  private parameter({ name, at }: Of<'parameter'> & { at: number }): Typed {
    const value = this.environment.parameters.get(name);
    if (value === undefined)
      throw new QueryFailure(
        'SyntaxError',
        'MissingParameter',
        `The query names $${name}, and \`parameters\` has no "${name}".`,
        at,
      );
    return { evaluate: () => value, type: 'any' };
  }

  private variable({ name, at }: Of<'variable'> & { at: number }, scope: Scope, shallow: boolean): Typed {
    const variable = scope.get(name);
    if (!variable)
      throw new QueryFailure(
        'SyntaxError',
        'UndefinedVariable',
        `There is no variable ${JSON.stringify(name)} here.`,
        at,
      );
    const { slot, type } = variable;
    if (!shallow) this.needs.add(slot);
    return { evaluate: (row) => row[slot] ?? null, type };
  }

  private property({ of, name, at }: Of<'property'> & { at: number }, scope: Scope): Typed {
    const { evaluate, type } = this.compile(of, scope);
    if (type === 'Path') throw notOf('A property', type, at);
    return { evaluate: (row) => placed(at, () => propertyOf(evaluate(row), name)), type: 'any' };
  }

  private hasLabels({ of, labels, at }: Of<'hasLabels'> & { at: number }, scope: Scope): Typed {
    const { evaluate, type } = this.compile(of, scope, true);
    if (!['any', 'null', 'Node', 'Relationship'].includes(type)) throw notOf('A label', type, at);
    return {
      evaluate(row) {
        const value = evaluate(row);
        if (value === null) return null;
        if (value instanceof NodeValue) return labels.every((label) => value.labels.includes(label));
        if (value instanceof EdgeValue) return labels.every((label) => value.type === label);
        throw new QueryFailure('TypeError', 'InvalidArgumentValue', `A ${typeOf(value)} has no labels.`, at);
      },
      type: 'Boolean',
    };
  }

  private index({ of, index, at }: Of<'index'> & { at: number }, scope: Scope): Typed {
    const [list, place] = [this.compile(of, scope), this.compile(index, scope)];
    return { evaluate: (row) => elementOf(list.evaluate(row), place.evaluate(row), at), type: 'any' };
  }

  private slice({ of, from, to, at }: Of<'slice'> & { at: number }, scope: Scope): Typed {
    const list = this.compile(of, scope);
    const [start, end] = [from, to].map((each) => each && this.compile(each, scope));
    const { effort } = this.environment;
    return {
      evaluate(row) {
        const value = list.evaluate(row);
        const [first, last] = [start, end].map((each) => (each ? each.evaluate(row) : undefined));
        if (value === null || first === null || last === null) return null;
        if (!Array.isArray(value))
          throw new QueryFailure('TypeError', 'InvalidArgumentType', `A ${typeOf(value)} has no parts.`, at);
        if ([first, last].some((each) => each !== undefined && typeof each !== 'bigint'))
          throw new QueryFailure(
            'TypeError',
            'ListElementAccessByNonInteger',
            'A part of a list is from one whole number to another.',
            at,
          );
        return effort.made(value.slice(Number(first ?? 0), last === undefined ? undefined : Number(last)));
      },
      type: 'List',
    };
  }

  private list({ items }: Of<'list'>, scope: Scope, shallow: boolean): Typed {
    const parts = this.compileAll(items, scope, shallow);
    const { effort } = this.environment;
    const [element = 'any', ...others] = new Set(parts.map(({ type }) => type));
    return {
      evaluate: (row) => effort.made(parts.map(({ evaluate }) => evaluate(row))),
      type: 'List',
      element: others.length === 0 ? element : 'any',
    };
  }

  private map({ entries }: Of<'map'>, scope: Scope, shallow: boolean): Typed {
    const parts = entries.map(({ name, value }) => ({ name, ...this.compile(value, scope, shallow) }));
    const { effort } = this.environment;
    return {
      evaluate: (row) =>
        effort.made(new Map(parts.map(({ name, evaluate }): [string, Value] => [name, evaluate(row)]))),
      type: 'Map',
    };
  }

  /** What only takes booleans; says so before it is run where that is known. */
  condition(expression: Expression, scope: Scope, what: string): (row: Row) => boolean | null {
    this.conditions.add(expression);
    const { evaluate, type } = this.compile(expression, scope);
    if (!['any', 'null', 'Boolean'].includes(type)) throw notOf(what, type, expression.at);
    return (row) => booleanOf(evaluate(row), what, expression.at);
  }

  private not({ of }: Of<'unary'>, scope: Scope): Typed {
    const holds = this.condition(of, scope, 'NOT');
    return {
      evaluate(row) {
        const value = holds(row);
        return value === null ? null : !value;
      },
      type: 'Boolean',
    };
  }

  private sign({ operator, of, at }: Of<'unary'> & { at: number }, scope: Scope): Typed {
    const { evaluate, type } = this.compile(of, scope);
    if (!['any', 'null', 'Integer', 'Float'].includes(type)) throw notOf(operator, type, at);
    return {
      evaluate(row) {
        const value = evaluate(row);
        if (value !== null && !isNumber(value))
          throw new QueryFailure(
            'TypeError',
            'InvalidArgumentType',
            `${operator} does not take a ${typeOf(value)}.`,
            at,
          );
        return value === null || operator === '+' ? value : -value;
      },
      type,
    };
  }

  private binary(expression: Of<'binary'> & { at: number }, scope: Scope): Typed {
    const { operator, left, right, at } = expression;
    if (operator === 'AND' || operator === 'OR' || operator === 'XOR') return this.logic(expression, scope, operator);
    const shallow = operator === 'IN';
    const [a, b] = [this.compile(left, scope, shallow), this.compile(right, scope, shallow)];
    const { effort } = this.environment;
    switch (operator) {
      case 'IN':
        if (!['any', 'null', 'List'].includes(b.type)) throw notOf('IN', b.type, at);
        return { evaluate: (row) => isIn(a.evaluate(row), b.evaluate(row), effort, at), type: 'Boolean' };
      case 'STARTS WITH':
      case 'ENDS WITH':
      case 'CONTAINS':
        return { evaluate: (row) => isPart(operator, a.evaluate(row), b.evaluate(row)), type: 'Boolean' };
      default:
        for (const { type } of [a, b])
          if (operator !== '+' && !takesNumbers.includes(type)) throw notOf(operator, type, at);
        return {
          evaluate: (row) => calculated(operator, a.evaluate(row), b.evaluate(row), effort, at),
          type: typeOfResult(operator, a.type, b.type),
        };
    }
  }

  private logic({ left, right }: Of<'binary'>, scope: Scope, operator: 'AND' | 'OR' | 'XOR'): Typed {
    const [a, b] = [this.condition(left, scope, operator), this.condition(right, scope, operator)];
    if (operator === 'XOR')
      return {
        evaluate(row) {
          const [x, y] = [a(row), b(row)];
          return x === null || y === null ? null : x !== y;
        },
        type: 'Boolean',
      };
    // What decides alone: false for AND, true for OR.
    const deciding = operator === 'OR';
    return {
      evaluate(row) {
        const x = a(row);
        if (x === deciding) return deciding;
        const y = b(row);
        if (y === deciding) return deciding;
        return x === null || y === null ? null : !deciding;
      },
      type: 'Boolean',
    };
  }

  private comparison({ first, rest }: Of<'comparison'>, scope: Scope): Typed {
    const start = this.compile(first, scope, true);
    const parts = rest.map(({ operator, right }) => ({ operator, ...this.compile(right, scope, true) }));
    const { effort } = this.environment;
    return {
      evaluate(row) {
        let known: boolean | null = true;
        let left = start.evaluate(row);
        for (const { operator, evaluate } of parts) {
          const right = evaluate(row);
          effort.spend(Math.min(effort.sizeOf(left), effort.sizeOf(right)) - 1);
          const one = compared(operator, left, right);
          if (one === false) return false;
          if (one === null) known = null;
          left = right;
        }
        return known;
      },
      type: 'Boolean',
    };
  }

  private case({ subject, branches, otherwise }: Of<'case'>, scope: Scope, shallow: boolean): Typed {
    const asked = subject && this.compile(subject, scope, true);
    const parts = branches.map(({ when, result }) => ({
      when: asked ? this.compile(when, scope, true).evaluate : this.condition(when, scope, 'CASE WHEN'),
      give: this.compile(result, scope, shallow).evaluate,
    }));
    const rest = otherwise ? this.compile(otherwise, scope, shallow).evaluate : () => null;
    return {
      evaluate(row) {
        const value = asked?.evaluate(row) ?? null;
        const found = parts.find(({ when }) => (asked ? equal(value, when(row)) : when(row)) === true);
        return (found?.give ?? rest)(row);
      },
      type: 'any',
    };
  }

  private call({ name, distinct, arguments: given, at }: Of<'call'> & { at: number }, scope: Scope): Typed {
    if (aggregates.has(name)) throw misplaced(at);
    const found = functions.get(name);
    if (!found || distinct)
      throw new QueryFailure(
        'SyntaxError',
        'UnknownFunction',
        `There is no function ${name}() here. There are: ${[...functions.keys(), ...aggregates.keys()].sort().join(', ')}.`,
        at,
      );
    const { arity, takes, gives = 'any', shallow = false, withNull = false } = found;
    if (given.length < arity[0] || given.length > arity[1])
      throw new QueryFailure(
        'SyntaxError',
        'InvalidNumberOfArguments',
        `${name}() does not take ${given.length} arguments.`,
        at,
      );
    if (name === 'startnode' || name === 'endnode') this.needsEnds = true;
    const [first] = given;
    if (name === 'exists' && first && !['property', 'exists', 'index'].includes(first.kind))
      throw notOf('exists()', first.kind, at);
    if (name === 'exists' && first) this.conditions.add(first);
    const parts = this.compileAll(given, scope, shallow);
    const type = parts[0]?.type ?? 'any';
    if (takes && type !== 'any' && type !== 'null' && !takes.includes(type)) throw notOf(`${name}()`, type, at);
    const { effort } = this.environment;
    return {
      evaluate(row) {
        const values = parts.map(({ evaluate }) => evaluate(row));
        if (!withNull && values.includes(null)) return null;
        effort.spend(1);
        return placed(at, () => found.call(values, effort));
      },
      type: gives,
    };
  }

  /** A scope with one variable more, which lives while an expression runs. */
  private local(scope: Scope, name: string, type: Variable['type'] = 'any'): { scope: Scope; slot: number } {
    const inner = scope.inner();
    this.locals.add(name);
    return { scope: inner, slot: inner.declare(name, type).slot };
  }

  private listIn(expression: Expression, scope: Scope) {
    const { evaluate, type, element } = this.compile(expression, scope);
    if (!['any', 'null', 'List'].includes(type)) throw notOf('IN', type, expression.at);
    const items = (row: Row): Value[] | null => {
      const value = evaluate(row);
      if (value !== null && !Array.isArray(value))
        throw new QueryFailure(
          'TypeError',
          'InvalidArgumentType',
          `IN goes through a list, not a ${typeOf(value)}.`,
          expression.at,
        );
      return value;
    };
    return { items, element };
  }

  private quantifier({ quantifier, variable, list, where }: Of<'quantifier'>, outer: Scope): Typed {
    const { items, element } = this.listIn(list, outer);
    const { scope, slot } = this.local(outer, variable, element);
    const holds = this.condition(where, scope, quantifier);
    const { effort } = this.environment;
    return {
      evaluate(row) {
        const values = items(row);
        if (values === null) return null;
        const counts = { true: 0, false: 0, null: 0 };
        for (const value of values) {
          effort.spend(1);
          row[slot] = value;
          counts[`${holds(row)}`] += 1;
        }
        return verdict(quantifier, counts);
      },
      type: 'Boolean',
    };
  }

  private comprehension({ variable, list, where, result }: Of<'comprehension'>, outer: Scope, shallow: boolean): Typed {
    const { items, element } = this.listIn(list, outer);
    const { scope, slot } = this.local(outer, variable, element);
    const holds = where && this.condition(where, scope, 'WHERE');
    const give = result && this.compile(result, scope, shallow);
    const { effort } = this.environment;
    return {
      evaluate(row) {
        const values = items(row);
        if (values === null) return null;
        const found: Value[] = [];
        for (const value of values) {
          effort.spend(1);
          row[slot] = value;
          if (!holds || holds(row) === true) found.push(give ? give.evaluate(row) : value);
        }
        return effort.made(found);
      },
      type: 'List',
    };
  }

  private reduce({ accumulator, initial, variable, list, result }: Of<'reduce'>, outer: Scope): Typed {
    const { items } = this.listIn(list, outer);
    const start = this.compile(initial, outer);
    const total = this.local(outer, accumulator);
    const each = this.local(total.scope, variable);
    const next = this.compile(result, each.scope);
    const { effort } = this.environment;
    return {
      evaluate(row) {
        const values = items(row);
        if (values === null) return null;
        let value = start.evaluate(row);
        for (const item of values) {
          effort.spend(1);
          row[total.slot] = value;
          row[each.slot] = item;
          value = next.evaluate(row);
        }
        return value;
      },
      type: 'any',
    };
  }

  private hoist(expression: Hoisted['expression'], scope: Scope, shallow: boolean): Typed {
    if (expression.kind === 'exists' && expression.bare && !this.conditions.has(expression))
      throw new QueryFailure(
        'SyntaxError',
        'UnexpectedSyntax',
        'A pattern is a condition, as in WHERE. Its matches are [(a)-->(b) | b].',
        expression.at,
      );
    if (this.locals.size > 0 && [...this.locals].some((name) => mentions(expression, name)))
      throw new QueryFailure(
        'NotSupported',
        'pattern in a list',
        'A pattern that uses the variable of a list comprehension, a quantifier or reduce() is not in the subset. Use UNWIND and OPTIONAL MATCH.',
        expression.at,
      );
    const slot = scope.slot();
    this.hoisted.push({ slot, expression, scope: scope.inner() });
    if (!shallow) this.needs.add(slot);
    return { evaluate: (row) => row[slot] ?? null, type: expression.kind === 'exists' ? 'Boolean' : 'List' };
  }
}

/** Whether a pattern says this name anywhere. */
const mentions = (expression: Expression, name: string): boolean =>
  JSON.stringify(expression, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).includes(
    JSON.stringify(name),
  );

const takesNumbers: readonly Variable['type'][] = ['any', 'null', 'Integer', 'Float'];

const misplaced = (at: number) =>
  new QueryFailure(
    'SyntaxError',
    'InvalidAggregation',
    'What aggregates stands in WITH or RETURN, and not inside of what aggregates.',
    at,
  );

/** Failures of a function say where it was called. */
function placed<T>(at: number, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof QueryFailure && error.at === null)
      throw new QueryFailure(error.kind, error.reason, error.message, at);
    throw error;
  }
}

function booleanOf(value: Value, what: string, at: number): boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  throw new QueryFailure(
    'TypeError',
    'InvalidArgumentType',
    `${what} takes true, false or null, and not a ${typeOf(value)}.`,
    at,
  );
}

function verdict(
  quantifier: Of<'quantifier'>['quantifier'],
  counts: { true: number; false: number; null: number },
): boolean | null {
  const unknown = counts.null > 0 ? null : undefined;
  switch (quantifier) {
    case 'all':
      return counts.false > 0 ? false : unknown === null ? null : true;
    case 'any':
      return counts.true > 0 ? true : unknown === null ? null : false;
    case 'none':
      return counts.true > 0 ? false : unknown === null ? null : true;
    case 'single':
      return counts.true > 1 ? false : unknown === null ? null : counts.true === 1;
  }
}

/** A property of a node, an edge or a map. */
export function propertyOf(value: Value, name: string): Value {
  if (value === null) return null;
  if (value instanceof NodeValue || value instanceof EdgeValue) return contentsOf(value).get(name) ?? null;
  if (value instanceof Map) return value.get(name) ?? null;
  throw new QueryFailure('TypeError', 'InvalidArgumentType', `A ${typeOf(value)} has no properties.`);
}

function elementOf(value: Value, index: Value, at: number): Value {
  if (value === null || index === null) return null;
  if (Array.isArray(value)) {
    if (typeof index !== 'bigint')
      throw new QueryFailure(
        'TypeError',
        'ListElementAccessByNonInteger',
        `An element of a list is found by a whole number, not by a ${typeOf(index)}.`,
        at,
      );
    return value.at(Number(index)) ?? null;
  }
  if (!(value instanceof Map) && !(value instanceof NodeValue) && !(value instanceof EdgeValue))
    throw new QueryFailure('TypeError', 'InvalidArgumentType', `A ${typeOf(value)} has no elements.`, at);
  if (typeof index !== 'string')
    throw new QueryFailure(
      'TypeError',
      'MapElementAccessByNonString',
      `A property is found by its name, not by a ${typeOf(index)}.`,
      at,
    );
  return propertyOf(value, index);
}

function isIn(value: Value, list: Value, effort: Effort, at: number): boolean | null {
  if (list === null) return null;
  if (!Array.isArray(list))
    throw new QueryFailure('TypeError', 'InvalidArgumentType', `IN looks into a list, not into a ${typeOf(list)}.`, at);
  let known: boolean | null = false;
  for (const each of list) {
    effort.spend(Math.min(effort.sizeOf(value), effort.sizeOf(each)));
    const same = equal(value, each);
    if (same === true) return true;
    if (same === null) known = null;
  }
  return known;
}

function isPart(operator: 'STARTS WITH' | 'ENDS WITH' | 'CONTAINS', text: Value, part: Value): boolean | null {
  if (typeof text !== 'string' || typeof part !== 'string') return null;
  if (operator === 'CONTAINS') return text.includes(part);
  return operator === 'STARTS WITH' ? text.startsWith(part) : text.endsWith(part);
}

/** Whether one value stands so to another. */
function compared(operator: Of<'comparison'>['rest'][number]['operator'], a: Value, b: Value): boolean | null {
  if (operator === '=' || operator === '<>') {
    const same = equal(a, b);
    return same === null ? null : same === (operator === '=');
  }
  if (a === null || b === null) return null;
  const order = compareKnown(a, b);
  if (order === null) return null;
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function typeOfResult(operator: Operator, a: Variable['type'], b: Variable['type']): Variable['type'] {
  const both: (TypeName | 'any')[] = [a, b];
  if (operator === '^') return 'Float';
  if (operator === '+' && both.includes('List')) return 'List';
  if (both.every((type) => type === 'Integer')) return 'Integer';
  return both.every((type) => type === 'Integer' || type === 'Float') ? 'Float' : 'any';
}

function calculated(operator: Operator, a: Value, b: Value, effort: Effort, at: number): Value {
  if (a === null || b === null) return null;
  if (operator === '+' && (Array.isArray(a) || Array.isArray(b))) return effort.made([...listOf(a), ...listOf(b)]);
  if (operator === '+' && (typeof a === 'string' || typeof b === 'string')) {
    const [left, right] = [joinable(a, at), joinable(b, at)];
    effort.madeText(left.length + right.length);
    return left + right;
  }
  if (!isNumber(a) || !isNumber(b))
    throw new QueryFailure(
      'TypeError',
      'InvalidArgumentType',
      `${operator} takes no ${typeOf(a)} and ${typeOf(b)}.`,
      at,
    );
  if (operator === '+') return whole(sum(a, b), at);
  if (typeof a === 'bigint' && typeof b === 'bigint' && operator !== '^')
    return whole(ofIntegers(operator, a, b, at), at);
  return ofFloats(operator, Number(a), Number(b));
}

const listOf = (value: Value): Value[] => (Array.isArray(value) ? value : [value]);

function joinable(value: Value, at: number): string {
  if (typeof value === 'string') return value;
  if (isNumber(value)) return String(value);
  throw new QueryFailure('TypeError', 'InvalidArgumentType', `A text and a ${typeOf(value)} are not joined by +.`, at);
}

function whole(value: bigint | number, at: number): bigint | number {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value)
    throw new QueryFailure('ArgumentError', 'NumberOutOfRange', 'The result is no integer of 64 bits.', at);
  return value;
}

function ofIntegers(operator: Operator, a: bigint, b: bigint, at: number): bigint {
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  if (b === 0n) throw new QueryFailure('ArgumentError', 'NumberOutOfRange', 'An integer is not divided by 0.', at);
  return operator === '/' ? a / b : a % b;
}

function ofFloats(operator: Operator, a: number, b: number): number {
  switch (operator) {
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
    default:
      return a ** b;
  }
}

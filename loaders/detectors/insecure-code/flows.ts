import { anyName } from '../../facts/flow.ts';
import type { Flow, FlowFrom, FlowFunction, FlowNames, FlowTo } from '../../facts/flow.ts';
import { Node, typesThat } from '../../facts/syntax-tree.ts';
import { NameTable, renamedNames } from './names.ts';
import type { InsecureCodeRule } from './rules.ts';
import type { Held, Parameter, Value, Values } from './values.ts';

/** A file made to hold more tells no more. */
const maxFlows = 2_000;
/** Nothing that is put into a text is in these. */
const isNumber =
  /\b(?:u?int(?:8|16|32|64)?|[iu](?:8|16|32|64|size)|long|short|byte|float(?:32|64)?|double|decimal|bool(?:ean)?|number|Int|Integer|Long|Short|Double|Float|Boolean|BigDecimal|UUID|Guid|DateTime|datetime)\b/;
export const isReturn = typesThat((name) => /^return(?:_statement|_expression)?$/.test(name));
/** What an object has that is called as a function is. */
const isOfCalled = /^(?:__call__|__invoke|invoke|apply)$/;
/** What makes an object of a class. */
const isMade = /^(?:__init__|initialize)$/;
/** A file that hands on more functions tells that, and no more. */
const maxGiven = 200;
const nameOfParameter = (call: string, which: number | string) => `${call}()${which}`;
/** What answers, not what asks. */
const isAnswer = /^(?:res|resp|response|reply|next|w|rw)$/;

/** What makes data harmless for one rule. */
interface Cleaner {
  rule: string;
  clean: NameTable<true>;
}

/** What is handed on in a file from where it comes to where it goes, for who knows the other files. */
export class Flows {
  private readonly root: Node;
  private readonly values: Values;
  private readonly mayHoldRequest: boolean;
  private readonly renamed: ReadonlyMap<string, string>;
  /** Rules with what makes data harmless for them, and all of that. */
  private readonly cleaners: readonly Cleaner[];
  private readonly anyCleaner: NameTable<true>;
  private readonly mayClean: boolean;
  private readonly each = new Map<string, Flow>();
  /** Functions that are handed on: what their parameter is called with is told to nobody but by this. */
  private readonly given = new Map<string, FlowNames[number]>();
  private readonly handsFunctions: boolean;

  /** `handsFunctions`: in a language in which arguments tell what a parameter is. */
  constructor(
    root: Node,
    values: Values,
    rules: readonly InsecureCodeRule[],
    { mayHoldRequest, handsFunctions }: { mayHoldRequest: boolean; handsFunctions: boolean },
  ) {
    this.root = root;
    this.values = values;
    this.mayHoldRequest = mayHoldRequest;
    this.renamed = renamedNames(root.tree.source);
    this.handsFunctions = handsFunctions;
    ({ cleaners: this.cleaners, any: this.anyCleaner } = cleanersOf(rules));
    const { source } = root.tree;
    this.mayClean = [...this.anyCleaner.words()].some((word) => source.includes(word));
  }

  found(): Flow[] {
    const flows = [...this.each.values()];
    const functions = flows.flatMap(({ from, to }) => [
      ...(from.kind === 'parameter' ? [from.of] : []),
      ...(to.kind === 'return' ? [to.of] : []),
    ]);
    const also = functions.length === 0 ? null : this.values.namesAfter(new Set(functions.map(({ name }) => name)));
    for (const of of functions) {
      const names = also?.get(of.name);
      if (names) of.also = [...(of.also ?? []), ...names];
    }
    return flows;
  }

  /** Each new name with the one before. */
  names(): FlowNames {
    const isMore = this.given.size >= maxGiven;
    return [...this.values.namesGiven(), ...this.given.values(), ...(isMore ? [anyName] : [])];
  }

  /** What is made of a class keeps what it is given. */
  made(id: number): void {
    const of = this.handsFunctions ? this.values.functionNamed(id) : null;
    if (!of || !isMade.test(of.name)) return;
    for (const { member, parameter } of this.values.parametersKept(id)) {
      const name = this.nameIn(parameter);
      if (name !== null) this.giveName(member, name);
    }
  }

  /** Something insecure, if a request fills what is in it. */
  sink(value: Value, rule: InsecureCodeRule, at: number): void {
    const line = this.lineOf(at);
    const to: FlowTo = { kind: 'sink', rule: rule.id, line, severity: rule.severity };
    for (const held of value.holds) {
      const from = held.kind === 'request' ? null : this.from(held);
      if (from) this.add({ from, to, steps: this.linesOf(held.steps, line) });
    }
  }

  /** What a call is given. */
  call(id: number, given: readonly { value: number; index: number; name: string | null }[]): void {
    if (this.each.size >= maxFlows || given.length === 0) return;
    const call = this.values.wordOfCall(id);
    if (call === null) return;
    const line = this.lineOf(id);
    if (this.handsFunctions) this.hand(call, given);
    const before = this.renamed.get(call) ?? this.values.nameBefore(call) ?? this.nameOfCalled(id);
    const as = before !== null && before !== call ? { as: before } : {};
    for (const { value, index, name } of given) {
      if ((index < 0 && name === null) || !this.values.mayHold(value)) continue;
      const known = this.values.of(value, null);
      const handed = known.holds.filter(({ kind }) => kind !== 'call');
      if (handed.length === 0) continue;
      if (isAnswer.test(this.values.textOf(value))) continue;
      const to: FlowTo = { kind: 'argument', call, ...as, line, argument: name ?? index };
      const clean = this.cleanedIn(value, known);
      for (const held of handed) {
        const from = this.from(held);
        if (from) this.add({ from, to, steps: this.linesOf(held.steps, line), ...clean });
      }
    }
  }

  /** What is given to a call and is a function has the name of a parameter there. */
  private hand(call: string, given: readonly { value: number; index: number; name: string | null }[]): void {
    for (const { value, index, name } of given) {
      const word = this.values.functionGiven(value);
      if (word !== null) this.giveName(nameOfParameter(call, name ?? index), word);
    }
  }

  private nameOfCalled(id: number): string | null {
    const parameter = this.handsFunctions ? this.values.parameterCalled(id) : null;
    return parameter && this.nameIn(parameter);
  }

  /** What a function that is handed over has for a name there: by the place of the parameter, also where it is passed by name. */
  private nameIn({ around, index, name }: Parameter): string | null {
    const of = this.values.functionNamed(around);
    if (!of) return null;
    const word = (isMade.test(of.name) ? this.values.classAround(of.node) : null) ?? of.name;
    const known = nameOfParameter(word, index);
    this.giveName(known, nameOfParameter(word, name));
    return known;
  }

  private giveName(name: string, before: string): void {
    if (this.given.size < maxGiven) this.given.set(`${name} ${before}`, [name, before]);
  }

  /** What a function gives back, where a request fills it. */
  return(id: number): void {
    if (!this.mayHoldRequest || !isReturn(this.root.tree, this.root.tree.type[id] ?? 0)) return;
    const of = this.values.functionNamed(this.values.functionAround(id));
    if (!of) return;
    const known = this.values.of(id, null);
    // What it was handed the caller knows of; only what it takes from a request itself is news.
    const held = known.holds.find(({ kind, parameter }) => kind === 'request' && !parameter);
    if (!held) return;
    const steps = this.linesOf(held.steps, this.lineOf(id));
    const to: FlowTo = { kind: 'return', of: this.functionOf(of) };
    this.add({ from: { kind: 'request' }, to, steps, ...this.cleanedIn(id, known) });
  }

  private from({ kind, parameter, node }: Held): FlowFrom | null {
    if (kind === 'request') return { kind };
    if (!parameter) {
      const call = this.values.wordOfCall(node);
      return call === null ? null : { kind: 'result', call, line: this.lineOf(node) };
    }
    const of = this.values.functionNamed(parameter.around);
    if (!of || this.isNumber(node)) return null;
    return {
      kind: 'parameter',
      of: this.functionOf(of),
      index: parameter.index,
      name: parameter.name,
    };
  }

  /** What makes an object be called is called by what the object is called, or its class. */
  private functionOf({ name, node }: { name: string; node: number }): FlowFunction {
    const around = isOfCalled.test(name) ? this.values.classAround(node) : null;
    return { name, line: this.lineOf(node), ...(around === null ? {} : { also: [around] }) };
  }

  private isNumber(parameter: number): boolean {
    const { tree } = this.root;
    const around = tree.parent[parameter] ?? 0;
    if (!/param/.test(tree.names.types[tree.type[around] ?? 0] ?? '') || (tree.next[around] ?? 0) - around > 12)
      return false;
    const declared = this.values.textOf(around).slice(0, 100).replace(this.values.textOf(parameter), ' ');
    return isNumber.test(declared) && !/[<[]/.test(declared);
  }

  /** The rules for which the value is harmless. */
  private cleanedIn(id: number, { from }: Value): { clean?: string[] } {
    if (!this.mayClean || this.values.of(id, this.anyCleaner).from === from) return {};
    const clean = this.cleaners.flatMap((each) => (this.values.of(id, each.clean).from === from ? [] : [each.rule]));
    return clean.length === 0 ? {} : { clean };
  }

  private add(flow: Flow): void {
    const key = JSON.stringify([flow.from, flow.to]);
    if (this.each.size < maxFlows && !this.each.has(key)) this.each.set(key, flow);
  }

  private linesOf(steps: readonly number[], last: number): number[] {
    return [...new Set([...steps.map((each) => this.lineOf(each)), last])];
  }

  private lineOf(id: number): number {
    return new Node(this.root.tree, id).startPosition.row + 1;
  }
}

interface Cleaners {
  cleaners: readonly Cleaner[];
  any: NameTable<true>;
}
const known = new WeakMap<readonly InsecureCodeRule[], Cleaners>();

function cleanersOf(rules: readonly InsecureCodeRule[]): Cleaners {
  const before = known.get(rules);
  if (before) return before;
  const any = new NameTable<true>();
  const cleaners = rules.flatMap(({ id, clean = [] }) => {
    any.add(clean, true);
    return clean.length === 0 ? [] : [{ rule: id, clean: new NameTable<true>().add(clean, true) }];
  });
  known.set(rules, { cleaners, any });
  return { cleaners, any };
}

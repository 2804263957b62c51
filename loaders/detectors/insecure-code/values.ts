import { anyName, moduleNamed, type FlowNames } from '../../facts/flow.ts';
import { type Node, typesThat } from '../../facts/syntax-tree.ts';
import { isPartOfName, nameOf, NameTable } from './names.ts';
import { type Origin, rankOf } from './rules.ts';
import {
  functionTypes,
  isArguments,
  isAssignment,
  isBinary,
  isCall,
  isEntry,
  isIdentifier,
  isString,
} from './syntax.ts';

/** What is known of an expression's value. */
export interface Value {
  from: Origin;
  /** Text is put together of it. */
  built: boolean;
  /** The beginning of what is written in it as text. */
  literal: string;
  /** Where it comes from and went on its way, by syntax nodes. */
  steps: readonly number[];
  /** It is decoded: from what is written in the file, or from what is not. */
  decoded?: Decoded | undefined;
  /** What of requests, parameters and results of calls is in it, not by way of other calls that are given it; a few. */
  holds: readonly Held[];
}

export type Decoded = 'written' | 'other';

/** On its way into a value. */
export interface Held {
  kind: 'request' | 'parameter' | 'call';
  /** Where it comes from. */
  node: number;
  parameter?: Parameter;
  steps: readonly number[];
}

/** What tells where a file's values come from. */
export interface Origins {
  sources: NameTable<Origin>;
  /** What a parameter looks like that a request fills. */
  parameters: RegExp | null;
  /** Before the body of a function whose parameters all are a request's. */
  handlers: RegExp | null;
  /** What is called gives nothing that does harm. */
  clean: NameTable<true>;
  /** What decodes, where the whole of it matches. */
  decodes: NameTable<RegExp | null> | null;
  /** Of which one is in every text that decodes something. */
  decoding: RegExp | null;
  /** What gives other text than it is called on; null where no text may be run. */
  turns: NameTable<true> | null;
  turning: RegExp | null;
  /** Names that are on the list of what makes harmless, and do nothing. */
  hollow?: ReadonlySet<string>;
  /** Variables in text, where the grammar does not tell them. */
  interpolates: RegExp | null;
  imports: ReadonlyMap<string, string>;
  functions: ReadonlySet<string>;
}

/** What is written otherwise than as a call, and is one. */
const namesOfStatements: Readonly<Record<string, string>> = {
  echo_statement: 'echo',
  print_intrinsic: 'print',
  include_expression: 'include',
  include_once_expression: 'include',
  require_expression: 'include',
  require_once_expression: 'include',
  shell_command_expression: '`',
  subshell: '`',
};

interface Assignment {
  at: number;
  value: number;
  around: number;
  adds: boolean;
  /** The last of several, which says only whether there is a value: Go's `value, err := call()`. */
  saysWhether: boolean;
}

const whats = ['harmless', 'source', 'string', 'binary', 'call', 'builder', 'variable', 'other'] as const;
type What = (typeof whats)[number];

export interface Parameter {
  node: number;
  name: string;
  /** A request fills it. */
  request: boolean;
  /** The function, and which of its parameters this is. */
  around: number;
  index: number;
}

/** So much of what stands before a function may say what it is for. */
const beforeFunction = 60;
const itself = /^(?:self|cls|this)$/;

/** A space, a mark of what is called, a quote around a key. */
const isBehindName = (code: number) => code <= 0x22 || code === 0x27 || code === 0x3a;

/** Text is made by these of what they are given. */
const builders = new NameTable<true>().add(
  [
    '.{format,concat,join,append,replace,replaceAll,formatted,sprintf,Format,Concat,Join,interpolate,plus,AppendFormat}',
    'format',
    'sprintf',
    'vsprintf',
    'snprintf',
    'implode',
    'strcat',
    'fmt.{Sprintf,Sprint,Sprintln}',
  ],
  true,
);
/** They put what they are given into what they are called on. */
const adders =
  /^(?:append|Append|AppendFormat|AppendLine|add|push|push_str|concat|put|write|WriteString|unshift|insert|extend|update)$/;
const isChoice = /^(?:if|else|elif|for|while|switch|case|catch|try|when|match|rescue|unless|conditional|except)/;
/** Names of what something is, not of a variable. */
const nameFields = ['attribute', 'method', 'field', 'property', 'key', 'type', 'label'];
const targetFields = ['left', 'name', 'pattern', 'declarator', 'key', 'field'];
const nothing: Value = { from: 'constant', built: false, literal: '', steps: [], holds: [] };
const maxLiteral = 400;
/** Of the last word of a call, and behind it. */
const maxWord = 100;
const maxBlanks = 20;
const maxDepth = 12;
/** More calls of one function are not looked at. */
const maxCallers = 20;
/** Nor more names that are only other ones of a name. */
const maxNames = 10;
/** Fields of grammars that hold a value, and those that hold its name: of an assignment, a pair, a default, Ruby's alias. */
const valueFields = ['value', 'right', 'alias'];
/** A file that gives more names tells that, and no more. */
const maxNamesGiven = 2_000;
/** Nodes of what makes an object that are looked at. */
const maxOfMaker = 1_000;
/** Both sides of these have fields, and neither is a name of the other. */
const isCompared = /binary|boolean|comparison|logical|conjunction|disjunction/;
/** What gives a function that calls the one it is given. */
const handsOn = /^(?:partial|partialmethod|staticmethod|classmethod)$/;
const keyFields = ['key', 'left', 'name', 'property'];
const maxNodes = 400_000;
/** Of a value in which more is given to calls than this, nothing is told to other files. */
const maxGiven = 40;
/** More parameters and calls in one value are not told. */
const maxHeld = 8;
/** Nodes of a function that may decode something. */
const maxDecoder = 2_000;
/** More texts in what is run name no file. */
const maxTexts = 40;

const worseOf = (one: Decoded | undefined, other: Decoded | undefined) =>
  one === 'written' || other === 'written' ? 'written' : (one ?? other);

/** What stands in an expression. */
interface Written {
  texts: string[];
  /** How many stand side by side, by the node around them. */
  numbers: Map<number, number>;
}
const isNumber = typesThat((name) => /^(?:number|integer|(?:number|integer|int|decimal_integer)_literal)$/.test(name));
/** Shorter texts and lists of fewer numbers hide nothing. */
const minText = 40;
const minNumbers = 20;
const minEscapes = 10;
/** Of MD5 to SHA-512, in hexadecimal digits. */
const digestLengths = new Set([32, 40, 56, 64, 96, 128]);
/** A longer part of a path is rare. */
const maxPart = 30;

/** Words of people and of programs have blanks and points; what is encoded has hexadecimal digits, or letters of both cases and digits. */
function isEncoded(text: string): boolean {
  if (text.split('\\x').length > minEscapes) return true;
  if (text.length < minText || !/^[\w+/=-]+$/.test(text)) return false;
  if (/^[\da-f]+$/i.test(text)) return !digestLengths.has(text.length);
  const parts = text.split('/');
  const isPath = parts.length > 2 && parts.every((part) => part.length <= maxPart);
  // An alphabet has each letter once.
  const isAlphabet = new Set(text).size > 0.9 * text.length;
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text) && !isPath && !isAlphabet;
}

/** Of several texts that are put together: shorter ones are no code that somebody hides. */
const minTurned = 200;
/** Of its characters the marks of programs, and at least so many characters for each common word. */
const minMarks = 0.015;
const maxBetweenWords = 150;
/** Turned back it has these. */
const minWords = 3;
const marks = /[(){};=[\]]/g;
const commonWords =
  /\b(?:function|return|const|let|var|else|for|while|def|class|import|from|self|this|new|null|None|true|false|True|False|the|and|not|end|echo|print|require|try|except|catch|throw|raise|public|static|void|int|string|with|async|await|yield|lambda|elif|local|then|use|module|exports)\b/g;

/** Code that was turned around, shifted or strewn with other letters: it has the marks of code, and none of its words. */
function isTurned(texts: readonly string[]): boolean {
  const text = texts.join('').replaceAll(/\\[nrt]/g, ' ');
  if (text.length < minTurned) return false;
  const count = (what: RegExp) => text.match(what)?.length ?? 0;
  if (count(marks) < minMarks * text.length || count(commonWords) * maxBetweenWords >= text.length) return false;
  return turnedBack(text).some((each) => (each.match(commonWords)?.length ?? 0) >= minWords);
}

/** A text read backwards, without its commonest letter, and with its letters shifted by each number. */
function turnedBack(text: string): string[] {
  const counts = new Map<string, number>();
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1);
  const [most = ''] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const shifted = Array.from({ length: 25 }, (_, by) =>
    text.replaceAll(/[a-z]/gi, (c) => {
      const first = c > 'Z' ? 97 : 65;
      return String.fromCharCode(first + ((c.charCodeAt(0) - first + by + 1) % 26));
    }),
  );
  return [Array.from(text).toReversed().join(''), text.replaceAll(most, ''), ...shifted];
}

/** Bytes in pieces, each encoded by itself. */
const isInPieces = (texts: readonly string[]): boolean => {
  const pieces = texts.filter((text) => text.length >= 8 && text.length % 4 === 0 && /^[\w+/-]+={0,2}$/.test(text));
  return pieces.length > 0.8 * texts.length && isEncoded(pieces.join('').replaceAll('=', ''));
};

/** By what it is called, or by where it is taken from: `escape`, `tools.`; `mysql.escape` is another one. */
const isOneOf = (names: ReadonlySet<string>, named: string): boolean => {
  const [, owner = '', word = named] = /^(.*)\.([^.]*)$/s.exec(named) ?? [];
  return owner === '' || /^(?:this|self|cls)$/.test(owner) ? names.has(word) : names.has(`${owner}.`);
};

function together(some: readonly Held[], others: readonly Held[]): readonly Held[] {
  if (others.length === 0 || some.length >= maxHeld) return some;
  const known = new Set(some.map(({ node }) => node));
  const more = others.filter(({ node }) => !known.has(node));
  return more.length === 0 ? some : [...some, ...more].slice(0, maxHeld);
}

/** Answers where the values of one file come from. */
export class Values {
  private readonly root: Node;
  private readonly origins: Origins;
  private byName: Map<string, Assignment[]> | null = null;
  private readonly parametersOf = new Map<number, ReadonlyMap<string, Parameter>>();
  /** How many functions have a name, and what calls it. */
  private byWord: { functions: Map<string, { count: number; node: number }>; calls: Map<string, number[]> } | null =
    null;
  private opened: ReadonlyMap<string, number> | null = null;
  /** Something in the file decodes. */
  readonly mayDecode: boolean;
  /** Something in the file may run text. */
  private readonly mayTurn: boolean;
  private readonly unnamed: ReadonlySet<number>;
  private readonly hasName: number;
  private readonly hasReceiver: number;
  /** By field: 1 for what is assigned to, 2 for what is assigned. */
  private readonly sideOf: Uint8Array;
  /** By type. */
  private readonly functionTypes: Uint8Array;
  /** By node, which of `whats` it is, from 1, where no names are clean beside those of the language; 0 is not known yet. */
  private readonly whatOf: Uint8Array;
  /** Nodes that may be looked at for all questions of a file: whoever wrote it may want us to look for ever. */
  private budget = maxNodes;
  /** Of its own: what is looked for besides may not take what is found without it. */
  private budgetOfDecoding = maxNodes;
  private budgetOfTurning = maxNodes;
  private readonly turned = new Map<number, boolean>();
  /** The call that was looked at last, and the last node of what it is called on. */
  private lookedAt: [from: number, to: number] = [-1, -1];
  private looksAtCallers = true;
  private readonly assigned = new Map<number, Value>();

  constructor(root: Node, origins: Origins) {
    this.root = root;
    this.origins = origins;
    const { fields } = root.tree.names;
    this.unnamed = new Set(nameFields.map((name) => fields.get(name) ?? -1));
    this.mayDecode = origins.decoding?.test(root.tree.source) === true;
    this.mayTurn = origins.turning?.test(root.tree.source) === true;
    this.functionTypes = functionTypes(root.tree, origins.functions);
    this.whatOf = new Uint8Array(root.tree.type.length);
    this.hasName = fields.get('name') ?? -1;
    this.hasReceiver = fields.get('receiver') ?? -1;
    this.sideOf = new Uint8Array(256);
    for (const name of targetFields) this.sideOf[fields.get(name) ?? 0] = 1;
    for (const name of ['right', 'value']) this.sideOf[fields.get(name) ?? 0] = 2;
    this.sideOf[0] = 0;
  }

  /** Of the expression at a node; `clean` are further names whose results do no harm here. */
  of(id: number, clean: NameTable<true> | null, depth = 0, seen: ReadonlySet<number> = new Set()): Value {
    const { tree } = this.root;
    const found: Value = { ...nothing };
    const meet = (value: Value) => {
      if (rankOf(value.from) > rankOf(found.from)) [found.from, found.steps] = [value.from, value.steps];
      found.built ||= value.built;
      found.decoded = worseOf(found.decoded, value.decoded);
      found.holds = together(found.holds, value.holds);
      if (found.literal.length < maxLiteral) found.literal += value.literal;
    };
    // What is given to a call that nobody knows does not come out of it as it was: what it names is not what it gives.
    const given: number[] = [];
    const isGiven = (each: number) =>
      given.length >= maxGiven || given.some((list) => list <= each && each < (tree.next[list] ?? 0));
    const take = (value: Value, each: number) => meet(isGiven(each) ? { ...value, holds: [] } : value);
    const look = (name: string, each: number) => take(this.ofName(name, each, clean, depth, seen), each);
    let parts = 0;
    const end = tree.next[id] ?? 0;
    for (let each = id; each < end && this.budget-- > 0;) {
      const what = this.whatIs(each, clean);
      if (this.mayDecode || this.mayTurn) found.decoded = worseOf(found.decoded, this.decodesAt(each, what));
      if (what === 'source') take(this.sourceAt(each), each);
      if (what === 'string')
        this.meetString(each, found, (name) => {
          parts++;
          look(name, each);
        });
      if (what === 'call' || what === 'builder')
        take({ ...nothing, from: 'variable', holds: [{ kind: 'call', node: each, steps: [each] }] }, each);
      if (what === 'call' && !isGiven(each)) given.push(this.argumentsOf(each) ?? each);
      if (what === 'variable') look(this.textOf(each), each);
      parts += this.partsAt(each, what, id);
      each = what === 'source' || what === 'harmless' ? (tree.next[each] ?? end) : each + 1;
    }
    if (parts > 1 && found.from !== 'constant') found.built = true;
    return found;
  }

  private sourceAt(id: number): Value {
    const from = this.origins.sources.of(this.named(id) ?? '')[0] ?? 'request';
    const steps = [id];
    return { ...nothing, from, steps, holds: from === 'request' ? [{ kind: 'request', node: id, steps }] : [] };
  }

  private whatIs(id: number, clean: NameTable<true> | null): What {
    this.whatOf[id] ||= whats.indexOf(this.whatIsIn(id)) + 1;
    const what = whats[(this.whatOf[id] ?? 0) - 1] ?? 'other';
    if (clean === null || what === 'harmless' || what === 'string' || what === 'binary') return what;
    const named = this.named(id);
    return named !== null && clean.has(named) && !this.isHollow(named) ? 'harmless' : what;
  }

  private whatIsIn(id: number): What {
    const { tree } = this.root;
    const type = tree.type[id] ?? 0;
    if (this.isFunction(type)) return 'harmless';
    if (isString(tree, type)) return 'string';
    if (isBinary(tree, type)) return 'binary';
    const named = this.named(id, type);
    if (named === null) return 'other';
    if (this.origins.clean.has(named) && !this.isHollow(named)) return 'harmless';
    if (this.origins.sources.has(named)) return 'source';
    if (isCall(tree, type)) return builders.has(named) ? 'builder' : 'call';
    return isIdentifier(tree, type) ? 'variable' : 'other';
  }

  private isFunction(type: number): boolean {
    return this.functionTypes[type] === 1;
  }

  private isHollow(named: string): boolean {
    return this.origins.hollow !== undefined && isOneOf(this.origins.hollow, named);
  }

  /** Whether something is decoded there: by what is known to, by a function that stands there, or by one of the file. */
  private decodesAt(id: number, what: What): Decoded | undefined {
    if (what === 'string' || what === 'binary') return undefined;
    const { tree } = this.root;
    const type = tree.type[id] ?? 0;
    const isOwn = this.isFunction(type);
    if (isOwn ? this.decodesIn(id) : this.isDecoder(id, type)) {
      // Of a function that is handed on, what it is handed to.
      const whole = !isOwn && isCall(tree, type) ? id : this.callAround(id);
      return this.isWritten(whole) ? 'written' : 'other';
    }
    if (this.turnsAt(id, type) && this.isTurnedAt(id)) return 'written';
    if (!isCall(tree, type) || !this.decodesByOwn(id, type)) return undefined;
    return this.isWritten(id) ? 'written' : 'other';
  }

  /** Of a chain of calls the outermost sees all that the others do. */
  private isTurnedAt(id: number): boolean {
    const known = this.turned.get(id);
    if (known !== undefined) return known;
    const [from, to] = this.lookedAt;
    if (from < id && id <= to) return false;
    const kept = this.budgetOfDecoding;
    this.budgetOfDecoding = this.budgetOfTurning;
    const { texts } = this.writtenAt(id);
    this.budgetOfTurning = this.budgetOfDecoding;
    this.budgetOfDecoding = kept;
    // The object of the call begins where the call does, so the next ones of the chain follow it.
    this.lookedAt = [id, this.argumentsOf(id) ?? (this.root.tree.next[id] ?? id) - 1];
    const isSo = isTurned(texts);
    this.turned.set(id, isSo);
    return isSo;
  }

  /** Whether a text is turned into another one there; Python's `[::-1]` turns it around. */
  private turnsAt(id: number, type: number): boolean {
    if (!this.mayTurn) return false;
    const { tree } = this.root;
    if (tree.names.types[type] === 'subscript')
      return /\[\s?:\s?:\s?-\s?1\s?\]$/.test(tree.source.slice(Math.max(0, (tree.end[id] ?? 0) - 20), tree.end[id]));
    const { turns } = this.origins;
    return turns !== null && isCall(tree, type) && turns.has(this.named(id, type) ?? '');
  }

  /** Whether a function of the file is called there that decodes. */
  private decodesByOwn(id: number, type: number): boolean {
    const owner = /^(.*)\.[^.]*$/s.exec(this.named(id, type) ?? '')?.[1] ?? '';
    if (owner !== '' && !/^(?:this|self|cls)$/.test(owner)) return false;
    const called = this.functionOf(this.wordOfCall(id) ?? '');
    return called !== undefined && this.decodesIn(called);
  }

  private callAround(id: number): number {
    const { tree } = this.root;
    let around = tree.parent[id] ?? 0;
    for (let up = 0; up < 4 && around > 0 && !isCall(tree, tree.type[around] ?? 0); up++)
      around = tree.parent[around] ?? 0;
    return around === 0 ? id : around;
  }

  /** Whether as much as a statement stands there encoded or as a list of numbers, also under names. */
  private isWritten(id: number): boolean {
    const { texts, numbers } = this.writtenAt(id);
    return (
      Math.max(0, ...numbers.values()) >= minNumbers || texts.some(isEncoded) || isTurned(texts) || isInPieces(texts)
    );
  }

  private writtenAt(id: number): Written {
    const written: Written = { texts: [], numbers: new Map() };
    this.read(id, written, new Set(), true);
    return written;
  }

  private decodesIn(around: number): boolean {
    const { tree } = this.root;
    const end = Math.min(tree.next[around] ?? 0, around + maxDecoder);
    for (let id = around + 1; id < end && this.budgetOfDecoding-- > 0; id++)
      if (this.isDecoder(id, tree.type[id] ?? 0)) return true;
    return false;
  }

  private isDecoder(id: number, type: number): boolean {
    const { tree } = this.root;
    const { decodes } = this.origins;
    const isCalled = isCall(tree, type);
    if (!decodes || (!isCalled && !isMember(tree, type) && !isIdentifier(tree, type))) return false;
    if (isCalled ? !this.mayBeNamed(id, decodes) : !this.mayEndIn(tree.end[id] ?? 0, decodes)) return false;
    const ways = decodes.of(this.named(id, type) ?? '');
    // What is decoded may be long, and how it is stands behind it.
    const text = ways.some((only) => only !== null) ? this.textOf(id) : '';
    const ends = text.length > 2 * maxLiteral ? text.slice(0, maxLiteral) + text.slice(-maxLiteral) : text;
    return ways.some((only) => only === null || only.test(ends));
  }

  /** The one function of a name in the file. */
  private functionOf(name: string): number | undefined {
    this.byWord ??= this.wordsOfCalls();
    const found = this.byWord.functions.get(name);
    return found?.count === 1 ? found.node : undefined;
  }

  /** Whether what comes of an expression is decoded. */
  isDecoded(id: number): boolean {
    const kept = this.budget;
    this.budget = this.budgetOfDecoding;
    const { decoded } = this.of(id, null);
    this.budgetOfDecoding = this.budget;
    this.budget = kept;
    return decoded !== undefined;
  }

  /** What is written as text in an expression and in what its names stand for, as it is read; a few. */
  textsIn(id: number): string[] {
    const written: Written = { texts: [], numbers: new Map() };
    this.read(id, written, new Set());
    return written.texts;
  }

  /** With `isDecoding` what is decoded: no names of files, and no keys. */
  private read(id: number, found: Written, seen: Set<number>, isDecoding = false): void {
    const { tree } = this.root;
    if (seen.has(id) || seen.size > maxDepth) return;
    seen.add(id);
    const end = tree.next[id] ?? 0;
    // What is given to other functions is not what they give.
    let given = 0;
    for (let each = id; each < end && this.budgetOfDecoding-- > 0 && found.texts.length < maxTexts; each++) {
      const type = tree.type[each] ?? 0;
      if (each === given) {
        each = (tree.next[each] ?? end) - 1;
        continue;
      }
      if (isDecoding && each !== id && isCall(tree, type) && !this.givesWhatItIsGiven(each, type))
        given = this.argumentsOf(each) ?? given;
      if (isNumber(tree, type)) {
        const list = tree.parent[each] ?? 0;
        found.numbers.set(list, (found.numbers.get(list) ?? 0) + 1);
      } else if (isString(tree, type)) {
        if (this.hasString(each)) continue;
        const text = this.textOf(each).slice(0, maxLiteral);
        found.texts.push(text.replace(/^[A-Za-z]{0,3}["'`]{1,3}/, '').replace(/["'`]{1,3}$/, ''));
        each = (tree.next[each] ?? end) - 1;
      } else if (isIdentifier(tree, type) && this.isVariable(each)) this.readName(each, found, seen, isDecoding);
    }
  }

  private givesWhatItIsGiven(id: number, type: number): boolean {
    const named = this.named(id, type);
    const isBuilt = named !== null && (builders.has(named) || this.origins.turns?.has(named) === true);
    return isBuilt || this.isDecoder(id, type) || this.decodesByOwn(id, type);
  }

  private readName(id: number, found: Written, seen: Set<number>, isDecoding: boolean): void {
    const name = this.textOf(id);
    const around = new Set([0]);
    for (let each = this.functionAround(id); each > 0; each = this.functionAround(each)) around.add(each);
    const assigned = (this.assignments().get(name) ?? []).filter((each) => around.has(each.around));
    for (const { value } of assigned.slice(0, maxCallers)) this.read(value, found, seen, isDecoding);
    const opened = this.openedAs().get(name);
    if (opened !== undefined) this.read(opened, found, seen, isDecoding);
    for (const each of around) {
      const parameter = each === 0 ? undefined : this.parameters(each).get(name);
      if (!parameter) continue;
      for (const call of this.callersOf(each)) {
        const argument = this.argumentAt(call, parameter.index);
        if (argument !== null) this.read(argument, found, seen, isDecoding);
      }
      break;
    }
  }

  /** What a name stands for within Python's `with open(…) as name`. */
  private openedAs(): ReadonlyMap<string, number> {
    if (this.opened) return this.opened;
    const found = new Map<string, number>();
    this.opened = found;
    const { tree } = this.root;
    for (let id = 0; id < tree.type.length; id++) {
      if (this.typeOf(id) !== 'as_pattern_target') continue;
      found.set(this.textOf(id).slice(0, maxWord), (tree.parent[id] ?? 0) + 1);
    }
    return found;
  }

  /** Whether texts stand in a text: its parts. */
  private hasString(id: number): boolean {
    const { tree } = this.root;
    for (let each = id + 1; each < (tree.next[id] ?? 0); each++) if (isString(tree, tree.type[each] ?? 0)) return true;
    return false;
  }

  /** Text is put together where there are two. */
  private partsAt(id: number, what: What, whole: number): number {
    const { tree } = this.root;
    if (what === 'builder') return 2;
    const isInString = id !== whole && isString(tree, tree.type[tree.parent[id] ?? 0] ?? 0);
    return what === 'binary' || (what === 'string' && !isInString) || (what === 'variable' && isInString) ? 1 : 0;
  }

  /** What is written, and names that stand in it without a node of their own. */
  private meetString(id: number, found: { literal: string }, meetName: (name: string) => void): void {
    const { tree } = this.root;
    const isWhole = tree.next[id] === id + 1 || !isString(tree, tree.type[tree.parent[id] ?? 0] ?? 0);
    const text = isWhole ? tree.source.slice(tree.start[id], tree.end[id]).slice(0, maxLiteral) : '';
    if (found.literal.length < maxLiteral && tree.next[id] === id + 1)
      found.literal += text.replaceAll(/["'`]/g, ' ').trim();
    if (this.origins.interpolates) for (const [, name = ''] of text.matchAll(this.origins.interpolates)) meetName(name);
  }

  /** The name of a call or of what is taken from something; null for other nodes. */
  named(id: number, type = this.root.tree.type[id] ?? 0): string | null {
    const { tree } = this.root;
    const isCalled = isCall(tree, type);
    const written = isCalled ? namesOfStatements[tree.names.types[type] ?? ''] : undefined;
    if (written !== undefined) return written;
    if (!isCalled && !isMember(tree, type) && !isIdentifier(tree, type)) return null;
    if (!isCalled && isIdentifier(tree, type) && !this.isVariable(id)) return null;
    const end = isCalled ? this.argumentsStart(id) : (tree.end[id] ?? 0);
    return this.importedAs(nameOf(tree.source, tree.start[id] ?? 0, end));
  }

  private importedAs(name: string): string {
    const isNew = name.startsWith('new ');
    const bare = isNew ? name.slice(4) : name;
    const dot = bare.indexOf('.');
    const first = dot === -1 ? bare : bare.slice(0, dot);
    const imported = this.origins.imports.get(first);
    if (imported === undefined) return name;
    return `${isNew ? 'new ' : ''}${imported}${dot === -1 ? '' : bare.slice(dot)}`;
  }

  private argumentsStart(id: number): number {
    const { tree } = this.root;
    const list = this.argumentsOf(id);
    if (list === null && tree.names.types[tree.type[id] ?? 0] === 'command') return tree.end[id + 1] ?? 0;
    return list === null ? (tree.end[id] ?? 0) : (tree.start[list] ?? 0);
  }

  /** The list of a call's arguments. */
  argumentsOf(id: number): number | null {
    const { tree } = this.root;
    const end = tree.next[id] ?? 0;
    for (let child = id + 1; child < end; child = tree.next[child] ?? end)
      if (isArguments(tree, tree.type[child] ?? 0)) return child;
    return null;
  }

  textOf(id: number): string {
    const { tree } = this.root;
    return tree.source.slice(tree.start[id], tree.end[id]);
  }

  /** Whether the last word of a call's name is one that a table knows; costs less than the name. */
  mayBeNamed(id: number, table: NameTable<unknown>): boolean {
    if (namesOfStatements[this.root.tree.names.types[this.root.tree.type[id] ?? 0] ?? ''] !== undefined) return true;
    return this.mayEndIn(this.argumentsStart(id), table);
  }

  /** Whether the last word before a place is one that a table knows, or that is imported. */
  mayEndIn(end: number, table: NameTable<unknown>): boolean {
    const { source } = this.root.tree;
    let last = end;
    while (last > 0 && isBehindName(source.charCodeAt(last - 1))) last--;
    let first = last;
    while (first > 0 && isPartOfName(source.charCodeAt(first - 1))) first--;
    const word = source.slice(first, last);
    return first === last || table.knows(word) || this.origins.imports.has(word);
  }

  isStatement(id: number): boolean {
    return namesOfStatements[this.typeOf(id)] !== undefined;
  }

  /** Whether text is put together there. */
  isText(id: number, type: number): boolean {
    const { tree } = this.root;
    if (isBinary(tree, type)) return true;
    if (isString(tree, type)) {
      if (this.origins.interpolates && this.textOf(id).slice(0, maxLiteral).includes('$')) return true;
      for (let each = id + 1; each < (tree.next[id] ?? 0); each++)
        if (isBinary(tree, tree.type[each] ?? 0) || isIdentifier(tree, tree.type[each] ?? 0)) return true;
      return false;
    }
    return isCall(tree, type) && this.mayBeNamed(id, builders) && builders.has(this.named(id, type) ?? '');
  }

  isName(id: number): boolean {
    const { tree } = this.root;
    return isIdentifier(tree, tree.type[id] ?? 0);
  }

  private isVariable(id: number): boolean {
    const { tree } = this.root;
    const field = tree.field[id] ?? 0;
    if (field !== 0 && this.unnamed.has(field)) return false;
    const parent = tree.parent[id] ?? 0;
    const around = tree.names.types[tree.type[parent] ?? 0] ?? '';
    if (field !== 0 && field === this.hasName)
      return !/member|invocation|argument|attribute|scoped|qualified|method/.test(around);
    // `b` of Kotlin's `a.b`.
    if (around === 'navigation_expression') return tree.start[parent] === tree.start[id];
    return around !== 'variable_name' || tree.names.types[tree.type[id] ?? 0] === 'variable_name';
  }

  /** Of a variable where it is read. */
  private ofName(
    name: string,
    at: number,
    clean: NameTable<true> | null,
    depth: number,
    seen: ReadonlySet<number>,
  ): Value {
    const unknown: Value = { ...nothing, from: /^[A-Z]/.test(name) ? 'constant' : 'variable' };
    if (depth >= maxDepth) return unknown;
    const assignments = this.assignments().get(name) ?? [];
    for (let around = this.functionAround(at), inner = true; ; around = this.functionAround(around), inner = false) {
      const here = assignments.filter(
        (each) => each.around === around && (!inner || each.value < at) && each.value !== at && !seen.has(each.value),
      );
      const parameter = around === 0 ? undefined : this.parameters(around).get(name);
      if (here.length === 0 && !parameter) {
        if (around === 0) return unknown;
        continue;
      }
      const value = this.merged(here, parameter, at, clean, depth, seen);
      return here.some(({ saysWhether }) => saysWhether) ? { ...value, holds: [] } : value;
    }
  }

  private merged(
    here: readonly Assignment[],
    parameter: Parameter | undefined,
    at: number,
    clean: NameTable<true> | null,
    depth: number,
    seen: ReadonlySet<number>,
  ): Value {
    let found = nothing;
    const meet = (value: Value) => {
      const isWorse = rankOf(value.from) > rankOf(found.from);
      found = {
        from: isWorse ? value.from : found.from,
        steps: isWorse ? value.steps : found.steps,
        built: found.built || value.built,
        literal: found.literal.length < maxLiteral ? value.literal + found.literal : found.literal,
        holds: together(found.holds, value.holds),
        decoded: worseOf(found.decoded, value.decoded),
      };
    };
    for (const { value, adds, at: place } of here.toReversed().slice(0, 20)) {
      const one = this.ofAssigned(value, clean, depth, seen);
      meet({
        ...one,
        built: one.built || (adds && one.from !== 'constant'),
        steps: one.steps.length > 0 || one.built ? [...one.steps, place] : [],
        holds: one.holds.map((each) => ({ ...each, steps: [...each.steps, place] })),
      });
      if (!adds && this.isCertain(place, at)) return found;
    }
    if (parameter) meet(this.passed(parameter, clean, depth, seen));
    return found;
  }

  /** Once a value, where each function is looked at by itself. */
  private ofAssigned(id: number, clean: NameTable<true> | null, depth: number, seen: ReadonlySet<number>): Value {
    const isKept = !this.looksAtCallers && clean === null;
    const known = isKept ? this.assigned.get(id) : undefined;
    const value = known ?? this.of(id, clean, depth + 1, new Set([...seen, id]));
    if (isKept) this.assigned.set(id, value);
    return value;
  }

  /** What a parameter is given: what a call in the same file passes, where one passes what a request fills. */
  private passed(parameter: Parameter, clean: NameTable<true> | null, depth: number, seen: ReadonlySet<number>): Value {
    const { node, request, around, index } = parameter;
    const plain: Value = {
      ...nothing,
      from: request ? 'request' : 'parameter',
      steps: [node],
      holds: [{ kind: request ? 'request' : 'parameter', parameter, node, steps: [node] }],
    };
    if (request || !this.looksAtCallers || depth >= maxDepth || seen.has(node)) return plain;
    for (const call of this.callersOf(around)) {
      const argument = this.argumentAt(call, index);
      if (argument === null) continue;
      const value = this.of(argument, clean, depth + 1, new Set([...seen, node]));
      if (value.from !== 'request') continue;
      const holds = value.holds.map((each) => ({ ...each, steps: [...each.steps, call, node] }));
      return { ...value, steps: [...value.steps, call, node], holds: together(plain.holds, holds) };
    }
    return plain;
  }

  private argumentAt(call: number, index: number): number | null {
    const { tree } = this.root;
    const list = this.argumentsOf(call);
    if (list === null) return null;
    let at = 0;
    for (let child = list + 1; child < (tree.next[list] ?? 0); child = tree.next[child] ?? 0)
      if (tree.names.isNamed[tree.type[child] ?? 0] !== 0 && at++ === index) return child;
    return null;
  }

  /** Calls of the one function of this name in the file; none where several have it. */
  private callersOf(around: number): readonly number[] {
    const name = this.nameOfFunction(around);
    if (name === null) return [];
    this.byWord ??= this.wordsOfCalls();
    const { functions, calls } = this.byWord;
    return functions.get(name)?.count === 1 ? (calls.get(name) ?? []) : [];
  }

  private nameOfFunction(id: number): string | null {
    const { tree } = this.root;
    const own = this.childNamed(id, this.hasName);
    if (own !== null) return this.textOf(own);
    const parent = tree.parent[id] ?? 0;
    if (!isAssignment(tree, tree.type[parent] ?? 0)) return null;
    const [target] = this.sides(parent);
    return target !== null && isIdentifier(tree, tree.type[target] ?? 0) ? this.textOf(target) : null;
  }

  /** The name of a function, also of one that is written as a value and has it from where it is put. */
  functionNamed(id: number): { name: string; node: number } | null {
    const { tree } = this.root;
    if (id === 0) return null;
    const node = this.childNamed(id, this.hasName) ?? this.putUnder(id, tree.parent[id] ?? 0);
    return node === null ? null : { name: this.textOf(node).slice(0, 100), node };
  }

  private putUnder(id: number, parent: number): number | null {
    const { tree } = this.root;
    if (!isEntry(tree, tree.type[parent] ?? 0) && !isAssignment(tree, tree.type[parent] ?? 0)) return null;
    const [target, value] = this.sides(parent);
    if (target === null || value !== id) return null;
    return isMember(tree, tree.type[target] ?? 0) ? (tree.next[target] ?? 0) - 1 : target;
  }

  /** Another question begins, of each function by itself: what was spent on the one before is nothing to it. */
  ofEachFunction(): void {
    this.budget = maxNodes;
    this.looksAtCallers = false;
  }

  /** Whether anything is named in it; costs less than its value. */
  mayHold(id: number): boolean {
    const { tree } = this.root;
    for (let each = id; each < (tree.next[id] ?? 0); each++) {
      const type = tree.type[each] ?? 0;
      if (this.isFunction(type)) return false;
      if (isIdentifier(tree, type) || isMember(tree, type) || isString(tree, type)) return true;
    }
    return false;
  }

  /** The last word of a call's name. */
  wordOfCall(id: number): string | null {
    const { source } = this.root.tree;
    const end = this.argumentsStart(id);
    let last = end;
    while (last > Math.max(0, end - maxBlanks) && /\s/.test(source[last - 1] ?? '')) last--;
    let first = last;
    while (first > Math.max(0, last - maxWord) && /[\w$]/.test(source[first - 1] ?? '')) first--;
    return first === last ? null : source.slice(first, last);
  }

  /** What a name stands for, where it is only another name, or made of what has one: `run = Runner()`. */
  nameBefore(name: string): string | null {
    for (const { value } of this.assignments().get(name) ?? []) {
      const word = this.wordBehind(value);
      if (word !== null && !word.startsWith('/')) return word;
    }
    return null;
  }

  /** The name of the class whose own function has this name; null of others. */
  classAround(name: number): string | null {
    const { tree } = this.root;
    for (let around = tree.parent[tree.parent[name] ?? 0] ?? 0; around > 0; around = tree.parent[around] ?? 0) {
      if (this.isFunction(tree.type[around] ?? 0)) return null;
      if (!/class|object/.test(this.typeOf(around))) continue;
      const own = this.childNamed(around, this.hasName);
      if (own !== null) return this.textOf(own).slice(0, maxWord);
    }
    return null;
  }

  /**
   * The names that a file gives outside of its functions to what has another one, its own or that of another file, each with that:
   * `go = base.run`, `{ go: run }`, `go = partial(run)`, `go = Runner()`, `go = require('./run')`.
   */
  namesGiven(): FlowNames {
    const found = new Map<string, [string, string]>();
    const { tree } = this.root;
    const { values, keys } = this.fieldsOfNames();
    for (let id = 1; id < tree.type.length && found.size < maxNamesGiven; id++) {
      if (this.isFunction(tree.type[id] ?? 0)) id = (tree.next[id] ?? id + 1) - 1;
      else if (values.has(tree.field[id] ?? 0)) {
        const name = this.keyOf(id, keys);
        const before = name === null ? null : this.wordBehind(id);
        if (name !== null && before !== null && name !== before) found.set(`${name} ${before}`, [name, before]);
      }
    }
    return found.size < maxNamesGiven ? [...found.values()] : [...found.values(), anyName];
  }

  isFunctionAt(id: number): boolean {
    return this.isFunction(this.root.tree.type[id] ?? 0);
  }

  /** The word of an argument that names a function, the file's own or one that is imported; null of others. */
  functionGiven(id: number): string | null {
    const word = this.wordOf(id);
    if (word === null) return null;
    const [first = ''] = /^[\w$]{1,100}/.exec(this.textOf(id).slice(0, 100)) ?? [];
    this.byWord ??= this.wordsOfCalls();
    return this.origins.imports.has(first) || this.byWord.functions.has(first) ? word : null;
  }

  /** The parameter that is called there, of the functions around it the nearest. */
  parameterCalled(id: number): Parameter | null {
    const { tree } = this.root;
    if (!isIdentifier(tree, tree.type[id + 1] ?? 0)) return null;
    const name = this.textOf(id + 1);
    for (let around = this.functionAround(id); around > 0; around = this.functionAround(around)) {
      const parameter = this.parameters(around).get(name);
      if (parameter) return parameter;
    }
    return null;
  }

  /** Parameters that a function puts into members which are called somewhere: `self.run = run`. */
  parametersKept(id: number): { member: string; parameter: Parameter }[] {
    const { tree } = this.root;
    this.byWord ??= this.wordsOfCalls();
    const { calls } = this.byWord;
    const kept: { member: string; parameter: Parameter }[] = [];
    for (let each = id; each < Math.min(tree.next[id] ?? 0, id + maxOfMaker); each++) {
      if (!isAssignment(tree, tree.type[each] ?? 0)) continue;
      const [target, value] = this.sides(each);
      if (target === null || value === null || !isMember(tree, tree.type[target] ?? 0)) continue;
      const [member, parameter] = [this.wordOf(target), this.parameters(id).get(this.textOf(value).slice(0, maxWord))];
      if (member !== null && parameter && calls.has(member)) kept.push({ member, parameter });
    }
    return kept;
  }

  private fieldsOfNames() {
    const { fields } = this.root.tree.names;
    const numbersOf = (names: readonly string[]) => new Set(names.map((name) => fields.get(name) ?? -1));
    return { values: numbersOf(valueFields), keys: numbersOf(keyFields) };
  }

  /** The last word of what a value stands under. */
  private keyOf(id: number, keys: ReadonlySet<number>): string | null {
    const { tree } = this.root;
    const around = tree.parent[id] ?? 0;
    if (isCompared.test(this.typeOf(around))) return null;
    let key = around + 1;
    // Behind words as `static`.
    for (let words = 0; words < 3 && key < id && (tree.field[key] ?? 0) === 0; words++) key = tree.next[key] ?? id;
    if (key >= id || !keys.has(tree.field[key] ?? 0)) return null;
    return /[\w$]{1,100}(?=["'`]?$)/.exec(this.textOf(key).slice(-100))?.[0] ?? null;
  }

  /** Of a name, of what is given to what hands it on, or of a class that something is made of. */
  private wordBehind(id: number): string | null {
    const { tree } = this.root;
    const word = this.wordOf(id);
    if (word !== null || !isCall(tree, tree.type[id] ?? 0)) return word;
    const list = this.argumentsOf(id);
    if (list === null) return null;
    const [called = ''] = /[\w$.]{1,200}$/.exec(tree.source.slice(tree.start[id], tree.start[list]).slice(-200)) ?? [];
    if (called.endsWith('.bind')) return /[\w$]{1,100}(?=\.bind$)/.exec(called)?.[0] ?? null;
    const last = called.slice(called.lastIndexOf('.') + 1);
    if (/^[A-Z]/.test(last)) return last;
    const first = handsOn.test(last) || last === 'require' ? this.argumentAt(id, 0) : null;
    if (first === null) return null;
    if (last !== 'require') return this.wordOf(first);
    const specifier = this.textOf(first).slice(1, -1);
    return specifier.startsWith('.') ? moduleNamed(specifier) : null;
  }

  /** Names that are only other ones of these, by those: `get = _get`, `{ get: _get }`, `A.prototype.get = _get`. */
  namesAfter(names: ReadonlySet<string>): Map<string, string[]> {
    const found = new Map<string, string[]>();
    const add = (name: string, value: number) => {
      const word = this.wordOf(value);
      if (word === null || word === name || !names.has(word)) return;
      const known = found.get(word) ?? [];
      if (known.length < maxNames && !known.includes(name)) found.set(word, [...known, name]);
    };
    for (const [name, assigned] of this.assignments()) for (const { value } of assigned) add(name, value);
    const { tree } = this.root;
    const { values, keys } = this.fieldsOfNames();
    for (let id = 1; id < tree.type.length; id++) {
      if (!values.has(tree.field[id] ?? 0) || this.wordOf(id) === null) continue;
      const name = this.keyOf(id, keys);
      if (name !== null) add(name, id);
    }
    return found;
  }

  /** Of a name, or of a member: the last. */
  private wordOf(id: number): string | null {
    const type = this.root.tree.type[id] ?? 0;
    if (!isMember(this.root.tree, type) && !isIdentifier(this.root.tree, type)) return null;
    return /[\w$]{1,100}$/.exec(this.textOf(id).slice(-100))?.[0] ?? null;
  }

  namesOfParameters(id: number): ReadonlySet<string> {
    return new Set([...this.parameters(id).keys()].filter((name) => !itself.test(name)));
  }

  /** Null of a function that has none, or only says what others have to give. */
  bodyOf(id: number): number | null {
    return this.childNamed(id, this.root.tree.names.fields.get('body') ?? -1);
  }

  /** Whether a text stands there into which nothing is put. */
  isPlainText(id: number): boolean {
    const { tree } = this.root;
    if (!isString(tree, tree.type[id] ?? 0)) return false;
    for (let each = id + 1; each < (tree.next[id] ?? 0); each++)
      if (isIdentifier(tree, tree.type[each] ?? 0)) return false;
    return true;
  }

  /** What a call's name stands for where it is another name, or the name that is put together of texts: `window['ev' + 'al']`. */
  otherName(id: number): string | null {
    const { tree } = this.root;
    const list = this.argumentsOf(id);
    if (list === null) return null;
    const called = id + 1;
    const type = tree.type[called] ?? 0;
    if (isIdentifier(tree, type)) return this.otherNameOf(called);
    const length = (tree.end[called] ?? 0) - (tree.start[called] ?? 0);
    if (length > maxWord || !/["'`]/.test(this.textOf(called))) return null;
    return this.textsIn(called).slice(0, 8).join('') || null;
  }

  private otherNameOf(id: number): string | null {
    const { tree } = this.root;
    const assignments = this.assignments().get(this.textOf(id)) ?? [];
    let around = this.functionAround(id);
    while (around > 0 && !assignments.some((each) => each.around === around)) {
      if (this.parameters(around).has(this.textOf(id))) return null;
      around = this.functionAround(around);
    }
    const value = assignments.find((each) => each.around === around)?.value;
    return value !== undefined && isIdentifier(tree, tree.type[value] ?? 0)
      ? this.textOf(value).slice(0, maxWord)
      : null;
  }

  private childNamed(id: number, field: number): number | null {
    const { tree } = this.root;
    for (let child = id + 1; child < (tree.next[id] ?? 0); child = tree.next[child] ?? 0)
      if (tree.field[child] === field) return child;
    return null;
  }

  private wordsOfCalls(): NonNullable<Values['byWord']> {
    const { tree } = this.root;
    const functions = new Map<string, { count: number; node: number }>();
    const calls = new Map<string, number[]>();
    for (let id = 1; id < tree.type.length; id++) {
      const type = tree.type[id] ?? 0;
      if (this.isFunction(type)) {
        const name = this.nameOfFunction(id);
        if (name !== null) functions.set(name, { count: (functions.get(name)?.count ?? 0) + 1, node: id });
      } else if (isCall(tree, type)) {
        const word = this.wordOfCall(id);
        if (word === null) continue;
        const known = calls.get(word);
        if (!known) calls.set(word, [id]);
        else if (known.length < maxCallers) known.push(id);
      }
    }
    return { functions, calls };
  }

  /** Whether who comes to a place has been at another one before it. */
  private isCertain(before: number, at: number): boolean {
    const { tree } = this.root;
    for (let around = before; around > 0; around = tree.parent[around] ?? 0) {
      if (around <= at && at < (tree.next[around] ?? 0)) return true;
      if (isChoice.test(tree.names.types[tree.type[around] ?? 0] ?? '')) return false;
    }
    return true;
  }

  /** The function that holds a node; 0 for none. */
  functionAround(id: number): number {
    const { tree } = this.root;
    let around = id === 0 ? 0 : (tree.parent[id] ?? 0);
    while (around > 0 && !this.isFunction(tree.type[around] ?? 0)) around = tree.parent[around] ?? 0;
    return around;
  }

  private parameters(id: number): ReadonlyMap<string, Parameter> {
    const known = this.parametersOf.get(id);
    if (known) return known;
    const found = new Map<string, Parameter>();
    this.parametersOf.set(id, found);
    const { tree } = this.root;
    const { lists, body } = this.partsOf(id);
    const parent = tree.parent[id] ?? 0;
    const begin = tree.start[id] ?? 0;
    const decorated = this.typeOf(parent).startsWith('decorat') ? (tree.start[parent] ?? 0) : begin - beforeFunction;
    const header = tree.source.slice(
      Math.max(0, decorated),
      Math.min(tree.start[body] ?? tree.end[id] ?? 0, begin + 1_000),
    );
    const isHandler = this.origins.handlers?.test(header) === true;
    let index = 0;
    for (const list of lists)
      for (let each = list; each < (tree.next[list] ?? 0); each++) {
        if (!isIdentifier(tree, tree.type[each] ?? 0) || !this.isParameterName(each)) continue;
        const name = this.textOf(each);
        const around = tree.parent[each] ?? 0;
        const own = this.textOf(around !== list && this.typeOf(around).includes('param') ? around : each).slice(0, 400);
        const isRequest = isHandler || this.origins.parameters?.test(own) === true;
        const isItself = itself.test(name) || (this.hasReceiver !== -1 && tree.field[list] === this.hasReceiver);
        found.set(name, { node: each, name, request: isRequest && !isItself, around: id, index });
        if (!isItself) index++;
      }
    return found;
  }

  /** Where a function's parameters are declared, and where its body begins. */
  private partsOf(id: number): { lists: number[]; body: number } {
    const { tree } = this.root;
    const end = tree.next[id] ?? 0;
    const lists: number[] = [];
    let body = end;
    for (let child = id + 1; child < end; child = tree.next[child] ?? end) {
      const type = this.typeOf(child);
      if (
        /param|declarator/.test(type) ||
        (child === id + 1 && type === 'identifier' && this.typeOf(id).startsWith('arrow'))
      )
        lists.push(child);
      if (/body|block|compound/.test(type)) body = child;
    }
    return { lists, body };
  }

  private typeOf(id: number): string {
    const { tree } = this.root;
    return tree.names.types[tree.type[id] ?? 0] ?? '';
  }

  private isParameterName(id: number): boolean {
    const { tree } = this.root;
    const fields = tree.names.fields;
    const field = tree.field[id] ?? 0;
    return (
      field === 0 ||
      (field !== fields.get('type') && field !== fields.get('value') && field !== fields.get('default_value'))
    );
  }

  private assignments(): Map<string, Assignment[]> {
    if (this.byName) return this.byName;
    const found = new Map<string, Assignment[]>();
    this.byName = found;
    const { tree } = this.root;
    const add = (name: string, assignment: Assignment) => {
      const known = found.get(name);
      if (known) known.push(assignment);
      else found.set(name, [assignment]);
    };
    for (let id = 0; id < tree.type.length; id++) {
      const type = tree.type[id] ?? 0;
      if (isAssignment(tree, type)) {
        const [target, value] = this.sides(id);
        if (target === null || value === null) continue;
        const adds =
          /augmented|operator_assignment/.test(tree.names.types[type] ?? '') ||
          /^[+.]=|^<</.test(tree.source.slice(tree.end[target], tree.start[value]).trim());
        const around = this.functionAround(id);
        const names = this.targets(target);
        const isGo = this.typeOf(id) === 'short_var_declaration' && names.length > 1;
        for (const name of names)
          add(name, { at: id, value, around, adds, saysWhether: isGo && name === names.at(-1) });
      } else if (isCall(tree, type)) {
        const list = this.argumentsOf(id);
        if (list === null) continue;
        const name = nameOf(tree.source, tree.start[id] ?? 0, tree.start[list] ?? 0);
        const dot = name.indexOf('.');
        if (dot > 0 && adders.test(name.slice(name.lastIndexOf('.') + 1)))
          add(name.slice(0, dot), {
            at: id,
            value: list,
            around: this.functionAround(id),
            adds: true,
            saysWhether: false,
          });
      }
    }
    return found;
  }

  /** What is assigned to, and what. */
  sides(id: number): [target: number | null, value: number | null] {
    const { tree } = this.root;
    const end = tree.next[id] ?? 0;
    let [target, value, first, last]: (number | null)[] = [null, null, null, null];
    for (let child = id + 1; child < end; child = tree.next[child] ?? end) {
      const side = this.sideOf[tree.field[child] ?? 0];
      if (side === 1) target ??= child;
      else if (side === 2) value ??= child;
      if (tree.names.isNamed[tree.type[child] ?? 0] === 0) continue;
      first ??= child;
      last = child;
    }
    target ??= first ?? null;
    value ??= last ?? null;
    return [target, value === target ? null : value];
  }

  private targets(id: number): string[] {
    const { tree } = this.root;
    const found: string[] = [];
    for (let each = id; each < Math.min(tree.next[id] ?? 0, id + 40); each++) {
      const type = tree.type[each] ?? 0;
      if (isMember(tree, type)) {
        // What is put into a part is in the whole: `config["url"] = …`.
        const name = nameOf(tree.source, tree.start[each] ?? 0, tree.end[each] ?? 0);
        const dot = name.indexOf('.');
        if (dot === -1) found.push(name);
        each = (tree.next[each] ?? each + 1) - 1;
      } else if (isIdentifier(tree, type) || tree.names.types[type] === 'shorthand_property_identifier_pattern')
        found.push(this.textOf(each));
    }
    return found;
  }
}

const isMember = typesThat((name) =>
  /^(?:member_expression|attribute|subscript|subscript_expression|selector_expression|field_access|member_access_expression|element_access_expression|navigation_expression|indexing_expression|field_expression|element_reference|scoped_identifier|class_constant_access_expression|scope_resolution|array_access|index_expression|qualified_name|simple_expansion|expansion|nullsafe_member_access_expression)$/.test(
    name,
  ),
);

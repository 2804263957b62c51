import type { FileUse, RunByName } from '../../facts/file-use.ts';
import type { Flow, FlowNames } from '../../facts/flow.ts';
import { type InsecureCode, isHidden } from '../../facts/insecure-code.ts';
import { type GrammarNames, Node, typesThat } from '../../facts/syntax-tree.ts';
import { languageById } from '../../languages/index.ts';
import { namesAside } from '../../snapshot/names-aside.ts';
import { Flows, isReturn } from './flows.ts';
import { hollowNames } from './hollow.ts';
import { type Borrowed, borrowedNames, importedNames, nameOf, NameTable } from './names.ts';
import { type Find, type InsecureCodeRule, type LanguageRules, type Origin, rankOf, rulesOfLanguage } from './rules.ts';
import { isAssignment, isBinary, isCall, isEntry, isString } from './syntax.ts';
import { type Origins, type Value, Values } from './values.ts';

const severities = ['low', 'medium', 'high', 'critical'] as const;
const lower = { low: 'low', medium: 'low', high: 'medium', critical: 'high' } as const;

/** A find, ready to be asked. */
interface Way {
  rule: InsecureCodeRule;
  find: Find;
  clean: NameTable<true> | null;
  is: RegExp | null;
  like: RegExp | null;
  only: RegExp | null;
  unless: RegExp | null;
  file: RegExp | null;
  strings: RegExp | null;
  within: NameTable<true> | null;
}

interface Compiled {
  rules: LanguageRules;
  /** `run` and `folder`: see `runs` and `looksIn` of the rules. */
  calls: NameTable<Way | RunByName['kind']>;
  sets: NameTable<Way>;
  strings: Way[];
  /** Of which one is in every text in which something is found. */
  hint: RegExp;
  /** What makes data harmless, for all rules or some. */
  cleaners: NameTable<true>;
  /** The rule of code that is run and stands only encoded; null where the language has none. */
  hiding: string | null;
  /** Likewise where a request is; null where none is known of in the language. */
  requests: RegExp | null;
  origins: Omit<Origins, 'imports' | 'functions'>;
}

const compiled = new Map<LanguageRules, Compiled>();
const tableOf = (names: readonly string[] | undefined) =>
  names && names.length > 0 ? new NameTable<true>().add(names, true) : null;
const withoutNew = (names: readonly string[]) =>
  names.flatMap((name) => (name.startsWith('new ') ? [name, name.slice(4)] : [name]));
const escaped = (word: string) => word.replaceAll(/[$()*+.?[\\\]^{|}`]/g, String.raw`\$&`);

function compile(rules: LanguageRules): Compiled {
  const known = compiled.get(rules);
  if (known) return known;
  const [calls, sets] = [new NameTable<Way | RunByName['kind']>(), new NameTable<Way>()];
  const strings: Way[] = [];
  // Bounded: a rule's own, which its test checks.
  const expression = (text: string | undefined, flags = 'i') => (text === undefined ? null : new RegExp(text, flags));
  const others = rules.alsoOf === undefined ? null : rulesOfLanguage(rules.alsoOf);
  const families = others ? [rules, others] : [rules];
  const made = (names: readonly string[] | undefined) => (others && names ? withoutNew(names) : names);
  for (const rule of families.flatMap((each) => each.rules))
    for (const find of rule.finds) {
      const way: Way = {
        rule,
        find,
        clean: tableOf(rule.clean),
        is: expression(find.is),
        like: expression(find.like),
        only: expression(find.only),
        unless: expression(find.unless),
        file: expression(find.file),
        strings: expression(find.strings),
        within: tableOf(find.within),
      };
      if (find.calls) calls.add(made(find.calls) ?? [], way);
      if (find.sets) sets.add(find.sets, way);
      if (way.strings) strings.push(way);
    }
  const words = [...new Set([...calls.words(), ...sets.words()])].map(escaped).sort();
  for (const { runs = [], looksIn = [] } of families) calls.add(runs, 'file').add(looksIn, 'folder');
  const result: Compiled = {
    rules,
    calls,
    sets,
    strings,
    // Bounded: words, one after another.
    hint: new RegExp(words.join('|')),
    ...cleanersOf(families),
    requests: signsOfRequests(rules, others),
    origins: {
      sources: new NameTable<Origin>()
        .add(
          families.flatMap(({ sources = [] }) => sources),
          'request',
        )
        .add(
          families.flatMap(({ inputs = [] }) => inputs),
          'parameter',
        ),
      parameters: expression(rules.parameters ?? others?.parameters, ''),
      handlers: expression(rules.handlers ?? others?.handlers, ''),
      interpolates: expression(rules.interpolates, 'g'),
      clean: new NameTable<true>().add(
        families.flatMap(({ clean = [] }) => clean),
        true,
      ),
      ...decodersOf(families),
    },
  };
  compiled.set(rules, result);
  return result;
}

function decodersOf(families: readonly LanguageRules[]): Pick<Origins, 'decodes' | 'decoding' | 'turns' | 'turning'> {
  const { calls = [], beside } = families.find(({ turns }) => turns)?.turns ?? {};
  // Bounded: a rule's own, which its test checks.
  const turned = { turns: tableOf(calls), turning: beside === undefined ? null : new RegExp(beside) };
  const decodes = new NameTable<RegExp | null>();
  for (const { alsoOf, decodes: decoders = [] } of families)
    for (const { calls, only } of decoders)
      // Bounded: a rule's own, which its test checks.
      decodes.add(alsoOf === undefined ? calls : withoutNew(calls), only === undefined ? null : new RegExp(only, 'i'));
  const words = [...decodes.words()].map(escaped);
  if (words.length === 0) return { decodes: null, decoding: null, ...turned };
  // Bounded: words, one after another.
  return { decodes, decoding: new RegExp([...words, String.raw`:\s?-\s?1`].join('|')), ...turned };
}

function cleanersOf(families: readonly LanguageRules[]): Pick<Compiled, 'cleaners' | 'hiding'> {
  const cleaners = new NameTable<true>();
  const all = families.flatMap(({ rules }) => rules);
  for (const { clean = [] } of [...families, ...all]) cleaners.add(clean, true);
  return { cleaners, hiding: all.find(({ id }) => isHidden({ rule: id }))?.id ?? null };
}

function signsOfRequests(rules: LanguageRules, others: LanguageRules | null): RegExp | null {
  const sources = new NameTable<true>().add([...(rules.sources ?? []), ...(others?.sources ?? [])], true);
  const own = [rules.parameters ?? others?.parameters, rules.handlers ?? others?.handlers];
  const signs = [...[...sources.words()].map(escaped).sort(), ...own.filter((sign) => sign !== undefined)];
  // Bounded: words, and the rules' own.
  return signs.length === 0 ? null : new RegExp(signs.join('|'));
}

const functionSets = new Map<string, ReadonlySet<string>>();

function functionsOf(language: string): ReadonlySet<string> {
  const known = functionSets.get(language) ?? new Set(languageById(language)?.branches?.functions);
  functionSets.set(language, known);
  return known;
}

/** What a syntax node may be looked at for. */
const kindOf = { call: 1, entry: 2, text: 4, return: 8 } as const;
const kindsKnown = new WeakMap<GrammarNames, Uint8Array>();

function kindsOf(names: GrammarNames): Uint8Array {
  const known =
    kindsKnown.get(names) ??
    Uint8Array.from(names.types, (_, type) => {
      const isCalled = isCall({ names }, type);
      const isText = isCalled || isBinary({ names }, type) || isString({ names }, type);
      return (
        (isCalled ? kindOf.call : 0) |
        (isEntry({ names }, type) ? kindOf.entry : 0) |
        (isText ? kindOf.text : 0) |
        (isReturn({ names }, type) ? kindOf.return : 0)
      );
    });
  kindsKnown.set(names, known);
  return known;
}

/** A file made to hold more tells nothing. */
const maxFound = 100;
/** What a rule compares with a text is compared with its beginning. */
const maxText = 2_000;
/** Parts of a text that are looked at for comments; code that has more has no excuse. */
const maxParts = 4_000;
/** A file that names more to be run tells no more. */
const maxRuns = 200;
const maxNames = 12;
/** What makes data harmless, and is another file's: for each of them the file is looked through again. */
const maxBorrowed = 4;

/** Whether a rule may find something in a source in this language. */
export function mayBeInsecure(language: string, source: string): boolean {
  const rules = rulesOfLanguage(language);
  return rules !== null && compile(rules).hint.test(source);
}

/** Insecure code in one file, by its lines; what was found until `isOver` is told. */
export function findInsecureCode(root: Node, language: string, isOver: () => boolean): InsecureCode[] {
  return searchIn(root, language, isOver)?.found() ?? [];
}

/** Likewise, and how data goes on from there, or comes there, in other files, and which files it runs. */
export function findFlows(
  root: Node,
  language: string,
  isOver: () => boolean,
): { insecure: InsecureCode[]; flows: readonly Flow[]; names: FlowNames; use: FileUse | null } {
  const search = searchIn(root, language, isOver);
  if (search === null) return { insecure: [], flows: [], names: [], use: null };
  const insecure = search.found();
  const ifHollow = search.borrowed().flatMap(([local, borrowed]) => {
    const other = searchIn(root, language, isOver, local);
    const more = (other?.found() ?? []).filter((each) => !insecure.some((known) => isSame(known, each)));
    return more.length === 0 ? [] : [{ ...borrowed, insecure: more }];
  });
  const named = namesAside(root.tree.source, { withData: search.loadsAny });
  const use: FileUse = {
    ...(search.runs.length > 0 && { runs: search.runs }),
    ...(search.loadsAny && { loadsAny: true }),
    ...(named.length > 0 && { names: named }),
    ...(search.hollow.size > 0 && { hollow: [...search.hollow] }),
    ...(ifHollow.length > 0 && { ifHollow }),
  };
  const isUsed = Object.keys(use).length > 0;
  return { insecure, flows: search.flowsBy(isOver), names: search.names(), use: isUsed ? use : null };
}

const isSame = (one: InsecureCode, other: InsecureCode) =>
  one.line === other.line && one.rule === other.rule && one.severity === other.severity;

/** `borrowed`: what the file takes from another one that is believed to do nothing. */
function searchIn(root: Node, language: string, isOver: () => boolean, borrowed?: string): Search | null {
  const rules = rulesOfLanguage(language);
  if (rules === null) return null;
  const search = new Search(root, language, compile(rules), borrowed);
  const { type } = root.tree;
  const kinds = kindsOf(root.tree.names);
  for (let id = 0; id < type.length; id++) {
    if ((id & 4_095) === 0 && isOver()) break;
    const kind = kinds[type[id] ?? 0] ?? 0;
    if (kind !== 0) search.visit(id, kind);
  }
  return search;
}

/** Of what runs files, what takes the name of a module or a file, and no text. */
const loader =
  /require|import|load_|exec_module|spec_from_file|SourceFileLoader|run_path|run_module|Worker|fork|include|dofile|loadfile/i;
const isRun = new Set(['CWE-78', 'CWE-94', 'CWE-95']);

/** A rule's own where a request is seen to come there, or a statement is put together; less where text is or what is run, else least. */
function severityOf({ severity, cwe, id }: InsecureCodeRule, value: Value | null): InsecureCode['severity'] {
  if (isHidden({ rule: id })) return severity;
  if (value?.from === 'request' || (value?.built === true && cwe === 'CWE-89')) return severity;
  return value?.built === true || isRun.has(cwe) ? lower[severity] : lower[lower[severity]];
}

class Search {
  private readonly root: Node;
  private readonly known: Compiled;
  private readonly values: Values;
  private readonly each = new Map<string, InsecureCode>();
  /** Null in a language that knows of no requests. */
  private readonly flows: Flows | null;
  private endOfString = 0;
  private readonly language: string;
  readonly runs: RunByName[] = [];
  /** A file is run whose name does not stand where it is. */
  loadsAny = false;
  /** Its functions that are called as what makes data harmless, and do nothing. */
  readonly hollow: ReadonlySet<string>;

  constructor(root: Node, language: string, known: Compiled, borrowed?: string) {
    this.root = root;
    this.known = known;
    this.language = language;
    const functions = functionsOf(language);
    const imports = importedNames(language, root.tree.source);
    const values = new Values(root, { ...known.origins, imports, functions });
    this.hollow = hollowNames(root, values, known.cleaners, functions);
    const hollow = borrowed === undefined ? this.hollow : new Set([...this.hollow, borrowed]);
    this.values = hollow.size === 0 ? values : new Values(root, { ...known.origins, imports, functions, hollow });
    const { requests, rules } = known;
    const mayHoldRequest = requests?.test(root.tree.source) === true;
    const handsFunctions = languageById(language)?.semantics.argumentsTellParameters === true;
    this.flows = requests && new Flows(root, this.values, rules.rules, { mayHoldRequest, handsFunctions });
  }

  names(): FlowNames {
    return this.flows?.names() ?? [];
  }

  /** What the file hands on, beside what it says of itself. */
  flowsBy(isOver: () => boolean): readonly Flow[] {
    if (this.flows === null) return [];
    const { type } = this.root.tree;
    const kinds = kindsOf(this.root.tree.names);
    this.values.ofEachFunction();
    for (let id = 0; id < type.length; id++) {
      if ((id & 4_095) === 0 && isOver()) break;
      const kind = kinds[type[id] ?? 0] ?? 0;
      if ((kind & kindOf.call) !== 0) this.flows.call(id, this.arguments(id));
      if ((kind & kindOf.return) !== 0) this.flows.return(id);
      if (this.values.isFunctionAt(id)) this.flows.made(id);
    }
    return this.flows.found();
  }

  /** What makes data harmless for all that is known, and is taken from other files of the repository; a few. */
  borrowed(): [string, Borrowed][] {
    const names = [...borrowedNames(this.language, this.root.tree.source)];
    return names
      .filter(([name]) => (name.endsWith('.') ? this.asksCleaner(name) : this.known.cleaners.knows(name)))
      .slice(0, maxBorrowed);
  }

  private asksCleaner(module: string): boolean {
    const { source } = this.root.tree;
    for (let at = source.indexOf(module), looks = 0; at !== -1 && looks < 1_000; looks++) {
      const word = /^\w{1,60}/.exec(source.slice(at + module.length, at + module.length + 60))?.[0];
      if (word !== undefined && this.known.cleaners.has(module + word)) return true;
      at = source.indexOf(module, at + module.length);
    }
    return false;
  }

  found(): InsecureCode[] {
    return [...this.each.values()].sort((a, b) => a.line - b.line || (a.rule < b.rule ? -1 : 1)).slice(0, maxFound);
  }

  visit(id: number, kind: number): void {
    const { calls, sets, strings } = this.known;
    const type = this.root.tree.type[id] ?? 0;
    if ((kind & kindOf.call) !== 0 && this.values.mayDecode) this.otherwise(id);
    if ((kind & kindOf.call) !== 0 && this.values.mayBeNamed(id, calls)) {
      const name = this.values.named(id, type);
      if (name !== null)
        for (const way of calls.of(name))
          if (typeof way === 'string') this.run(id, way);
          else this.call(id, way);
    }
    if ((kind & kindOf.entry) !== 0) {
      const name = this.entryName(id);
      if (name !== null) for (const way of sets.of(name)) this.set(id, way);
    }
    if ((kind & kindOf.text) !== 0 && strings.length > 0 && id >= this.endOfString && this.values.isText(id, type)) {
      this.endOfString = this.root.tree.next[id] ?? 0;
      for (const way of strings) this.text(id, way);
    }
  }

  /** What is decoded and run under another name, or one that is put together. */
  private otherwise(id: number): void {
    const name = this.values.otherName(id);
    if (name === null) return;
    for (const way of this.known.calls.of(name))
      if (typeof way !== 'string' && isHidden({ rule: way.rule.id })) this.call(id, way);
  }

  private entryName(id: number): string | null {
    const { tree } = this.root;
    const [target, value] = this.values.sides(id);
    if (target === null || value === null || !this.values.mayEndIn(tree.end[target] ?? 0, this.known.sets)) return null;
    return nameOf(tree.source, tree.start[target] ?? 0, tree.end[target] ?? 0).replace(/^\./, '') || this.plain(target);
  }

  /** A key that is written as text. */
  private plain(id: number): string {
    return this.values
      .textOf(id)
      .slice(0, 100)
      .replaceAll(/["'`:]/g, '');
  }

  private call(id: number, way: Way): void {
    if (this.isExcused(id, way)) return;
    const { argument } = way.find;
    const wanted = argument === undefined ? null : [argument].flat();
    const given = this.arguments(id).filter(
      ({ index, name }) => wanted === null || wanted.includes(index) || (name !== null && wanted.includes(name)),
    );
    if (given.length === 0) {
      if (wanted === null && !way.find.when && !way.is && !way.like) this.tell(id, way, null);
      return;
    }
    for (const { value } of given) this.holds(value, way, id);
  }

  /** A file that is named to what runs it; what an import names is known of it. */
  private run(id: number, kind: RunByName['kind']): void {
    if (this.runs.length >= maxRuns) return;
    const given = this.arguments(id);
    const [first] = given;
    const isImport = given.length === 1 && first && /^(?:require|import)$/.test(this.values.named(id) ?? '');
    if (isImport && this.values.isPlainText(first.value)) return;
    const loads = kind === 'file' && loader.test(this.values.named(id) ?? '');
    this.loadsAny ||= loads && given.some(({ value }) => !this.values.isPlainText(value));
    const names = given
      .flatMap(({ value, index }) => (index === -1 ? [] : this.values.textsIn(value)))
      .slice(0, maxNames);
    if (names.length === 0) return;
    const hides = given.some(({ value }) => this.values.isDecoded(value)) && this.known.hiding;
    this.runs.push({ line: this.lineOf(id), kind, names, ...(hides && { hides }) });
  }

  private set(id: number, way: Way): void {
    if (way.within && !this.isWithin(id, way.within)) return;
    const [, value] = this.values.sides(id);
    if (value === null || this.isExcused(value, way)) return;
    this.holds(value, way, id);
  }

  private text(id: number, way: Way): void {
    if (way.strings?.test(this.values.textOf(id).slice(0, maxText)) !== true) return;
    if (this.isWithin(id, this.known.origins.clean)) return;
    const value = this.values.of(id, way.clean);
    if (!value.built) return;
    if (this.isExcused(id, way)) return;
    this.hold(value, way, id);
    if (this.isSuch(value, way)) this.tell(id, way, value);
  }

  private isExcused(id: number, { only, unless }: Way): boolean {
    if (only !== null && !only.test(this.codeOf(id) ?? '')) return true;
    if (unless === null) return false;
    const code = this.codeOf(id, true);
    return code !== null && unless.test(code);
  }

  /**
   * The beginning of a text without comments and long blanks, by which anything could be written into a call, or moved out of sight;
   * null where there are too many of them. With `isShape` also without what stands in strings within it, but for single words.
   */
  private codeOf(id: number, isShape = false): string | null {
    const { tree } = this.root;
    const { source, type, start, end, next } = tree;
    let [code, from] = ['', start[id] ?? 0];
    const last = next[id] ?? 0;
    for (let part = id + 1, parts = 0; part < last && code.length < maxText; parts++) {
      if (parts === maxParts) return null;
      const kind = type[part] ?? 0;
      const isString = isShape && this.isLongText(part, kind);
      const isLeftOut = isString || isComment(tree, kind);
      const to = start[part] ?? from;
      if (isLeftOut || to - from > maxText) {
        code += shortened(source.slice(from, to)) + (isString ? '""' : '');
        from = isLeftOut ? (end[part] ?? to) : to;
      }
      part = isLeftOut ? (next[part] ?? last) : part + 1;
    }
    return (code + shortened(source.slice(from, end[id]))).slice(0, maxText);
  }

  private isLongText(id: number, type: number): boolean {
    const { tree } = this.root;
    const [start, end] = [tree.start[id] ?? 0, tree.end[id] ?? 0];
    return isString(tree, type) && (end - start > maxWord || !word.test(tree.source.slice(start, end)));
  }

  private isWithin(id: number, names: NameTable<true>): boolean {
    const { tree } = this.root;
    for (let around = tree.parent[id] ?? 0, up = 0; around > 0 && up < 8; around = tree.parent[around] ?? 0, up++) {
      const type = tree.type[around] ?? 0;
      if (!isCall(tree, type)) continue;
      const name = this.values.named(around, type);
      if (name !== null && names.has(name)) return true;
    }
    return false;
  }

  /** Whether what a way asks of a value holds; then it is told. */
  private holds(value: number, way: Way, at: number): boolean {
    const text = way.is === null ? '' : (this.codeOf(value) ?? '');
    if (!way.find.when && !way.like && way.is) {
      if (!way.is.test(text) && !(this.values.isName(value) && way.is.test(this.values.of(value, null).literal)))
        return false;
      this.tell(at, way, null);
      return true;
    }
    const known = this.values.of(value, way.clean);
    if (way.is && !way.is.test(text)) return false;
    if (way.like && !way.like.test(known.literal)) return false;
    this.hold(known, way, at);
    if (!this.isSuch(known, way)) return false;
    this.tell(at, way, known);
    return true;
  }

  /** What a way would find if a request filled what is in the value. */
  private hold(value: Value, way: Way, at: number): void {
    if (value.from === 'request' || value.holds.length === 0 || !way.find.when) return;
    if (way.file && !way.file.test(this.root.tree.source)) return;
    if (this.isSuch({ ...value, from: 'request' }, way)) this.flows?.sink(value, way.rule, at);
  }

  private isSuch({ from, built, decoded }: Value, { find: { when } }: Way): boolean {
    return (
      !when ||
      when.some((each) => {
        if (each === 'decoded') return decoded === 'written';
        if (each === 'built') return built && from !== 'constant';
        if (each === 'built parameter') return built && rankOf(from) >= rankOf('parameter');
        return rankOf(from) >= rankOf(each);
      })
    );
  }

  private tell(at: number, { rule, find, file }: Way, value: Value | null): void {
    if (file && !file.test(this.root.tree.source)) return;
    const line = this.lineOf(at);
    const steps = [...new Set([...(value?.steps ?? []).map((each) => this.lineOf(each)), line])];
    const found = { rule: rule.id, line, severity: find.when ? severityOf(rule, value) : rule.severity };
    const key = `${rule.id} ${line}`;
    const known = this.each.get(key);
    if (known && severities.indexOf(known.severity) >= severities.indexOf(found.severity)) return;
    this.each.set(key, steps.length > 1 ? { ...found, steps } : found);
  }

  private lineOf(id: number): number {
    return new Node(this.root.tree, id).startPosition.row + 1;
  }

  /** What is passed to a call, with its name where it has one. */
  private arguments(id: number): { value: number; index: number; name: string | null }[] {
    const { tree } = this.root;
    const list = this.values.argumentsOf(id);
    const node = new Node(tree, list ?? id);
    if (list === null && !this.values.isStatement(id) && node.type !== 'command') return [];
    const children = node.type === 'command' ? node.childrenForFieldName('argument') : node.namedChildren;
    return children
      .filter((child) => !isComment(tree, tree.type[child.id] ?? 0))
      .flatMap((child, index) => {
        if (/^(?:object|dictionary|hash|array_creation_expression|bare_hash)$/.test(child.type))
          return [
            { value: child.id, index, name: null },
            ...child.namedChildren.flatMap((each) => this.entry(each.id, -1)),
          ];
        return this.entry(child.id, index);
      });
  }

  private entry(id: number, index: number): { value: number; index: number; name: string | null }[] {
    const { tree } = this.root;
    if (!isEntry(tree, tree.type[id] ?? 0) || isAssignment(tree, tree.type[id] ?? 0))
      return [{ value: id, index, name: null }];
    const [target, value] = this.values.sides(id);
    // A wrapper of one expression.
    if (value === null || target === null) return [{ value: target ?? id, index, name: null }];
    return [{ value, index: -1, name: this.plain(target) }];
  }
}

const maxWord = 40;
/** A text of one word says what an option or its value is called, and no more. */
const word = /^['"`]?[\w./+-]*['"`]?$/;

/** Long blanks tell nothing; of a text that is much longer than what is compared, its beginning. */
const shortened = (text: string) => text.slice(0, 100 * maxText).replaceAll(/\s{2,}/g, ' ');

const isComment = typesThat((name) => name.includes('comment'));

import { Conditions } from '../reading/conditions.ts';
import { endOfDirective, passed } from './scan.ts';

/** A conditional that is being read. */
interface Conditional {
  /** Where its directives stand. */
  readonly directives: [from: number, end: number][];
  readonly branches: Branch[];
  readonly braces: number;
  readonly parens: number;
  /** The last character before it that says something. */
  readonly before: string;
}

interface Branch {
  from: number;
  end: number;
  likely: number;
  /** The first and the last character that say something. */
  first: string;
  last: string;
  braces: number;
  parens: number;
  /** It is `#if 0`. */
  isDead: boolean;
}

/** What goes on with what stands before, or waits for what stands behind. */
const goesOn = /[:,)\]=+\-*/&|<>?.{%^]/;
const waits = /[(,=+\-*/&|<?.[%^]/;
const specifiers =
  /^(?:static|inline|const|extern|return|else|typedef|struct|class|union|enum|virtual|constexpr|explicit)$/;
const word = /[A-Za-z_]\w*|\d(?:[\w.]|'\w)*|\S|\n/g;

/**
 * Where a conditional cuts through a statement, a head or a pair of brackets, no grammar can take its branches side by side: the
 * branch stays that an ordinary build on Linux takes, and the others are blanked, as is what `#if 0` hides.
 */
export function settled(source: string): string {
  return /^[ \t]*#[ \t]*if/m.test(source) ? new Settling(source).text() : source;
}

class Settling {
  readonly #source: string;
  readonly #cuts: [from: number, end: number][] = [];
  readonly #around: Conditional[] = [];
  readonly #conditions = new Conditions();
  #state = { braces: 0, parens: 0, last: '' };

  constructor(source: string) {
    this.#source = source;
  }

  text(): string {
    const source = this.#source;
    let isLineStart = true;
    for (let at = 0; at < source.length;) {
      word.lastIndex = at;
      const found = word.exec(source);
      if (!found) break;
      const [text] = found;
      const from = found.index;
      at = from + text.length;
      if (text === '#' && isLineStart) at = this.#directive(from);
      else if (text !== '\n') at = this.#token(text, from);
      isLineStart = text === '\n';
    }
    return blanked(source, this.#cuts);
  }

  /** Its end. */
  #directive(from: number): number {
    const end = endOfDirective(this.#source, from);
    const directive = this.#source.slice(from, end);
    const name = /^#\s*(\w*)/.exec(directive)?.[1] ?? '';
    if (!/^(?:if|el|endif)/.test(name)) return end;
    const around = this.#around;
    const isNew = name.startsWith('if');
    if (!isNew) closeBranch(around.at(-1), from, this.#state);
    this.#conditions.meet(name, directive);
    const { braces, parens, last } = this.#state;
    if (isNew) around.push({ directives: [], branches: [], braces, parens, before: last });
    const inner = around.at(-1);
    if (!inner) return end;
    inner.directives.push([from, end]);
    if (name === 'endif') {
      around.pop();
      const chosen = settle(inner, this.#cuts);
      if (chosen) this.#state = { braces: chosen.braces, parens: chosen.parens, last: chosen.last };
      return end;
    }
    const isDead = /^#\s*if\s+(?:0|false)\s*(?:$|\/)/.test(directive);
    const { likely } = this.#conditions;
    inner.branches.push({ from: end, end, likely, first: '', last: '', braces: 0, parens: 0, isDead });
    this.#state = { braces: inner.braces, parens: inner.parens, last: inner.before };
    return end;
  }

  /** Where what begins with this token ends: it may be a comment or a string. */
  #token(text: string, from: number): number {
    const state = this.#state;
    let end = from + text.length;
    if (text === '"' || text === "'" || text === '/') {
      end = passed(this.#source, from);
      if (text === '/' && end > from + 1) return end;
    } else if (text === '{') state.braces++;
    else if (text === '}') state.braces--;
    else if (text === '(') state.parens++;
    else if (text === ')') state.parens--;
    const branch = this.#around.at(-1)?.branches.at(-1);
    // `::` begins a name.
    if (branch) branch.first ||= text === ':' && this.#source[from + 1] === ':' ? 'x' : text;
    state.last = text;
    return end;
  }
}

function closeBranch(around: Conditional | undefined, end: number, state: Pick<Branch, 'braces' | 'parens' | 'last'>) {
  const branch = around?.branches.at(-1);
  if (branch) Object.assign(branch, state, { end, last: branch.first === '' ? '' : state.last });
}

/** Whether one of these branches begins or ends in the middle of something. */
function cutsThrough(branches: readonly Branch[], { braces, parens, before }: Conditional): boolean {
  if (parens > 0 || specifiers.test(before) || (waits.test(before) && before !== ',')) return true;
  return branches.some(
    (one) =>
      one.braces !== braces ||
      one.parens !== parens ||
      goesOn.test(one.first) ||
      (one.first === '__attribute__' && !/[;{}]/.test(before)) ||
      one.last === 'else' ||
      waits.test(one.last),
  );
}

/** Cuts what can't stay; what comes behind goes on as after the branch that is given. */
function settle(conditional: Conditional, cuts: [number, number][]): Branch | null {
  const { branches, directives, braces, parens, before } = conditional;
  const filled = branches.filter(({ first }) => first !== '');
  for (const { isDead, from, end } of branches) if (isDead) cuts.push([from, end]);
  const living = filled.filter(({ isDead }) => !isDead);
  const isCut = living.length > 0 && cutsThrough(living, conditional);
  let [chosen] = branches;
  if (!chosen || !isCut) return chosen ? { ...chosen, braces, parens, last: living[0]?.last ?? before } : null;
  for (const one of branches) if (!one.isDead && one.likely > (chosen?.likely ?? 0)) chosen = one;
  // Without another way, what is there counts for more than that it may be left out, where nothing is left open by it.
  if (branches.length === 1 && chosen && chosen.likely === 0 && !chosen.isDead) {
    cuts.push([chosen.from, chosen.end], ...directives);
    return { ...chosen, braces, parens, last: before };
  }
  for (const one of branches) if (one !== chosen) cuts.push([one.from, one.end]);
  cuts.push(...directives);
  return chosen && { ...chosen, last: chosen.last || before, ...(chosen.first === '' ? { braces, parens } : {}) };
}

function blanked(source: string, cuts: [from: number, end: number][]): string {
  if (cuts.length === 0) return source;
  const parts: string[] = [];
  let at = 0;
  for (const [from, end] of cuts.sort(([a], [b]) => a - b)) {
    if (end <= at) continue;
    const begin = Math.max(at, from);
    parts.push(source.slice(at, begin), source.slice(begin, end).replace(/[^\n]/g, ' '));
    at = end;
  }
  return parts.join('') + source.slice(at);
}

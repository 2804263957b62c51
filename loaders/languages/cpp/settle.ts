import { Conditions } from './conditions.ts';
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
  if (!/^[ \t]*#[ \t]*if/m.test(source)) return source;
  const cuts: [from: number, end: number][] = [];
  const around: Conditional[] = [];
  const conditions = new Conditions();
  let [braces, parens, last, isLineStart] = [0, 0, '', true];
  for (let at = 0; at < source.length;) {
    word.lastIndex = at;
    const found = word.exec(source);
    if (!found) break;
    const [text] = found;
    const from = found.index;
    at = from + text.length;
    if (text === '\n') {
      isLineStart = true;
      continue;
    }
    if (text === '#' && isLineStart) {
      at = endOfDirective(source, from);
      const directive = source.slice(from, at);
      const name = /^#\s*(\w*)/.exec(directive)?.[1] ?? '';
      if (!/^(?:if|el|endif)/.test(name)) continue;
      if (!name.startsWith('if')) closeBranch(around.at(-1), from, { braces, parens, last });
      conditions.meet(name, directive);
      if (name.startsWith('if')) around.push({ directives: [], branches: [], braces, parens, before: last });
      const inner = around.at(-1);
      if (!inner) continue;
      inner.directives.push([from, at]);
      if (name === 'endif') {
        around.pop();
        const chosen = settle(inner, cuts);
        if (chosen) ({ braces, parens, last } = chosen);
        continue;
      }
      const isDead = /^#\s*if\s+(?:0|false)\s*(?:$|\/)/.test(directive);
      inner.branches.push({
        from: at,
        end: at,
        likely: conditions.likely,
        first: '',
        last: '',
        braces: 0,
        parens: 0,
        isDead,
      });
      ({ braces, parens } = inner);
      last = inner.before;
      continue;
    }
    isLineStart = false;
    if (text === '"' || text === "'" || text === '/') {
      at = passed(source, from);
      if (text === '/' && at > from + 1) continue;
    } else if (text === '{') braces++;
    else if (text === '}') braces--;
    else if (text === '(') parens++;
    else if (text === ')') parens--;
    const branch = around.at(-1)?.branches.at(-1);
    // `::` begins a name.
    if (branch) branch.first ||= text === ':' && source[from + 1] === ':' ? 'x' : text;
    last = text;
  }
  return blanked(source, cuts);
}

function closeBranch(around: Conditional | undefined, end: number, state: Pick<Branch, 'braces' | 'parens' | 'last'>) {
  const branch = around?.branches.at(-1);
  if (branch) Object.assign(branch, state, { end, last: branch.first === '' ? '' : state.last });
}

/** Cuts what can't stay; what comes behind goes on as after the branch that is given. */
function settle(
  { branches, directives, braces, parens, before }: Conditional,
  cuts: [number, number][],
): Branch | null {
  const filled = branches.filter(({ first }) => first !== '');
  for (const { isDead, from, end } of branches) if (isDead) cuts.push([from, end]);
  const living = filled.filter(({ isDead }) => !isDead);
  const isSplit = living.some(
    (one) =>
      one.braces !== braces ||
      one.parens !== parens ||
      goesOn.test(one.first) ||
      (one.first === '__attribute__' && !/[;{}]/.test(before)) ||
      one.last === 'else' ||
      (waits.test(one.last) && one.last.length === 1),
  );
  const isOpen = specifiers.test(before) || (before.length === 1 && waits.test(before) && before !== ',');
  const inside = living.length > 0 && (parens > 0 || isOpen);
  let [chosen] = branches;
  if (!chosen || (!isSplit && !inside))
    return chosen ? { ...chosen, braces, parens, last: living[0]?.last ?? before } : null;
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

/** What is known of a condition of GitHub's: null where only the run can tell. */
type Known = string | number | boolean | null | undefined;
const unknown = undefined;

/** What a condition may ask for. */
export interface Asked {
  /** Events of changes that start the workflow. */
  events: readonly string[];
  /** Whether a branch of this name may be there. */
  isBranch(name: string): boolean;
  /** Whether the repository says of itself that it is called so: `owner/name`, or an owner alone. */
  isCalled(name: string): boolean;
  /** Values of each key of the matrix; null where they can't be told. */
  matrix: ReadonlyMap<string, readonly string[] | null>;
}

const token =
  /\s*(?:(?<text>'(?:[^']|'')*')|(?<number>\d+(?:\.\d+)?)|(?<name>[A-Za-z_][\w.*-]*)|(?<sign>&&|\|\||==|!=|<=|>=|[!<>()[\],]))/y;
const longest = 2_000;

/** Whether a condition is never true on a change: `false`, two words that differ, an event that starts nothing here. */
export function isNeverTrue(condition: string, asked: Asked): boolean {
  const text = condition.trim().replace(/^\$\{\{([^]*)\}\}$/, '$1');
  if (text.length > longest || text.includes('${{')) return false;
  const tokens = tokensOf(text);
  if (tokens === null) return false;
  try {
    const value = new Reader(tokens, asked).either();
    return value !== unknown && !isTruthy(value);
  } catch {
    return false;
  }
}

interface Token {
  kind: 'text' | 'number' | 'name' | 'sign';
  text: string;
}

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (token.lastIndex < trimmed.length) {
    const groups = token.exec(trimmed)?.groups;
    if (!groups) return null;
    const [kind, found] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    if (kind === undefined || found === undefined) return null;
    tokens.push({ kind: kind as Token['kind'], text: found });
  }
  return tokens;
}

const ofRepository =
  /^github\.(repository(_owner)?|event\.repository\.(full_name|name|owner\.(login|name))|event\.pull_request\.(head|base)\.repo\.(full_name|name|owner\.login)|repositoryUrl)$/;
const ofAccount =
  /^github\.(actor(_id)?|triggering_actor|event\.(sender|pusher)\.\w+|event\.pull_request\.(head\.)?user\.login)$/;
/** What a change has to say, or to be marked with, before anything is run. */
const ofWords =
  /^github\.event\.(head_commit\.message|commits\S*|pull_request\.(title|body|labels\S*|head\.ref)|label\S*)$|^github\.head_ref$/;
/** What stands in the forge's settings, or in the form that somebody starts a run with: taken for not set. */
const ofSettings = /^(vars\.\w+|github\.event\.inputs\.\w+)$/;

const isTruthy = (value: Known) => value !== false && value !== null && value !== '' && value !== 0;

class Reader {
  readonly #tokens: readonly Token[];
  readonly #asked: Asked;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], asked: Asked) {
    this.#tokens = tokens;
    this.#asked = asked;
  }

  either(): Known {
    let value = this.#both();
    while (this.#take('||')) {
      const other = this.#both();
      if (value === unknown) value = other !== unknown && isTruthy(other) ? other : unknown;
      else if (!isTruthy(value)) value = other;
    }
    return value;
  }

  #both(): Known {
    let value = this.#equal();
    while (this.#take('&&')) {
      const other = this.#equal();
      if (value === unknown) value = other !== unknown && !isTruthy(other) ? other : unknown;
      else if (isTruthy(value)) value = other;
    }
    return value;
  }

  #equal(): Known {
    const start = this.#at;
    const left = this.#one();
    const name = this.#nameAt(start, this.#at);
    for (const sign of ['==', '!=', '<=', '>=', '<', '>']) {
      if (!this.#take(sign)) continue;
      const right = this.#one();
      if (sign !== '==' && sign !== '!=') return unknown;
      const isEqual = this.#isEqual(name, left, right);
      return isEqual === unknown ? unknown : isEqual === (sign === '==');
    }
    return left;
  }

  #nameAt(from: number, to: number): string | null {
    const first = this.#tokens[from];
    return to === from + 1 && first?.kind === 'name' ? first.text : null;
  }

  #isEqual(name: string | null, left: Known, right: Known): boolean | undefined {
    if (left !== unknown && right !== unknown) return String(left).toLowerCase() === String(right).toLowerCase();
    // What is not set equals the empty text.
    if (name === null || typeof right !== 'string' || right === '') return unknown;
    if (ofRepository.test(name)) return this.#asked.isCalled(right) ? unknown : false;
    // What starts for one account is no gate for what others change.
    if (ofAccount.test(name)) return false;
    if (name === 'github.event_name') return this.#asked.events.includes(right) ? unknown : false;
    if (name === 'github.ref')
      return right.startsWith('refs/heads/') ? this.#branch(right.slice('refs/heads/'.length)) : false;
    if (name === 'github.ref_name' || name === 'github.base_ref') return this.#branch(right);
    if (name === 'runner.os') return ['Linux', 'Windows', 'macOS'].includes(right) ? unknown : false;
    const values = name.startsWith('matrix.') ? this.#asked.matrix.get(name.slice('matrix.'.length)) : null;
    return values && values.length > 0 && !values.includes(right) ? false : unknown;
  }

  #branch(name: string): false | undefined {
    return this.#asked.isBranch(name) ? unknown : false;
  }

  #one(): Known {
    this.#depth += 1;
    if (this.#depth > 100) throw new Error('It is nested too deeply.');
    try {
      return this.#operand();
    } finally {
      this.#depth -= 1;
    }
  }

  #operand(): Known {
    if (this.#take('!')) {
      const value = this.#one();
      return value === unknown ? unknown : !isTruthy(value);
    }
    if (this.#take('(')) {
      const value = this.either();
      this.#take(')');
      return value;
    }
    const next = this.#tokens[this.#at];
    this.#at += 1;
    if (!next) throw new Error('It ends too early.');
    if (next.kind === 'text') return next.text.slice(1, -1).replaceAll("''", "'");
    if (next.kind === 'number') return Number(next.text);
    if (next.kind !== 'name') throw new Error('It begins with a sign.');
    if (this.#take('(')) return this.#call(next.text);
    if (ofSettings.test(next.text)) return '';
    return next.text === 'true' ? true : next.text === 'false' ? false : next.text === 'null' ? null : unknown;
  }

  #call(name: string): Known {
    const start = this.#at;
    const values: Known[] = [];
    while (!this.#take(')')) {
      values.push(this.either());
      if (!this.#take(',') && this.#tokens[this.#at]?.text !== ')') throw new Error('It is no list.');
    }
    // A run in which nothing fails is what gates are there for.
    if (name === 'failure' || name === 'cancelled') return false;
    const asks = this.#tokens[start]?.text ?? '';
    if (name === 'startsWith' && asks === 'github.ref' && String(values[1]).startsWith('refs/tags')) return false;
    const asked = values[1];
    if (!/^(startsWith|endsWith|contains)$/.test(name) || typeof asked !== 'string' || asked === '') return unknown;
    if (ofRepository.test(asks)) return this.#asked.isCalled(asked.replaceAll('/', '')) ? unknown : false;
    return ofAccount.test(asks) || ofWords.test(asks) ? false : unknown;
  }

  #take(sign: string): boolean {
    const next = this.#tokens[this.#at];
    if (next?.kind !== 'sign' || next.text !== sign) return false;
    this.#at += 1;
    return true;
  }
}

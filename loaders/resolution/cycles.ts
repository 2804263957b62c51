/** Questions that lead to questions end here. */
const maxDepth = 80;

/**
 * Answers each question once, and ends what goes round in circles. A question that is asked again while it is being answered is
 * answered with "not known yet", and so is one that lies too deep. An answer that says nothing because it rests on such a half
 * answer holds for the question at hand only: asked from elsewhere in the circle, more can be known.
 */
export class Cycles {
  /** The questions being answered, the innermost last. */
  readonly #open: unknown[] = [];
  /** The outermost open question whose half answer the answer at hand rests on, by its place in `#open`. */
  #restsOn = Infinity;
  /** What to forget when the outermost question is answered. */
  readonly #provisional: (() => void)[] = [];
  /** Told when a question gets a half answer; null where nobody listens. */
  onCut: ((why: 'circle' | 'depth') => void) | null = null;

  /** How many questions are open. */
  get depth(): number {
    return this.#open.length;
  }

  /** The answer in `memory`, or what `compute` gives, which is kept there; `unfinished` stands for it until then. */
  remember<K, V>(memory: Map<K, V>, key: K, unfinished: V, compute: () => V): V {
    const known = memory.get(key);
    if (known !== undefined) {
      if (known === unfinished) this.#meet(key);
      return known;
    }
    const open = this.#open;
    if (open.length > maxDepth) {
      this.#restsOn = 0;
      this.onCut?.('depth');
      return unfinished;
    }
    const around = this.#restsOn;
    const own = open.length;
    memory.set(key, unfinished);
    open.push(key);
    this.#restsOn = Infinity;
    try {
      const value = compute();
      memory.set(key, value);
      if (this.#restsOn < own && saysNothing(value)) this.#provisional.push(() => memory.delete(key));
      return value;
    } finally {
      open.pop();
      this.#restsOn = Math.min(around, this.#restsOn < own ? this.#restsOn : Infinity);
      if (own === 0) this.#forgetProvisional();
    }
  }

  /** A question is met whose answer is empty or unfinished: is it open? */
  #meet(key: unknown): void {
    const own = this.#open.lastIndexOf(key);
    if (own === -1) return;
    this.#restsOn = Math.min(this.#restsOn, own);
    this.onCut?.('circle');
  }

  #forgetProvisional(): void {
    for (let forget = this.#provisional.pop(); forget; forget = this.#provisional.pop()) forget();
  }
}

/** An answer of no values, or of several kinds of values, all none. */
function saysNothing(answer: unknown): boolean {
  return Object.values(answer ?? [0]).every((one) => Array.isArray(one) && one.length === 0);
}

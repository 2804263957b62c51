export type Json = Record<string, unknown>;

/** The answer of a GET. Throws `NotForThisKey`, or another error where it is none with status 200. */
export type Ask = (path: string) => Promise<Json>;

/** What is refused to a caller for who it is, and says nothing of the answers. */
export class NotForThisKey extends Error {}

export const listOf = (json: Json, name: string) => (json[name] ?? []) as Json[];
export const numberOf = (json: Json, name: string) => Number(json[name]);
export const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
export const sumOf = (items: readonly Json[], name: string) => sum(items.map((item) => numberOf(item, name)));
export const encoded = (text: unknown) => encodeURIComponent(String(text));

/** So many of these at most, as far from each other as can be: the same at each call. */
export function drawn<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * step)] as T);
}

/** Asks, and collects what does not agree, as sentences that begin with the question. */
export class Findings {
  readonly all: string[] = [];
  /** What this caller may not ask. */
  readonly notAsked: string[] = [];
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  equal(question: string, what: string, one: unknown, other: unknown): void {
    if (one !== other) this.all.push(`${question}: ${what}: ${String(one)} and ${String(other)}`);
  }

  holds(question: string, what: string, isSo: boolean): void {
    if (!isSo) this.all.push(`${question}: ${what}`);
  }

  /** Null, and a finding, where there is no answer; null and none where it is not for this caller. */
  async ask(question: string): Promise<Json | null> {
    try {
      const answer = await this.#ask(question);
      checkValues(this, question, answer);
      return answer;
    } catch (error) {
      if (error instanceof NotForThisKey) this.notAsked.push(question);
      else this.all.push(`${question}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }
}

const unmeasured: readonly unknown[] = ['not_measured', 'not_applicable'];
/** Members that say how much or how good. */
const figures = ['value', 'score', 'grade', 'hours', 'percentile'];

/**
 * What is true wherever it stands in an answer: what was not measured has no figure and says why, a grade is of a score, and a list that is shown in part is no longer than its total.
 */
function checkValues(found: Findings, question: string, json: unknown): void {
  if (typeof json !== 'object' || json === null) return;
  if (Array.isArray(json)) {
    for (const each of json) checkValues(found, question, each);
    return;
  }
  const members = json as Json;
  const id =
    ['id', 'factor_id', 'repo', 'name'].map((name) => members[name]).find((name) => typeof name === 'string') ?? '';
  if (unmeasured.includes(members['status'])) {
    for (const name of figures)
      found.holds(question, `${id} was not measured and has a ${name}`, (members[name] ?? null) === null);
    found.holds(question, `${id} was not measured and gives no reason`, members['reason'] !== null);
  }
  if (members['status'] === 'measured' && 'value' in members)
    found.holds(question, `${id} was measured and has no value`, members['value'] !== null);
  if (members['score'] === null && 'grade' in members)
    found.holds(question, `${id} has no score and a grade`, members['grade'] === null);
  if (Array.isArray(members['items']) && typeof members['total'] === 'number')
    found.holds(question, 'a list is longer than its total', members['items'].length <= members['total']);
  for (const value of Object.values(members)) checkValues(found, question, value);
}

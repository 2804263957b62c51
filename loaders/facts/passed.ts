import type { Call, Definition, Expr } from './fact.ts';
import { type Value, type Values, unite, unknown } from './value.ts';

/** What is needed of the evaluator. */
interface Around {
  documents: readonly {
    facts: { calls: readonly Call[]; definitions: readonly Definition[] };
    family: string;
    semantics: { argumentsTellParameters?: boolean };
    release?(): number;
  }[];
  evaluate(document: number, expr: Expr): Values;
  constructorOf(value: Extract<Value, { kind: 'class' }>): { document: number; definition: number } | null;
}

interface Site {
  document: number;
  /** Index of the call in it. */
  call: number;
}

/** Calls by one name that are looked at for one parameter, those of the same file first. */
const mostSites = 30;

/**
 * What the calls of a function pass for the parameter at this place: how a parameter without a type learns what it can be.
 * Only calls by the function's or class's own name are looked for.
 */
export function createPassed({ documents, evaluate, constructorOf }: Around): {
  at(document: number, definition: number, index: number): Values;
  /** What was found before. */
  answers: Map<string, Values>;
} {
  const answers = new Map<string, Values>();
  const sites = indexCalls(documents);

  return {
    answers,
    at(document, definition, index) {
      const key = `${document} ${definition} ${index}`;
      const known = answers.get(key);
      if (known) return known;
      answers.set(key, unknown);
      const values = find(document, definition, index);
      answers.set(key, values);
      return values;
    },
  };

  function find(document: number, definition: number, index: number): Values {
    const own = documents[document]?.facts.definitions[definition];
    const parameter = own?.parameters[index];
    if (!own || !parameter || own.name === '') return unknown;
    const family = documents[document]?.family ?? '';
    const owner = own.kind === 'constructor' ? documents[document]?.facts.definitions[own.owner]?.name : undefined;
    const candidates = [...(owner === undefined ? [] : [owner]), own.name].flatMap((name) =>
      nearest(sites.get(`${family} ${name}`) ?? [], document),
    );
    const results: Values[] = [];
    for (const site of candidates) {
      const call = documents[site.document]?.facts.calls[site.call];
      if (!call) continue;
      const { args, named, callee } = call;
      const shift = shiftOf(evaluate(site.document, callee), document, definition, own);
      if (shift === null) continue;
      const given = named?.find(({ name }) => name === parameter.name)?.value;
      const passed = given
        ? [given]
        : parameter.rest
          ? args.slice(index + shift)
          : args.slice(index + shift, index + shift + 1);
      for (const arg of passed) results.push(evaluate(site.document, arg));
    }
    return unite(results);
  }

  /** How many arguments come before the first parameter; null where the call is of something else. */
  function shiftOf(values: Values, document: number, definition: number, own: Definition): number | null {
    for (const value of values) {
      const place = value.kind === 'class' ? constructorOf(value) : value.kind === 'function' ? value : null;
      if (place?.document !== document || place.definition !== definition) continue;
      return value.kind === 'function' && value.self?.kind === 'class' && !own.isStatic ? 1 : 0;
    }
    return null;
  }
}

/** Sites in the document first; of each kind in their order. */
function nearest(sites: readonly Site[], document: number): Site[] {
  const here: Site[] = [];
  const elsewhere: Site[] = [];
  for (const site of sites) {
    const kind = site.document === document ? here : elsewhere;
    if (kind.length < mostSites) kind.push(site);
  }
  return [...here, ...elsewhere].slice(0, mostSites);
}

function indexCalls(documents: Around['documents']): Map<string, Site[]> {
  const sites = new Map<string, Site[]>();
  const families = new Set(documents.filter((one) => one.semantics.argumentsTellParameters).map((one) => one.family));
  documents.forEach((one, document) => {
    if (!families.has(one.family)) return;
    for (const [call, { callee }] of one.facts.calls.entries()) {
      if (callee.kind !== 'name' && callee.kind !== 'member') continue;
      const key = `${one.family} ${callee.name}`;
      const list = sites.get(key) ?? [];
      sites.set(key, list);
      // Of one file no more are looked at.
      if (list.at(-mostSites)?.document !== document) list.push({ document, call });
    }
    one.release?.();
  });
  return sites;
}

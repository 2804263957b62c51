import { LRUCache } from 'lru-cache';
import type { Call, Definition, Expr } from '../facts/fact.ts';
import { createNumberByText } from '../number-by-text.ts';
import { createNumbers } from '../numbers.ts';
import { type Value, type Values, unite, unknown } from './value.ts';

/** What is needed of the evaluator. */
interface Around {
  documents: readonly {
    facts: { calls: readonly Call[]; definitions: readonly Definition[] };
    family: string;
    semantics: { argumentsTellParameters?: boolean };
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
  /** Its calls are looked at from now on. */
  add(one: Around['documents'][number], document: number): void;
  at(document: number, definition: number, index: number): Values;
  /** What was found before. */
  answers: Map<string, Values>;
} {
  const answers = new Map<string, Values>();
  const sites = createCalls();
  /** Of the documents that were asked last: a function's parameters are, one by one. */
  const calls = new LRUCache<number, Map<string, Site[]>>({ max: 64 });
  const families = new Set(documents.filter((one) => one.semantics.argumentsTellParameters).map((one) => one.family));

  return {
    answers,
    add({ family, facts }, document) {
      if (!families.has(family)) return;
      for (const [name, own] of callsByName(facts.calls, document))
        for (const site of own) sites.add(`${family} ${name}`, site);
    },
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

  /** The first of them. */
  function callsIn(document: number, name: string): Site[] {
    const { facts, family } = documents[document] ?? {};
    if (!facts || !families.has(family ?? '')) return [];
    let byName = calls.get(document);
    if (!byName) calls.set(document, (byName = callsByName(facts.calls, document)));
    return byName.get(name) ?? [];
  }

  function find(document: number, definition: number, index: number): Values {
    const own = documents[document]?.facts.definitions[definition];
    const parameter = own?.parameters[index];
    if (!own || !parameter || own.name === '') return unknown;
    const family = documents[document]?.family ?? '';
    const owner = own.kind === 'constructor' ? documents[document]?.facts.definitions[own.owner]?.name : undefined;
    const candidates = [...(owner === undefined ? [] : [owner]), own.name].flatMap((name) =>
      nearest(callsIn(document, name), sites.of(`${family} ${name}`), document),
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

/** A file's calls by the name that is called; of each no more than are looked at. */
function callsByName(calls: readonly Call[], document: number): Map<string, Site[]> {
  const byName = new Map<string, Site[]>();
  for (const [call, { callee }] of calls.entries()) {
    if (callee.kind !== 'name' && callee.kind !== 'member') continue;
    const sites = byName.get(callee.name);
    if (!sites) byName.set(callee.name, [{ document, call }]);
    else if (sites.length < mostSites) sites.push({ document, call });
  }
  return byName;
}

/** Sites in the document first; of each kind in their order. */
function nearest(here: readonly Site[], all: readonly Site[], document: number): Site[] {
  const elsewhere = all.filter((site) => site.document !== document).slice(0, mostSites);
  return [...here, ...elsewhere].slice(0, mostSites);
}

/** Of each name its first calls, in the order of documents. */
interface Calls {
  add(name: string, site: Site): void;
  of(name: string): Site[];
}

/** A name's calls are chained: sixteen bytes each, as there are very many. */
function createCalls(): Calls {
  const names = createNumberByText();
  const [firsts, lasts, counts] = [createNumbers(), createNumbers(), createNumbers()];
  const [documents, calls, nexts] = [createNumbers(), createNumbers(), createNumbers()];
  return {
    add(name, { document, call }) {
      let number = names.get(name);
      const site = documents.length;
      if (number === null) {
        number = firsts.length;
        names.set(name, number);
        for (const [list, value] of [
          [firsts, site],
          [lasts, site],
          [counts, 0],
        ] as const)
          list.add(value);
      } else {
        // Even if those of one document are left out, there are enough others.
        if (counts.at(number) >= 2 * mostSites) return;
        nexts.set(lasts.at(number), site);
        lasts.set(number, site);
      }
      counts.set(number, counts.at(number) + 1);
      documents.add(document);
      calls.add(call);
      nexts.add(site);
    },
    of(name) {
      const number = names.get(name);
      const sites: Site[] = [];
      if (number === null) return sites;
      for (let at = firsts.at(number), left = counts.at(number); left > 0; left--, at = nexts.at(at))
        sites.push({ document: documents.at(at), call: calls.at(at) });
      return sites;
    },
  };
}

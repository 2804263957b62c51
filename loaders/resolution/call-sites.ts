import type { Call, FileFacts } from '../facts/fact.ts';
import { createNumberByText } from '../number-by-text.ts';
import { createNumbers } from '../numbers.ts';
import { isFunction } from './documents.ts';

/** A call by where it stands. */
export interface CallSite {
  document: number;
  /** Index of the call in it. */
  call: number;
}

/** Calls by one name that are looked at for one parameter, those of the same file first. */
export const maxSites = 30;

/** Of each name its first calls, in the order of documents. */
export interface CallSites {
  add(name: string, site: CallSite): void;
  of(name: string): CallSite[];
}

/** A name's calls are chained: sixteen bytes each, as there are very many. */
export function createCallSites(): CallSites {
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
        if (counts.at(number) >= 2 * maxSites) return;
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
      const sites: CallSite[] = [];
      if (number === null) return sites;
      for (let at = firsts.at(number), left = counts.at(number); left > 0; left--, at = nexts.at(at))
        sites.push({ document: documents.at(at), call: calls.at(at) });
      return sites;
    },
  };
}

/** A file's calls by the name that is called; of each no more than are looked at. */
export function callsByName(facts: FileFacts, document: number): Map<string, CallSite[]> {
  const byName = new Map<string, CallSite[]>();
  for (const [call, made] of facts.calls.entries()) {
    const name = nameCalled(facts, made);
    if (name === null) continue;
    const sites = byName.get(name);
    if (!sites) byName.set(name, [{ document, call }]);
    else if (sites.length < maxSites) sites.push({ document, call });
  }
  return byName;
}

/** The name by which something is called; of a class that makes one of itself, its own. */
function nameCalled({ definitions }: FileFacts, { callee, isNew }: Call): string | null {
  if (isNew && callee.kind === 'self') {
    let around = definitions[callee.definition];
    while (around && isFunction(around)) around = definitions[around.owner];
    return around?.name ?? null;
  }
  return callee.kind === 'name' || callee.kind === 'member' ? callee.name : null;
}

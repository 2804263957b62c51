import type { FileName } from '../facts/file-import.ts';
import { anyName, moduleNamed, type FileFlows, type FlowFunction } from '../facts/flow.ts';
import { isWhole } from './called-names.ts';

/** So many names of a function are looked at; one with more may have any. */
const maxNames = 20;
/** Pairs of names: whoever wrote them may want us to look for ever. */
const maxPairs = 500_000;
/** What a module gives as a whole is put under these. */
const isModule = /^(?:exports|default)$/;

interface Names {
  names: readonly string[];
  /** There are more. */
  isAny: boolean;
}

/**
 * All names of functions: each file says which names it gives to what has another one, be it its own or that of another file. By names
 * alone, so that what has a name in any file is meant.
 */
export class GivenNames {
  readonly #after = new Map<string, string[]>();
  readonly #known = new Map<string, Names>();
  #count = 0;

  constructor(files: Iterable<FileFlows>, names: readonly FileName[]) {
    for (const { local, name, to, path } of names)
      if (!isWhole.test(name)) this.#add(isWhole.test(local) ? moduleNamed(path) : local, name);
      else if (!isWhole.test(local)) for (const each of to) this.#add(local, moduleNamed(each));
    for (const { names = [] } of files)
      for (const each of names) {
        const [name, before] = each;
        if (name === anyName[0]) this.#count = maxPairs + 1;
        else this.#add(name, before);
      }
  }

  /** Of a function in a file, also what it has there beside its own. */
  of(path: string, { name, also = [] }: FlowFunction): Names {
    const own = [name, ...also];
    const module = own.some((each) => isModule.test(each)) ? moduleNamed(path) : null;
    if (module !== null) own.push(module);
    const key = own.join(' ');
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = this.#follow(own)));
    return known;
  }

  #add(name: string | null, before: string | null): void {
    if (name === null || before === null || name === before || ++this.#count > maxPairs) return;
    const known = this.#after.get(before);
    if (!known) this.#after.set(before, [name]);
    // So many are too many, whichever of them are among a function's own.
    else if (known.length < 3 * maxNames && !known.includes(name)) known.push(name);
  }

  #follow(own: readonly string[]): Names {
    // Pairs were left out, and theirs may be among these.
    if (this.#count > maxPairs) return { names: own, isAny: true };
    const names = new Set(own);
    for (const each of names)
      for (const name of this.#after.get(each) ?? [])
        if (names.add(name).size > maxNames + own.length) return { names: own, isAny: true };
    return { names: [...names], isAny: false };
  }
}

import type { InsecureCode } from './insecure-code.ts';

/** Where a file has another one run that it names, or takes folders in which modules are looked for. */
export interface RunByName {
  line: number;
  kind: 'file' | 'folder';
  /** What is written in the name, in its order: `path.join(__dirname, 'a', 'b.js')` has two. */
  names: readonly string[];
  /** What it holds is decoded before it is run: the rule by which that is insecure. */
  hides?: string;
}

/** What a file says of others beside its imports; only of what there is any. */
export interface FileUse {
  runs?: RunByName[];
  /** It loads modules by names that do not stand where it does so. */
  loadsAny?: boolean;
  /** Texts in it that look like names of files or modules where no production code lies, and of data where it loads any. */
  names?: string[];
  /** Its functions that are called as what makes data harmless, and do nothing to it. */
  hollow?: string[];
  /** What is insecure in it if a function that it imports is such: of this name, or any where it is empty, in this module. */
  ifHollow?: { module: string; name: string; insecure: InsecureCode[] }[];
}

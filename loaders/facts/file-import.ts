/** A line of a file that imports what lies in other files of the repository. */
export interface FileImport {
  path: string;
  line: number;
  /** The file, or all that have a part of the module. */
  to: readonly string[];
  typeOnly: boolean;
}

/** What a file calls something of another file of the repository, or gives to others under another name than its own. */
export interface FileName {
  path: string;
  local: string;
  /** There; `default`, `=` and `*` for what may have any name. */
  name: string;
  to: readonly string[];
}

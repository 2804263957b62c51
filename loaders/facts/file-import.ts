/** A line of a file that imports what lies in other files of the repository. */
export interface FileImport {
  path: string;
  line: number;
  /** The file, or all that have a part of the module. */
  to: readonly string[];
  typeOnly: boolean;
}

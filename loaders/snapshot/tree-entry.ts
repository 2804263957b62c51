/** One path of a tree, as git or the disk lists it, before any choice. */
export interface TreeEntry {
  path: string;
  kind: 'file' | 'symlink' | 'submodule' | 'unreadable' | 'vendored_folder';
  /** Empty where there is no content to name. */
  blobId: string;
  size: number;
  /** Said with what is skipped. */
  detail?: string;
  /** False when the name is not UTF-8, so that no text can stand for it. */
  nameIsUtf8: boolean;
}

/** Something insecure in the tree; `line` null where it is the file, `path` null where something is missing. */
export interface Finding {
  kind: 'dangerous_workflow' | 'binary' | 'other';
  rule: string;
  path: string | null;
  line: number | null;
}

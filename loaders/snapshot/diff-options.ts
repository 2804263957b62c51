/** A diff that depends on nothing but the two trees: not on settings, attributes' drivers or the machine. */
export const diffOptions: readonly string[] = [
  '--full-index',
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--ignore-submodules=none',
  '--submodule=short',
  '--unified=3',
  '--inter-hunk-context=0',
  '--diff-algorithm=myers',
  '--indent-heuristic',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** Settings that no option says. */
export const diffConfig: readonly string[] = ['diff.suppressBlankEmpty=false'];

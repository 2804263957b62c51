/** Not the repository's own build: what tests and documentation hold. */
export const isAside = (path: string): boolean =>
  /(^|\/)(tests?|__tests__|spec|fixtures?|testdata|examples?|samples?|docs?|demos?)\//i.test(path);

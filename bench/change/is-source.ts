/** Whether a path is of source that a truth covers: no test, no declaration alone, nothing that was built or is an example. */
export const isSource = (path: string): boolean =>
  /\.(go|[cm]?[jt]sx?)$/.test(path) &&
  !/_test\.go$|\.d\.[cm]?ts$|\.(test|spec)\.|(^|\/)(node_modules|dist|build|coverage|tests?|__tests__|examples?|benchmarks?|bench|deno|vendor|site|docs)\//.test(
    path,
  );

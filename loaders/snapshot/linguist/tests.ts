/** Paths of tests, their fixtures and mocks, by the conventions of the languages' own test runners. */
export const tests: readonly RegExp[] = [
  /(^|\/)(tests?|specs?|__tests__|__mocks__|__fixtures__|testdata|test[-_](utils?|helpers?|support|data)|e2e|cypress)\//i,
  /(^|\/)src\/(\w+Test|test\w*|it)\//,
  /[._-](test|tests|spec|specs|e2e|cy|bench)\.[cm]?[jt]sx?$/i,
  /(^|\/)(test_[^/]*|[^/]*_tests?|tests|conftest)\.pyi?$/,
  /_test\.go$/,
  /(^|\/)(Test[A-Z0-9_]\w*|\w*(Tests?|TestCase|Spec|[a-z]IT))\.(java|kt|scala|groovy|cs|swift|php)$/,
  /_(test|spec)\.(rb|exs?|rs|cc|cpp|c|dart|lua)$/,
];

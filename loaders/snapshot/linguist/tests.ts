import { languages } from '../../languages/index.ts';
import { testClasses } from '../../languages/reading/tests.ts';

/** Paths of tests, their fixtures and mocks, by the conventions of the languages' own test runners. */
export const tests: readonly RegExp[] = [
  /(^|\/)(tests?|specs?|__tests__|__mocks__|__fixtures__|testdata|test[-_](utils?|helpers?|support|data)|e2e|cypress)\//i,
  /(^|\/)src\/(\w+Test|test\w*|it)\//,
  ...new Set(languages.flatMap((language) => language.tests ?? [])),
  // Of languages that are not read.
  testClasses('(groovy|swift)'),
  /_(test|spec)\.(exs?|dart|lua)$/,
];

import { anyOf } from '../snapshot/linguist/any-of.ts';
import { tests } from '../snapshot/linguist/tests.ts';

/** What belongs to a suite and need not look like a test: what it is compared with, and what small packages call theirs. */
const alsoTests: readonly RegExp[] = [
  /(^|\/)(testing|__snapshots__)\//,
  /\.snap$/,
  /(^|\/)tests?\.([cm]?[jt]sx?|py|rb|php)$/,
  /_unittest\.(cc|cpp|cxx)$/,
];

/** Whether a path is a test or serves only tests. By whole names: `latest.go` and `attestation/` are none. */
export const isTestFile: (path: string) => boolean = anyOf([...tests, ...alsoTests]);

import type { Evidence, MetricId, MetricReason } from '../../src/model/due-diligence.ts';
import type { Requirement } from '../../src/model/snapshot.ts';
import type { InsecureCode, Place } from '../facts/insecure-code.ts';
import type { Document } from '../facts/document.ts';
import type { FileImport } from '../facts/file-import.ts';
import type { Contributor } from '../snapshot/contributors.ts';
import type { SourceFile, Tag } from '../snapshot/snapshot.ts';
import type { FileMeasures } from './file-measures.ts';
import type { LeftOutCode, Submodule } from './left-out/left-out.ts';
import type { HistoryFacts } from './history-facts.ts';
import type { PackageElsewhere } from '../manifests/packages-elsewhere.ts';
import type { KnownAdvisories } from '../vulnerabilities/advisory.ts';
import type { ResolvedPackage } from '../manifests/resolved-packages.ts';
import type { PastSecret } from './security/past-secrets.ts';
import type { SecretFinding } from './security/secrets-in.ts';
import type { CoverageFile } from './test-coverage/coverage-report.ts';

/** A source file with what was counted in it. */
export interface MeasuredFile extends Omit<SourceFile, 'countedAs'> {
  language: string;
  measures: FileMeasures;
}

/** A file that is no production code by where it lies, or is not read at all, and that production uses. */
export interface UsedFile {
  path: string;
  /** Who imports it, or has it run. */
  by: Place;
  /** Lines of code. */
  lines: number;
  /** What is insecure in it; null where it is found as in any other file. */
  insecure: readonly InsecureCode[] | null;
}

/** All that a metric may look at; nothing of it is read twice. */
export interface MetricInput {
  /**
   * In programming languages, neither vendored nor generated nor documentation; by path. Tests are among them. Where there is
   * much more code in documentation and examples than elsewhere, they are what the repository is for, and among them too.
   */
  files: readonly MeasuredFile[];
  /** Documentation and examples that are not among them. */
  aside: readonly MeasuredFile[];
  /** Source that is not measured. */
  leftOut: readonly LeftOutCode[];
  /** Whose source nobody sees. */
  submodules: readonly Submodule[];
  /** Nor that of these. */
  packagesElsewhere: readonly PackageElsewhere[];
  /** What is insecure in the code, by path. */
  insecure: ReadonlyMap<string, readonly InsecureCode[]>;
  /** By path. */
  used: ReadonlyMap<string, UsedFile>;
  /** Every file of the tree, whatever it is, sorted. */
  paths: readonly string[];
  /** Text of a file that some metric's `reads` asked for, or that is a manifest; null for any other, and for one over 5 MB. */
  text(path: string): string | null;
  /** Of the files that are no source files: settings, keys, notes. */
  otherSecrets: readonly (SecretFinding & { path: string })[];
  /** All that the history ever had, also what is still there. */
  pastSecrets: readonly PastSecret[];
  /** Null without git, or where the history can't be read: `noHistory` says which. */
  history: HistoryFacts | null;
  noHistory: Extract<MetricReason, 'not_a_git_repository' | 'parse_error'>;
  /** `owner/name`, by where it was cloned from; `local/FOLDER` where that is not known. */
  fullName: string;
  /** The branch that is read; null where nobody can tell. */
  branch: string | null;
  /** The clone does not have all of its history. */
  shallow: boolean;
  /** What the manifests ask for. */
  requires: readonly Requirement[];
  /** Whether the repository publishes packages: it is a library, or has some. */
  publishes: readonly { ecosystem: string; name: string }[];
  /** What the lockfiles settled on. */
  resolved: readonly ResolvedPackage[];
  /** Of these packages; null without a database. */
  advisories: KnownAdvisories | null;
  /** Facts of the parsed files: imports and calls. */
  documents: readonly Document[];
  /** Where they import each other. */
  imports: readonly FileImport[];
  /** Reports of tests that were given for this tree; those in the tree are read where there are none. */
  coverage: readonly CoverageFile[];
  contributors: readonly Contributor[];
  tags: readonly Tag[];
}

/** A value, or why there is none. Evidence in the order of its weight; all of it: the runner keeps the first hundred. */
export type Measurement =
  | {
      value: number;
      numerator?: number;
      denominator?: number;
      evidence?: readonly Partial<Evidence>[];
      quantities?: Record<string, number>;
    }
  | {
      value: null;
      reason: MetricReason;
      /** The question does not arise here, rather than: it could not be answered. */
      notApplicable?: true;
      evidence?: readonly Partial<Evidence>[];
      quantities?: Record<string, number>;
    };

/** How one metric is measured: a pure function, the same for the same commit on any day and any machine. */
export interface MetricSource {
  id: MetricId;
  /** Raised when the same repository would be measured differently. */
  version: number;
  /** Which files' texts it needs, beside the source files' measures. */
  reads?(path: string): boolean;
  measure(input: MetricInput): Measurement;
}

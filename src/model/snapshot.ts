import type { GraphEdge, GraphNode } from './graph.ts';

/** A package that a repository publishes, or needs, by the name its registry knows. */
export interface PackageName {
  ecosystem: 'npm' | 'pypi' | 'go' | 'maven' | 'cargo' | 'nuget' | 'composer' | 'rubygems';
  name: string;
}

/** A package that a repository's manifests ask for. */
export interface Requirement extends PackageName {
  /** As written: `^3.1.0`; null where the manifest gives none. */
  range: string | null;
  scope: 'runtime' | 'development' | 'optional' | 'peer';
  /** The manifest: path and line. */
  path: string;
  line: number | null;
  /** How many source files import it. */
  imports: number;
}

/** What was left out of the analysis, and why; a closed list so that figures can be added up. */
export interface Skipped {
  path: string;
  reason:
    | 'binary'
    | 'vendored'
    | 'generated'
    | 'minified'
    | 'too_large'
    | 'not_utf8'
    | 'symlink'
    | 'submodule'
    | 'parse_error'
    | 'timeout'
    | 'unreadable';
  detail?: string;
}

/** What is known of the repository itself, beside its node. */
export interface RepositoryInfo {
  name: string;
  /** Where it was read from: an absolute path or a URL without credentials. */
  source: string;
  /** 40 or 64 hex digits; null where the path is no git repository. */
  commit: string | null;
  branch: string | null;
  /** Of the commit, RFC 3339; null without a commit. */
  committed_at: string | null;
  /** Changes whenever the analysis of the same input would: commit or content hash, analyzer version. */
  fingerprint: string;
  analyzer_version: string;
  publishes: PackageName[];
  requires: Requirement[];
  skipped: Skipped[];
  completeness: {
    files: number;
    files_parsed: number;
    files_skipped: number;
    files_with_syntax_errors: number;
    calls: number;
    calls_resolved: number;
    calls_external: number;
    calls_unresolved: number;
  };
  /** Notes for the person who loads, one sentence each: shallow clone, no history, submodules left out. */
  warnings: string[];
}

/**
 * One repository at one commit: all that the stores are made from. In a stable order: same input, same bytes.
 * Search documents are derived from it (loaders/records), so it does not hold them.
 */
export interface Snapshot {
  repository: RepositoryInfo;
  /** The repository's own node first. */
  nodes: GraphNode[];
  edges: GraphEdge[];
}

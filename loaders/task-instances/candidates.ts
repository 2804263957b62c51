import { createHash } from 'node:crypto';
import type { Rejected, Rejection } from '../../src/model/rejections.ts';
import type { TaskInstance } from '../../src/model/task-instance.ts';
import { firstParentLog } from '../snapshot/first-parent-log.ts';
import type { FileDiff, Step } from '../snapshot/first-parent-log.ts';
import { languageOf } from '../snapshot/language-of.ts';
import { mergedMessages } from '../snapshot/merged-messages.ts';
import { readBlobs } from '../snapshot/read-blobs.ts';
import { difficultyOf } from './difficulty.ts';
import type { Issue } from './issues.ts';
import { judgeStep } from './judge-step.ts';
import type { FixFiles, StepRules } from './judge-step.ts';
import { leakScore } from './leaks.ts';
import { originOf, statementOf } from './statements/statement.ts';
import type { Statement } from './statements/statement.ts';

/** A commit that may be a task: nothing was run yet. */
export interface Candidate extends Pick<TaskInstance, 'difficulty' | 'difficulty_detail' | 'language'> {
  instanceId: string;
  fix: string;
  base: string;
  /** First line of its message. */
  subject: string;
  kind: TaskInstance['provenance']['fix_kind'];
  prNumber: number | null;
  committedAt: string;
  statement: Statement;
  /** 0 to 1: see `leakScore`. */
  leakScore: number;
  /** Equal for patches that do the same. */
  samePatch: string;
  goldPaths: readonly string[];
  testPaths: readonly string[];
  /** Of these, those that exist with the fix. */
  testFiles: readonly string[];
}

/** What is searched, and by which rules. */
export interface CandidateSearch extends StepRules {
  gitDir: string;
  commit: string;
  /** `owner/name`. */
  repo: string;
  since?: string;
  until?: string;
  /** The search ends with so many. */
  maxCandidates: number;
  /** Statements with fewer words say too little. */
  minWords: number;
  issues: ReadonlyMap<string, Issue>;
  signal?: AbortSignal;
  onCommit?: (looked: number, candidates: number) => void;
}

export interface CandidatesFound {
  commits: number;
  rejected: Rejected;
  /** Newest first. */
  candidates: readonly Candidate[];
}

/** A statement with more of the solution than this is none. */
const maxLeak = 0.2;
/** Statements with fewer words are flagged. */
export const fewWords = 40;
/** Looks through a branch's steps for fixes that come with tests, and counts the others by what is against them. */
export async function findCandidates(search: CandidateSearch): Promise<CandidatesFound> {
  const rejected: Rejected = {};
  const reject = (reason: Rejection) => (rejected[reason] = (rejected[reason] ?? 0) + 1);
  const found: Candidate[] = [];
  let commits = 0;
  for await (const step of firstParentLog(search)) {
    commits += 1;
    const files = judgeStep(step, search);
    const candidate = typeof files === 'string' ? files : await candidateOf(step, files, search);
    if (typeof candidate === 'string') reject(candidate);
    else found.push(candidate);
    search.onCommit?.(commits, found.length);
    if (found.length >= search.maxCandidates) break;
  }
  const candidates = withoutRepeats(found);
  for (let repeats = found.length - candidates.length; repeats > 0; repeats--) reject('duplicate');
  return { commits, rejected, candidates: withIds(candidates, search.repo) };
}

async function candidateOf(step: Step, files: FixFiles, search: CandidateSearch): Promise<Candidate | Rejection> {
  const { tests, gold, sources, code } = files;
  const origin = originOf(step);
  let statement = statementOf(step, '', search.issues);
  if (origin.kind === 'merge' && statement.source === 'commit_message' && statement.words < fewWords)
    statement = statementOf(step, await mergedMessages(search.gitDir, step.id), search.issues);
  // The subject of a merge does not say so.
  if (statement.source !== 'issue' && /^revert "/i.test(statement.text)) return 'revert';
  if (statement.words < search.minWords) return 'short_statement';
  const leak = await leakOf(statement.text, code, search.gitDir);
  if (leak > maxLeak) return 'solution_leak';
  return {
    instanceId: '',
    fix: step.id,
    base: step.parents[0] ?? '',
    subject: step.message.split('\n', 1)[0] ?? '',
    kind: origin.kind,
    prNumber: origin.prNumber,
    committedAt: step.committedAt,
    statement,
    samePatch: digestOf(gold),
    ...difficultyOf(sources),
    language: mainLanguage(code),
    leakScore: leak,
    goldPaths: gold.map(({ path }) => path),
    testPaths: tests.map(({ path }) => path),
    testFiles: tests.filter(({ status }) => status !== 'deleted').map(({ path }) => path),
  };
}

async function leakOf(statement: string, code: readonly FileDiff[], gitDir: string): Promise<number> {
  const diff = code.map(({ text }) => text).join('');
  if (leakScore(statement, diff, new Set()) === 0) return 0;
  // Rarely: what stood in the files before gives nothing away.
  const known = new Set<string>();
  const before = code.flatMap(({ oldBlobId }) => oldBlobId ?? []);
  for await (const content of readBlobs(gitDir, before))
    for (const line of content?.toString('utf8').split('\n') ?? []) known.add(line.trim());
  return leakScore(statement, diff, known);
}

function mainLanguage(code: readonly FileDiff[]): string {
  const lines = new Map<string, number>();
  for (const { path, added, removed } of code) {
    const language = languageOf(path) ?? '';
    lines.set(language, (lines.get(language) ?? 0) + added + removed);
  }
  return [...lines].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

/** Of commits with the same patch the oldest stays. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const oldest = new Map(candidates.map(({ samePatch, fix }) => [samePatch, fix]));
  return candidates.filter(({ samePatch, fix }) => oldest.get(samePatch) === fix);
}

/** As `git patch-id` has it, white space and places are no difference; a process for each patch would take as long as all else. */
function digestOf(files: readonly FileDiff[]): string {
  const hash = createHash('sha256');
  for (const { path, text } of files) {
    const changes = text.slice(Math.max(0, text.indexOf('\n@@ ')));
    hash.update(`${path}\n${changes.replaceAll(/^@@ .*$|\s+/gm, '')}\n`);
  }
  return hash.digest('hex');
}

/** By the pull request where it has but one commit, else by digits that tell nothing of the commit. */
function withIds(candidates: readonly Candidate[], repo: string): Candidate[] {
  const owner = repo.replace('/', '__').replace(/[^\w.-]+/g, '-');
  const commitsOf = Map.groupBy(candidates, ({ prNumber }) => prNumber);
  return candidates.map((candidate) => {
    const { prNumber, fix } = candidate;
    const digits = createHash('sha256').update(`ris1:${repo}:${fix}`).digest('hex').slice(0, 12);
    const isAlone = prNumber !== null && commitsOf.get(prNumber)?.length === 1;
    return { ...candidate, instanceId: `${owner}-${isAlone ? prNumber : digits}` };
  });
}

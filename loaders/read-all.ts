import { analyzerVersion, changedVersion, secretSearchVersion } from './analyzer-version.ts';
import { openCache } from './kept/cache.ts';
import { extractAll, type ReadsOfRun } from './extraction/extract-all.ts';
import type { ExtractionPool, Wanted } from './extraction/pool.ts';
import { readManifests } from './manifests/read-manifests.ts';
import { collectHistory } from './metrics/history-facts.ts';
import type { HistoryFacts } from './metrics/history-facts.ts';
import { searchedBefore, searchHistory } from './metrics/security/past-secrets.ts';
import type { PastSecrets, SearchedCommits, SearchedVersions } from './metrics/security/past-secrets.ts';
import { weighing } from './metrics/hollow-changes.ts';
import type { KnownVersions } from './metrics/hollow-changes.ts';
import type { Progress } from './progress.ts';
import { changedBefore } from './records/changed-before.ts';
import { collectCommits } from './records/commits.ts';
import { collectLineHistory } from './records/line-history.ts';
import { readSource, withHistories } from './records/source.ts';
import type { Commit } from '../src/model/commit.ts';
import type { LineHistory, Rows } from '../src/model/snapshot.ts';
import { collectContributors, contributorId } from './snapshot/contributors.ts';
import type { Contributor } from './snapshot/contributors.ts';
import type { CommitsTold, HistoryCommit, OpenSnapshot, Person } from './snapshot/snapshot.ts';
import type { TemporaryFile } from './temporary-file.ts';

/** How a repository is read. */
export interface ReadOptions {
  /** The UTC day after which no commit is believed to be; by default today. */
  asOf?: string | undefined;
  /** Facts of files seen before; without it every file is parsed. */
  cacheFile?: string | undefined;
  /** Whether the text of the files is kept. */
  keepSource?: boolean;
  /** For `measures` and `graph` alone see `Wanted`; for `graph` the history is not read either. */
  wanted?: Wanted | undefined;
  /** For who reads several commits of one repository: what is known of the versions of its files. */
  digests?: KnownVersions | undefined;
  /** Likewise: what secrets they hold, by commit, and by version what an earlier run kept. */
  searched?: { commits: SearchedCommits; versions: SearchedVersions | undefined } | undefined;
  /** Likewise, in place of the cache file: facts of their files. */
  facts?: ReadsOfRun | undefined;
  /** Likewise: the threads that read files. */
  pool?: ExtractionPool | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** All that is read of a repository: its history, its manifests, and what each file says by itself. */
export async function readAll(file: TemporaryFile, opened: OpenSnapshot, name: string, options: ReadOptions) {
  const {
    asOf,
    cacheFile,
    digests,
    searched,
    facts,
    pool,
    keepSource = false,
    wanted = 'all',
    onProgress = () => undefined,
  } = options;
  const report = (phase: Progress['phase'], done: number, total: number) =>
    onProgress({ repository: name, phase, done, total });
  const reportParsing = (done: number, total: number) => report('parsing', done, total);
  // Git runs beside the parsers, so the history costs hardly any time of its own.
  const [history, manifests, extracted, source] = await Promise.all([
    wanted === 'graph'
      ? noHistory
      : readHistory(file, opened, { asOf, cacheFile, digests, searched, keepSource, name }, (commits) =>
          report('history', commits, commits),
        ),
    readManifests(opened),
    extractAll(opened, file, { cacheFile, facts, analyzerVersion, wanted, pool, onProgress: reportParsing }),
    keepSource ? readSource(opened, file) : null,
  ]);
  const kept = source && { ...source, rows: withHistories(source.rows, history.lines) };
  const warnings = [...opened.warnings, ...manifests.warnings, ...history.warnings];
  return { history, manifests, extracted, source: kept, warnings };
}

const dayMs = 86_400_000;

interface ReadHistory {
  contributors: Contributor[];
  history: HistoryFacts | null;
  pastSecrets: PastSecrets | null;
  /** Who wrote the lines of each source file, where its text is kept. */
  lines: Map<string, LineHistory>;
  /** Likewise its commits, or the newest of so many. */
  commits: { rows: Rows<Commit>; total: number } | null;
  warnings: string[];
}

const noHistory: ReadHistory = {
  contributors: [],
  history: null,
  pastSecrets: null,
  lines: new Map(),
  commits: null,
  warnings: [],
};

/** A history that can't be read (broken objects) leaves the source worth reading. */
async function readHistory(
  file: TemporaryFile,
  opened: OpenSnapshot,
  {
    asOf,
    cacheFile,
    digests,
    searched,
    keepSource = false,
    name,
  }: Pick<ReadOptions, 'asOf' | 'cacheFile' | 'digests' | 'searched' | 'keepSource'> & { name: string },
  onCommits: (count: number) => void,
): Promise<ReadHistory> {
  const present = new Set([...opened.files, ...opened.skipped].map(({ path }) => path));
  const collector = collectHistory({ asOf: asOf === undefined ? undefined : Date.parse(asOf) + dayMs, present });
  const before = cacheFile === undefined || searched ? null : openCache(cacheFile, 'searched', secretSearchVersion);
  // The first commits of a clone that was cut off seem to have added all that there is.
  const hasChanged = keepSource && !opened.shallow;
  const changed = cacheFile === undefined || !hasChanged ? null : openCache(cacheFile, 'changed', changedVersion);
  try {
    const lines = keepSource ? collectLineHistory(opened) : null;
    const kept = keepSource ? collectCommits(file, changed && changedBefore(changed, name)) : null;
    const mergeChanges = () => lines?.hearMerges(opened.mergeChanges()) ?? opened.mergeChanges();
    const versions = before ? searchedBefore(before) : searched?.versions;
    const weighed = weighing(opened, digests);
    const blobs = (ids: readonly string[]) => heardContents(ids, opened.blobs(ids), weighed.take);
    const secrets = searchHistory({ ...opened, blobs, mergeChanges }, searched?.commits, versions, kept?.listener);
    const people = collectContributors();
    let count = 0;
    await hearInBatches(opened.history(), async (commits) => {
      for (const commit of commits) {
        lines?.hear(commit);
        kept?.hear(commit);
        people.add(commit);
      }
      weighed.expect(commits);
      await secrets.hear(commits);
      const weights = await weighed.weigh(commits);
      commits.forEach((commit, index) => {
        collector.add(commit, weights[index] ?? []);
        onCommits(++count);
      });
    });
    const contributors = people.contributors(await mailmapOf(opened));
    const pastSecrets = await secrets.end();
    kept?.keep();
    const personOf = personAmong(contributors);
    return {
      contributors,
      history: collector.facts(contributors),
      pastSecrets,
      lines: (await lines?.histories(personOf)) ?? new Map<string, LineHistory>(),
      commits: kept && { rows: kept.rows(personOf), total: kept.count() },
      warnings: unreadOf(pastSecrets),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...noHistory, warnings: [`history_unreadable: the history is left out. ${why}`] };
  } finally {
    before?.close();
    changed?.close();
  }
}

/** The same contents of blobs, which another hears as they pass. */
async function* heardContents(
  ids: readonly string[],
  contents: AsyncIterable<Uint8Array | null>,
  hear: (id: string, content: Uint8Array | null) => void,
): AsyncGenerator<Uint8Array | null, void> {
  let next = 0;
  for await (const content of contents) {
    hear(ids[next++] ?? '', content);
    yield content;
  }
}

/** Whom the graph takes an author for. */
function personAmong(contributors: readonly Contributor[]) {
  const byId = new Map(contributors.flatMap((each) => [each.id, ...each.also].map((id) => [id, each] as const)));
  return (author: Person) => {
    const id = contributorId(author);
    const { id: known = id, name = author.name } = byId.get(id) ?? {};
    return { id: known, name };
  };
}

/** Says so where history was not searched whole. */
function unreadOf({ unread: { tooLarge, missing, beyond } }: PastSecrets): string[] {
  const reasons = [
    [tooLarge, 'larger than 5 MB'],
    [missing, 'missing in the clone'],
    [beyond, 'older than the 8 GB that are looked into'],
  ] as const;
  const said = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  return said.length === 0
    ? []
    : [`history_secrets: not all versions of files in the history were searched for secrets: ${said.join(', ')}.`];
}

/** Whom the repository itself tells apart. */
async function mailmapOf(opened: OpenSnapshot): Promise<string> {
  for await (const { content } of opened.read(['.mailmap'])) return Buffer.from(content ?? []).toString();
  return '';
}

/** So many are heard at a time, or fewer that changed so many files together. */
const maxBatch = 2_000;
const maxBatchChanges = 50_000;

/** Many at a time, as waiting for each would take longer than what is done with it; a history that is at hand is not waited for at all. */
async function hearInBatches(
  commits: CommitsTold,
  hear: (batch: readonly HistoryCommit[]) => Promise<void>,
): Promise<void> {
  let batch: HistoryCommit[] = [];
  let changes = 0;
  const isFullWith = (commit: HistoryCommit): boolean => {
    changes += commit.changes.length;
    return batch.push(commit) >= maxBatch || changes >= maxBatchChanges;
  };
  const hearBatch = async () => {
    await hear(batch);
    [batch, changes] = [[], 0];
  };
  if (Symbol.iterator in commits) {
    for (const commit of commits) if (isFullWith(commit)) await hearBatch();
  } else for await (const commit of commits) if (isFullWith(commit)) await hearBatch();
  await hearBatch();
}

import { hash } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { zstdCompressSync } from 'node:zlib';
import { connectTo, sealed } from '../sqlite.ts';
import { answerReplacements } from '../sqlite-replacements.ts';
import type { Commit } from '../../model/commit.ts';
import { commitTerms } from '../../search/commits/commit-terms.ts';
import { textOf, type SourceBlob } from './port.ts';
import { blocksOf, written } from './sqlite-commits.ts';
import { sourceSchema } from './sqlite-schema.ts';

const { file } = workerData as { file: string };
const database = connectTo(file, sourceSchema);
database.exec('CREATE TEMP TABLE released (blob_key INTEGER PRIMARY KEY)');

const COMMITS_OF_ONE = '(SELECT key FROM commits WHERE repository_key = ?)';
const statements = {
  repository: database.prepare('SELECT key, generation FROM repositories WHERE name = ?'),
  setRepository: database.prepare(`
    INSERT INTO repositories (name, generation, kept) VALUES (?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET generation = excluded.generation, kept = excluded.kept RETURNING key`),
  removeRepository: database.prepare('DELETE FROM repositories WHERE key = ?'),
  release: database.prepare(
    'INSERT OR IGNORE INTO temp.released SELECT DISTINCT blob_key FROM files WHERE repository_key = ?',
  ),
  removeFiles: database.prepare('DELETE FROM files WHERE repository_key = ?'),
  unused: database.prepare(
    'SELECT blob_key FROM temp.released r WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.blob_key = r.blob_key)',
  ),
  removeBlob: database.prepare('DELETE FROM blobs WHERE key = ?'),
  mergePairs: database.prepare(`INSERT INTO trigrams (trigrams, rank) VALUES ('usermerge', 2)`),
  mergeTrigrams: database.prepare(`INSERT INTO trigrams (trigrams, rank) VALUES ('merge', ?)`),
  changes: database.prepare('SELECT total_changes() AS count'),
  removeTrigrams: database.prepare('DELETE FROM trigrams WHERE rowid = ?'),
  blob: database.prepare('SELECT key FROM blobs WHERE digest = ?'),
  addBlob: database.prepare('INSERT INTO blobs (digest, content) VALUES (?, ?) RETURNING key'),
  addTrigrams: database.prepare('INSERT INTO trigrams (rowid, text) VALUES (?, ?)'),
  addFile: database.prepare('INSERT OR IGNORE INTO files VALUES (?, ?, ?, ?, ?, ?, ?)'),
  addCommit: database.prepare(`
    INSERT INTO commits (repository_key, id, committed_at, whole, block_key, line) VALUES (?, ?, ?, ?, ?, ?) RETURNING key`),
  addBlock: database.prepare('INSERT INTO commit_blocks (repository_key, content) VALUES (?, ?) RETURNING key'),
  addMessage: database.prepare('INSERT INTO commit_messages (rowid, subject, body) VALUES (?, ?, ?)'),
  addMarks: database.prepare('INSERT INTO commit_marks (rowid, marked) VALUES (?, ?)'),
  removeMessages: database.prepare(`DELETE FROM commit_messages WHERE rowid IN ${COMMITS_OF_ONE}`),
  removeMarks: database.prepare(`DELETE FROM commit_marks WHERE rowid IN ${COMMITS_OF_ONE}`),
  removeCommits: database.prepare('DELETE FROM commits WHERE repository_key = ?'),
  removeBlocks: database.prepare('DELETE FROM commit_blocks WHERE repository_key = ?'),
};

interface RepositoryRow {
  key: number;
  generation: string;
}

interface Begin {
  repository: string;
  generation: string;
  isKept: boolean;
}

answerReplacements<RepositoryRow, Begin, { key: number }>(database, sourceSchema, {
  held: (repository) => statements.repository.get(repository) as RepositoryRow | undefined,

  begin({ repository, generation, isKept }) {
    const key = Number(statements.setRepository.get(repository, generation, Number(isKept))?.['key']);
    release(key);
    return { key };
  },

  batches: {
    blobs(repository, blobs: readonly SourceBlob[]) {
      for (const { content, files } of blobs) {
        const blob = keyOf(content);
        for (const { path, language, test, left_out = null, history } of files) {
          const written = history === undefined ? null : sealed(zstdCompressSync(JSON.stringify(history)));
          statements.addFile.run(repository.key, path, blob, language, Number(test), left_out, written);
        }
      }
    },
    commits(repository, commits: readonly Commit[]) {
      for (const { content, commits: block } of blocksOf(commits)) {
        const blockKey = Number(statements.addBlock.get(repository.key, content)?.['key']);
        for (const [line, commit] of block.entries()) addCommit(commit, repository.key, { blockKey, line });
      }
    },
  },

  end() {
    removeUnused();
    mergeTrigrams();
  },

  remove({ key }) {
    release(key);
    removeUnused();
    statements.removeRepository.run(key);
  },
});

/** Of the text that is there already, or is put there. */
function keyOf(content: Uint8Array): number {
  const text = textOf(content);
  const digest = hash('sha256', text, 'buffer');
  const known = statements.blob.get(digest)?.['key'];
  if (known !== undefined) return Number(known);
  const key = Number(statements.addBlob.get(digest, sealed(content))?.['key']);
  // The tokenizer would end at it.
  statements.addTrigrams.run(key, text.replaceAll('\0', ' '));
  return key;
}

function addCommit(commit: Commit, repositoryKey: number, at: { blockKey: number; line: number }): void {
  const { id, committed_at, changed_kept } = commit;
  const whole = Number(changed_kept === 'whole');
  const row = statements.addCommit.get(repositoryKey, id, committed_at, whole, at.blockKey, at.line);
  const key = Number(row?.['key']);
  const { subject, body, marked } = commitTerms(commit);
  statements.addMessage.run(key, written(subject), written(body));
  statements.addMarks.run(key, written(marked));
}

/** Takes the files and commits away; their texts stay until it is known which of them come again. */
function release(repositoryKey: number): void {
  database.exec('DELETE FROM temp.released');
  statements.release.run(repositoryKey);
  statements.removeFiles.run(repositoryKey);
  statements.removeMessages.run(repositoryKey);
  statements.removeMarks.run(repositoryKey);
  statements.removeCommits.run(repositoryKey);
  statements.removeBlocks.run(repositoryKey);
}

function removeUnused(): void {
  for (const row of statements.unused.all()) {
    const key = Number(row['blob_key']);
    statements.removeBlob.run(key);
    statements.removeTrigrams.run(key);
  }
}

/** Of 4 kB, in steps: what was merged makes room for what is merged next, so that the file hardly grows. */
const stepPages = 64;
/** To merge so many pages takes some two seconds; the next load goes on. */
const maxMergeSteps = 512;

/**
 * FTS5 writes a segment each megabyte, and a search looks up each of its trigrams in every one. Any two of about one size become one
 * here, so that few are left, and a trigram is written anew as often as what it lies in doubles.
 */
function mergeTrigrams(): void {
  const changes = () => Number(statements.changes.get()?.['count']);
  statements.mergePairs.run();
  for (let step = 0; step < maxMergeSteps; step++) {
    const before = changes();
    statements.mergeTrigrams.run(stepPages);
    // The statement itself is one change.
    if (changes() - before < 2) return;
  }
}

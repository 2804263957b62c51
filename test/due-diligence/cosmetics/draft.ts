import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/git-repository.ts';

/** A link leads to a path; of another repository only a commit stands in the tree. */
type Content = string | Uint8Array | { link: string } | { repository: string };

interface Commit {
  author: string;
  /** Seconds since 1970. */
  at: number;
  message: string;
  /** Null removes a file. */
  files: Record<string, Content | null>;
  /** It merges the commit before it into the one before that. */
  isMerge: boolean;
  /** It is a release. */
  isTagged: boolean;
}

/** A history in the making; what follows can build on what is there. */
export class Draft {
  readonly language: 'javascript' | 'python';
  readonly commits: Commit[];
  /** The work tree after the last commit. */
  readonly tree: Map<string, Content>;
  /** The files whose code is what the verdict is about, by the paths that they have now. */
  bad: string[];

  constructor(language: Draft['language'], from?: Draft) {
    this.language = language;
    this.commits = [...(from?.commits ?? [])];
    this.tree = new Map(from?.tree);
    this.bad = [...(from?.bad ?? [])];
  }

  copy(): Draft {
    return new Draft(this.language, this);
  }

  /** A day after the last commit, by the same person, unless told otherwise. */
  commit(
    message: string,
    files: Commit['files'],
    options: { author?: string; date?: string; isMerge?: boolean; isTagged?: boolean } = {},
  ): void {
    const last = this.commits.at(-1);
    const at = options.date === undefined ? (last?.at ?? 0) + 86_400 : Date.parse(options.date) / 1_000;
    const { author = last?.author ?? 'Max Mono', isMerge = false, isTagged = false } = options;
    this.commits.push({ author, at, message, files, isMerge, isTagged });
    for (const [path, content] of Object.entries(files)) {
      if (content === null) this.tree.delete(path);
      else this.tree.set(path, content);
    }
  }

  text(path: string): string {
    const content = this.tree.get(path);
    if (typeof content === 'string') return content;
    return content instanceof Uint8Array ? Buffer.from(content).toString() : '';
  }

  /** Writes every bad file anew. */
  rewrite(message: string, change: (text: string, path: string) => Content): void {
    this.commit(message, Object.fromEntries(this.bad.map((path) => [path, change(this.text(path), path)])));
  }

  /** Gives every bad file another path. */
  move(message: string, rename: (path: string) => string): void {
    const files: Commit['files'] = {};
    for (const path of this.bad) {
      files[path] = null;
      files[rename(path)] = this.tree.get(path) ?? '';
    }
    this.commit(message, files);
    this.bad = this.bad.map(rename);
  }
}

/** Repositories of one folder, each a branch that is named by its number; `paths` has them in this order. */
export interface Written extends Disposable {
  path: string;
  branch(index: number): string;
}

/** Writes drafts into one new repository by one process of git; what they share is written once for each. */
export function writeDrafts(drafts: readonly Draft[]): Written {
  const folder = temporaryFolder();
  const path = join(folder, 'terrible');
  mkdirSync(path);
  const branch = (index: number) => `draft-${index}`;
  const env = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: path, env });
  const input = Buffer.concat(drafts.flatMap((draft, index) => streamOf(draft, `refs/heads/${branch(index)}`, index)));
  execFileSync('git', ['fast-import', '--quiet', '--date-format=raw'], { cwd: path, env, input });
  return { path, branch, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** No draft has more. */
const maxCommits = 100_000;

function streamOf({ commits }: Draft, reference: string, index: number): Buffer[] {
  const markOf = (nth: number) => `:${index * maxCommits + nth + 1}`;
  const parts: Buffer[] = [Buffer.from(`reset ${reference}\n`)];
  const data = (content: string | Uint8Array) => {
    const bytes = Buffer.from(content);
    parts.push(Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n'));
  };
  for (const [nth, { author, at, message, files, isMerge, isTagged }] of commits.entries()) {
    const person = `${author} <${author.toLowerCase().replaceAll(' ', '.')}@example.org> ${at} +0000`;
    parts.push(Buffer.from(`commit ${reference}\nmark ${markOf(nth)}\nauthor ${person}\ncommitter ${person}\n`));
    data(message);
    if (isMerge) parts.push(Buffer.from(`from ${markOf(nth - 2)}\nmerge ${markOf(nth - 1)}\n`));
    for (const [path, content] of Object.entries(files)) {
      if (content === null) parts.push(Buffer.from(`D ${path}\n`));
      else if (typeof content === 'string' || content instanceof Uint8Array) {
        parts.push(Buffer.from(`M 100644 inline ${path}\n`));
        data(content);
      } else if ('link' in content) {
        parts.push(Buffer.from(`M 120000 inline ${path}\n`));
        data(content.link);
      } else parts.push(Buffer.from(`M 160000 ${content.repository} ${path}\n`));
    }
    if (isTagged) parts.push(Buffer.from(`reset refs/tags/v${index}.${nth}.0\nfrom ${markOf(nth)}\n\n`));
  }
  return parts;
}

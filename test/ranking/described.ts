import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { History } from './drawn.ts';

/** Lists of packages that people keep, by the language that all of each are in. */
export const lists: readonly (History & { language: string })[] = [
  { repository: 'avelino/awesome-go', head: 'c4bc4eb428f49593eac16307f76e691dcac06589', language: 'go' },
  { repository: 'rust-unofficial/awesome-rust', head: '94da4bbb42eb21f09cd5510c8da5b24b53c5b34a', language: 'rust' },
];

/** What a list says of a repository: its own sentence, and the heading that it stands under. */
export interface Described {
  repository: string;
  text: string;
  heading: string;
  language: string;
}

const ENTRY = /^\s*[-*] \[[^\]]+\]\(https:\/\/github\.com\/(?<repository>[\w.-]+\/[\w.-]+?)\/?\)(?<text>.*)$/;
const minWords = 3;

/** Each entry of a list whose README this is that leads to a repository at GitHub and says something, the first of each. */
export function describedIn(readme: string, language: string): Described[] {
  const found = new Map<string, Described>();
  let heading = '';
  for (const line of readme.split('\n')) {
    heading = /^#{2,4} (?<title>.*)$/.exec(line)?.groups?.['title'] ?? heading;
    const { repository, text = '' } = ENTRY.exec(line)?.groups ?? {};
    if (repository === undefined || found.has(repository.toLowerCase())) continue;
    const told = plain(text, repository);
    if (told.split(' ').length < minWords) continue;
    found.set(repository.toLowerCase(), { repository, text: told, heading: plain(heading, repository), language });
  }
  return [...found.values()];
}

export function readmeOf({ head }: History, clone: string): string {
  return execFileSync('git', ['-C', clone, 'show', `${head}:README.md`], { encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** Without marks, badges, addresses and the repository's own name, which would give it away. */
function plain(text: string, repository: string): string {
  const own = repository.toLowerCase().split('/').at(-1) ?? '';
  return text
    .replaceAll(/\[?!\[[^\]]*\]\([^)]*\)(\]\([^)]*\))?/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\S+|[`*_<>]/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && word.toLowerCase().replaceAll(/[^\p{L}\p{N}-]/gu, '') !== own)
    .join(' ');
}

/** One half is tuned on, the other reported: by the SHA-256 of `half of OWNER/NAME`. */
export function isReported({ repository }: Pick<Described, 'repository'>): boolean {
  return createHash('sha256').update(`half of ${repository}`).digest('hex') < '8';
}

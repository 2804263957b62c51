// How well search answers what developers typed who know neither this engine nor the code (test/ranking/strangers.json): what they want
// done, another word for it, a text that they have seen, a repository. Asks a running service that has loaded those repositories at
// those commits, in folders OWNER+NAME or from their forge. Prints a table in markdown. Arguments: --url http://127.0.0.1:8080, --key (or
// RIS_API_KEY), --half reported or tuned, --misses lists what is not among the first five (of the tuned half alone).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withRetries } from '../sdk/typescript/src/retries.ts';
import type { SearchAnswer } from '../src/search/routes.ts';
import { maxDepth, qualityOf } from '../test/ranking/measure.ts';

interface Asked {
  /** OWNER/NAME. */
  repository: string;
  kind: 'intent' | 'synonym' | 'phrase' | 'repository';
  text: string;
  /** `path#name`, or `path` of a file of which any hit is right; none of a repository. */
  wanted: string[];
}

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    key: { type: 'string', default: process.env['RIS_API_KEY'] ?? '' },
    half: { type: 'string', default: 'reported' },
    misses: { type: 'boolean', default: false },
  },
});
const { queries } = JSON.parse(readFileSync(join(import.meta.dirname, '../test/ranking/strangers.json'), 'utf8')) as {
  queries: Asked[];
};
/** Waits where so many may not be asked within a minute. */
const send = withRetries((request) => fetch(request));
const half = options.half === 'tuned' ? 'tuned' : 'reported';
const ranks = new Map<string, number[]>();
for (const asked of queries.filter(({ repository }) => halfOf(repository) === half)) {
  const items = await search(asked.text);
  const rank = 1 + items.findIndex((item) => isWanted(item, asked));
  for (const kind of [asked.kind, 'all']) ranks.set(kind, [...(ranks.get(kind) ?? []), rank]);
  if (options.misses && half === 'tuned' && (rank === 0 || rank > 5))
    console.log(`${asked.kind}, ${asked.repository}: ${asked.text}\n    ${items.map(({ id }) => id).join('\n    ')}`);
}
console.log(`| asked, ${half} half | queries | R@1 | R@5 |\n|---|---|---|---|`);
for (const [kind, each] of ranks) {
  const { queries: count, recallAt1, recallAt5 } = qualityOf(each);
  console.log(`| ${[kind, count, recallAt1.toFixed(2), recallAt5.toFixed(2)].join(' | ')} |`);
}

/** By the repository, so that what is tuned on one was not seen of the other. */
function halfOf(repository: string): 'tuned' | 'reported' {
  const digest = createHash('sha256')
    .update(`half:${repository.replace('/', '+')}`)
    .digest();
  return (digest[0] ?? 0) % 2 === 1 ? 'tuned' : 'reported';
}

async function search(text: string): Promise<SearchAnswer['items']> {
  const url = `${options.url}/api/search?page_size=${maxDepth}&q=${encodeURIComponent(text)}`;
  const answer = await send(new Request(url, { headers: { authorization: `Bearer ${options.key}` } }));
  if (!answer.ok) throw new Error(`${options.url} answers ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as SearchAnswer).items;
}

function isWanted({ repository, type, path, name }: SearchAnswer['items'][number], asked: Asked): boolean {
  if (
    ![asked.repository, asked.repository.replace('/', '+'), asked.repository.split('/')[1]].includes(repository ?? '')
  )
    return false;
  if (asked.kind === 'repository') return type === 'Repository';
  const simple = name.split(/[.#:]+/).at(-1);
  return asked.wanted.some((each) => {
    const [file, symbol] = each.split('#');
    return file === path && (symbol === undefined || type === 'File' || symbol === simple);
  });
}

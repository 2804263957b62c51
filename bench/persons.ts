// Which addresses of real histories are taken for one person's, drawn for reading. Arguments: FOLDER [SEED [EACH]], FOLDER with git
// directories, at any depth below. Prints how many addresses and persons there are, pairs under one full name by what became of them,
// and EACH of every kind that a digest of seed and addresses draws.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { foldContributors } from '../loaders/snapshot/contributors.ts';
import type { Pairing } from '../loaders/snapshot/persons.ts';
import { openSnapshot } from '../loaders/snapshot/open-snapshot.ts';

const [folder = '.', seed = '1', each = '10'] = process.argv.slice(2);
const isGitDirectory = (path: string) => readdirSync(path).includes('HEAD') && readdirSync(path).includes('objects');
const pairs: (Pairing & { repository: string })[] = [];
let [addresses, persons, joined] = [0, 0, 0];

for (const { parentPath, name } of readdirSync(folder, { withFileTypes: true, recursive: true }).filter(
  (entry) => entry.isDirectory() && isGitDirectory(join(entry.parentPath, entry.name)),
)) {
  const opened = await openSnapshot(join(parentPath, name)).catch(() => null);
  if (opened === null) continue;
  const mailmap = opened.read(['.mailmap']);
  const { value } = await mailmap[Symbol.asyncIterator]().next();
  const text = Buffer.from((value as { content: Uint8Array | null } | undefined)?.content ?? []).toString();
  const found = await foldContributors(opened.history(), text, (pair) =>
    pairs.push({ ...pair, repository: opened.fullName }),
  ).catch(() => []);
  addresses += found.reduce((sum, { also }) => sum + 1 + also.length, 0);
  persons += found.length;
  joined += found.filter(({ also }) => also.length > 0).length;
  await opened.close();
}

console.log(`${addresses} addresses, ${persons} persons, ${joined} of them with more than one`);
const digest = ({ repository, a, b }: (typeof pairs)[number]) =>
  createHash('sha256').update([seed, repository, a.address, b.address].join('\n')).digest('hex');
for (const [kind, of] of Map.groupBy(pairs, ({ same, apart }) => same ?? apart ?? 'nothing says so')) {
  console.log(`\n${kind}: ${of.length} pairs`);
  const drawn = of.map((pair) => ({ pair, by: digest(pair) })).toSorted((x, y) => (x.by < y.by ? -1 : 1));
  for (const { pair } of drawn.slice(0, Number(each)))
    console.log(
      `  ${pair.repository}: ${[pair.a, pair.b].map(({ names, address }) => `${names.join('/')} <${address}>`).join('  |  ')}`,
    );
}

// Measures a repository for due diligence and does nothing else: what bench/dd.ts times. Arguments: DIR.
import { extractAll } from '../loaders/facts/extract-all.ts';
import { readManifests } from '../loaders/manifests/read-manifests.ts';
import { collectHistory } from '../loaders/metrics/history-facts.ts';
import { measureAll } from '../loaders/metrics/measure-all.ts';
import { foldContributors } from '../loaders/snapshot/contributors.ts';
import { openSnapshot } from '../loaders/snapshot/open-snapshot.ts';

const opened = await openSnapshot(process.argv[2] ?? '.');
const collector = collectHistory();
const history = async function* () {
  for await (const commit of opened.history()) {
    collector.add(commit);
    yield commit;
  }
};
const [contributors, manifests, extracted] = await Promise.all([
  foldContributors(history()),
  readManifests(opened),
  extractAll(opened, { analyzerVersion: '', onProgress: () => undefined }),
]);
const { measurements } = await measureAll(opened, {
  ...extracted,
  manifests,
  requires: manifests.requires,
  history: collector.facts(),
  contributors,
});
const { user, system } = process.cpuUsage();
const measured = measurements.metrics.filter(({ value }) => value !== null).length;
console.log(
  JSON.stringify({ measured, megabytes: process.resourceUsage().maxRSS / 1024, cpuSeconds: (user + system) / 1e6 }),
);

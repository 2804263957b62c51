import { openPglite } from '../../src/stores/relational/pglite.ts';
import { openPostgres } from '../../src/stores/relational/postgres.ts';
import { createReportRunner } from '../../src/reports/runner.ts';

/** Takes the reports of the database named, prints the id of each, and is still at work when it is killed. */
const [place = ''] = process.argv.slice(2);
const store = place.startsWith('postgres:')
  ? await openPostgres({ url: place, timeoutMs: 30_000 })
  : await openPglite({ folder: place });
createReportRunner({
  queue: store.reports,
  make: ({ id, attempt }) => {
    process.stdout.write(`${id} ${attempt}\n`);
    return new Promise(() => {});
  },
  report: (error) => console.error(error),
  leaseMs: 1_000,
}).start();

import type { MintRunsAnswer } from '../../../benchmark/mint-runs.ts';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { Pages } from '../components/pages.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import type { ViewProps } from './index.ts';

type MintRun = MintRunsAnswer['items'][number];

const pageSize = 20;

const stages: Record<MintRun['funnel'][number]['stage'], string> = {
  change: 'change source and tests, and little enough',
  statement: 'say what was wrong, and don’t give the solution away',
  tests_run: 'have tests that can be run',
  proof: 'are proven: tests fail before, and pass after',
};

/** Of each search through a repository: how many commits were left at each stage, and why the others were not. */
export function BenchmarkFunnel({ api, query }: ViewProps) {
  const page = Number(query.get('page') ?? 1);
  const asked = useAnswer<MintRunsAnswer>(api, '/api/benchmark/mint-runs', { page, page_size: pageSize });
  return (
    <Answered asked={asked} lines={20}>
      {({ items, total }) =>
        total === 0 ? (
          <Empty title="No repository was searched yet">
            <p>
              <code>repo-intel benchmark mint PATH</code> goes through its history.
            </p>
          </Empty>
        ) : (
          <>
            {items.map((run) => (
              <Funnel key={run.repo} run={run} />
            ))}
            <Pages
              page={page}
              pages={Math.ceil(total / pageSize)}
              hrefOf={(to) => hrefOf('benchmark', { part: 'funnel', page: to })}
              label="Pages of searches"
            />
          </>
        )
      }
    </Answered>
  );
}

function Funnel({ run }: { run: MintRun }) {
  const { repo, head, commits, minted, funnel, completed_at } = run;
  return (
    <section class="funnel">
      <h2>
        <a href={hrefOf('benchmark', { repo })}>{repo}</a>
      </h2>
      <p class="quiet">
        {format.count(minted, 'task')} of {format.count(commits, 'commit')} up to <code>{head.slice(0, 12)}</code>,
        searched {format.day(completed_at)}
      </p>
      <ol>
        <Step of={commits} left={commits} words="looked at" />
        {funnel.map(({ stage, left, rejected }) => (
          <Step key={stage} of={commits} left={left} words={stages[stage]} rejected={rejected} />
        ))}
      </ol>
    </section>
  );
}

function Step({
  of,
  left,
  words,
  rejected = [],
}: {
  of: number;
  left: number;
  words: string;
  rejected?: MintRun['funnel'][number]['rejected'];
}) {
  const gone = rejected.reduce((sum, { commits }) => sum + commits, 0);
  return (
    <li>
      <svg class="funnel-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width={of === 0 ? 0 : (100 * left) / of} height="10" />
      </svg>
      <span class="end">{format.whole(left)}</span>
      <div>
        {words}
        {gone > 0 && (
          <details>
            <summary class="quiet">{format.whole(gone)} do not</summary>
            <ul>
              {rejected.map(({ reason, meaning, commits }) => (
                <li key={reason}>
                  {format.whole(commits)}: {meaning} <code class="quiet">{reason}</code>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}

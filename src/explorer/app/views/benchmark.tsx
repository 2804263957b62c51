import { hrefOf } from '../router.ts';
import { BenchmarkFunnel } from './benchmark-funnel.tsx';
import { BenchmarkLeaderboard } from './benchmark-leaderboard.tsx';
import { BenchmarkOutcomes } from './benchmark-outcomes.tsx';
import { BenchmarkRuns } from './benchmark-runs.tsx';
import { BenchmarkTasks } from './benchmark-tasks.tsx';
import type { ViewProps } from './index.ts';
import './benchmark.css';

const parts = {
  tasks: 'Tasks',
  funnel: 'How they were found',
  leaderboard: 'Leaderboard',
  runs: 'Evaluation runs',
} as const;

/** The tasks for coding models: what there is, how it was found, and what models reached. */
export function BenchmarkView(props: ViewProps) {
  const asked = props.query.get('part');
  const part =
    asked === 'funnel' || asked === 'leaderboard' || asked === 'runs' || asked === 'outcomes' ? asked : 'tasks';
  return (
    <>
      <h1>Benchmark</h1>
      <nav class="tabs" aria-label="Parts of the benchmark">
        {Object.entries(parts).map(([id, title]) => (
          <a
            key={id}
            href={hrefOf('benchmark', { part: id === 'tasks' ? null : id })}
            aria-current={id === (part === 'outcomes' ? 'runs' : part) ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {part === 'tasks' && <BenchmarkTasks {...props} />}
      {part === 'funnel' && <BenchmarkFunnel {...props} />}
      {part === 'leaderboard' && <BenchmarkLeaderboard {...props} />}
      {part === 'runs' && <BenchmarkRuns {...props} />}
      {part === 'outcomes' && <BenchmarkOutcomes {...props} />}
    </>
  );
}

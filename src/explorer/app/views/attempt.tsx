import type { AttemptAnswer } from '../../../benchmark/evaluation-attempts.ts';
import type { TaskAnswer } from '../../../benchmark/tasks.ts';
import type { AttemptTests, KeptText, TestNames } from '../../../model/evaluation-attempt.ts';
import type { Api } from '../api.ts';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import type { Asked } from '../use-answer.ts';
import { AttemptDiff } from './attempt-diff.tsx';
import { AttemptLog } from './attempt-log.tsx';
import { statusWords } from './benchmark-outcomes.tsx';
import type { ViewProps } from './index.ts';
import './benchmark.css';
import './attempt.css';

/** One attempt at a task: what became of it, its tests, its diff beside the fix, and what its tests printed. */
export function AttemptView({ api, query, navigate }: ViewProps) {
  const [run, model, task] = ['run', 'model', 'task'].map((name) => query.get(name));
  const path =
    run && model && task
      ? (`/api/benchmark/eval-results/${encodeURIComponent(run)}/outcomes/${encodeURIComponent(task)}` as const)
      : null;
  const asked = useAnswer<AttemptAnswer>(api, path, { model });
  // The task may be of a file, and not be kept here: then there is no fix to look at.
  const solution = useAnswer<TaskAnswer>(api, task ? `/api/benchmark/tasks/${encodeURIComponent(task)}` : null, {
    view: 'full',
  });
  const hasLog = asked.answer?.has_log === true;
  const log = useAnswer<KeptText>(api, hasLog && path !== null ? `${path}/log` : null, { model });
  if (path === null || asked.error?.status === 404)
    return (
      <Empty title="There is no such attempt" isPage>
        <p>{asked.error?.message ?? 'The address names no run, model and task.'}</p>
        <p>
          <a href={hrefOf('benchmark', { part: 'runs' })}>All runs</a>
        </p>
      </Empty>
    );
  const isComplete = !solution.isLoading && (!hasLog || !log.isLoading);
  return (
    <article class="wide attempt">
      <p class="quiet kicker">Attempt at a benchmark task</p>
      <h1>{task}</h1>
      <Answered asked={isComplete ? asked : { ...asked, answer: null }} lines={30}>
        {(attempt) => (
          <>
            <Outcome attempt={attempt} />
            {attempt.is_kept ? (
              <>
                <Tests tests={attempt.tests} hrefOfLog={(find) => hrefOf('attempt', { run, model, task, find })} />
                <Patches attempt={attempt} solution={solution} />
                {hasLog && (
                  <AttemptLog
                    asked={log}
                    find={query.get('find') ?? ''}
                    onFind={(find) => navigate({ query: { run, model, task, find }, replace: true })}
                  />
                )}
                {attempt.has_trajectory && <Trajectory api={api} path={`${path}/trajectory`} model={attempt.model} />}
              </>
            ) : (
              <Empty title="Its patch and log were not kept">
                <p>
                  It was evaluated before they were; evaluating it again with <code>--resume</code> keeps them.
                </p>
              </Empty>
            )}
          </>
        )}
      </Answered>
    </article>
  );
}

function Outcome({ attempt }: { attempt: AttemptAnswer }) {
  const { run_id: run, model, instance_id: task, status, problem, infra, dropped_paths: dropped, usage } = attempt;
  const used = [
    ...(usage?.input_tokens ? [`${format.short(usage.input_tokens)} tokens read`] : []),
    ...(usage?.output_tokens ? [`${format.short(usage.output_tokens)} written`] : []),
    ...(usage?.cost_usd ? [`$${usage.cost_usd.toFixed(2)}`] : []),
  ];
  return (
    <dl class="pairs">
      <dt>Outcome</dt>
      <dd>
        <strong data-outcome={status}>{statusWords[status]}</strong>
        {attempt.controlled === false && status === 'resolved' && ', by the word of its tests alone'}
      </dd>
      {(problem ?? infra) !== null && (
        <>
          <dt>Why</dt>
          <dd>{problem ?? infra}</dd>
        </>
      )}
      {dropped.length > 0 && (
        <>
          <dt>Left out of its patch</dt>
          <dd>{dropped.join(', ')}</dd>
        </>
      )}
      <dt>Model</dt>
      <dd>
        <bdi>{model}</bdi>
      </dd>
      <dt>Run</dt>
      <dd>
        <a href={hrefOf('benchmark', { part: 'outcomes', run, model })}>
          <code>{run}</code>
        </a>
      </dd>
      <dt>Task</dt>
      <dd>
        <a href={hrefOf('task', { id: task })}>What is wrong, and how it is tested</a> ({attempt.difficulty},{' '}
        {attempt.language})
      </dd>
      {used.length > 0 && (
        <>
          <dt>Used</dt>
          <dd>{used.join(', ')}</dd>
        </>
      )}
    </dl>
  );
}

type HrefOfLog = (find: string) => string;

function Tests({ tests, hrefOfLog }: { tests: AttemptTests | null; hrefOfLog: HrefOfLog }) {
  return (
    <section>
      <h2>Tests</h2>
      {tests === null ? (
        <p class="quiet">None was run.</p>
      ) : (
        <>
          <Sorted title="The fix lets these pass" tests={tests.fail_to_pass} hrefOfLog={hrefOfLog} isOpen />
          <Sorted title="These passed before" tests={tests.pass_to_pass} hrefOfLog={hrefOfLog} />
        </>
      )}
    </section>
  );
}

function Sorted({
  title,
  tests: { passed, failed },
  hrefOfLog,
  isOpen = false,
}: {
  title: string;
  tests: AttemptTests['fail_to_pass'];
  hrefOfLog: HrefOfLog;
  isOpen?: boolean;
}) {
  const all = passed.total + failed.total;
  return (
    <>
      <h3>
        {title}:{' '}
        <span class="quiet">
          {format.whole(passed.total)} of {format.whole(all)} passed
        </span>
      </h3>
      {failed.total > 0 && <Names names={failed} verdict="failed" hrefOfLog={hrefOfLog} />}
      {passed.total > 0 && (
        <details open={isOpen && passed.total <= 20}>
          <summary>{format.count(passed.total, 'test')} passed</summary>
          <Names names={passed} verdict="passed" />
        </details>
      )}
    </>
  );
}

function Names({
  names: { names, total },
  verdict,
  hrefOfLog,
}: {
  names: TestNames;
  verdict: 'passed' | 'failed';
  hrefOfLog?: HrefOfLog;
}) {
  return (
    <ul class="verdicts">
      {names.map((name) => (
        <li key={name} data-verdict={verdict}>
          <span class="verdict">{verdict}</span>
          {hrefOfLog ? (
            <a href={hrefOfLog(lastPartOf(name))} title="Find it in the log">
              <code>{name}</code>
            </a>
          ) : (
            <code>{name}</code>
          )}
        </li>
      ))}
      {names.length < total && <li class="quiet">and {format.whole(total - names.length)} more</li>}
    </ul>
  );
}

/** What runners print of a test, whose id has its file and suites before it. */
const lastPartOf = (name: string) => name.split(/ > |::/).at(-1) ?? name;

function Patches({ attempt: { patch }, solution }: { attempt: AttemptAnswer; solution: Asked<TaskAnswer> }) {
  const fix = solution.answer !== null && 'patch' in solution.answer ? solution.answer.patch : null;
  return (
    <section>
      <h2>{fix === null ? 'Its patch' : 'Its patch beside the fix'}</h2>
      {fix === null && (
        <p class="quiet">
          {solution.error?.status === 404
            ? 'The fix is not known here: the task was evaluated from a file and is not kept.'
            : `The fix can’t be shown: ${solution.error?.message ?? 'this key does not see it'}`}
        </p>
      )}
      {patch === null && <p>Nothing was answered.</p>}
      {(patch !== null || fix !== null) && <AttemptDiff attempt={patch} fix={fix} />}
    </section>
  );
}

/** What the agent wrote of its work. */
function Trajectory({ api, path, model }: { api: Api; path: `/${string}`; model: string }) {
  const asked = useAnswer<KeptText>(api, path, { model });
  return (
    <section>
      <h2>What its agent did</h2>
      <Answered asked={asked} lines={10}>
        {({ text, cut }) => (
          <>
            {cut !== null && <p class="quiet">{format.whole(cut.bytes)} bytes are left out in its middle.</p>}
            <pre class="trajectory" role="region" aria-label="Trajectory" tabIndex={0}>
              {cut === null ? indented(text) : text}
            </pre>
          </>
        )}
      </Answered>
    </section>
  );
}

/** JSON on lines of their own; anything else as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

import type { ComponentChildren } from 'preact';
import type { TaskAnswer } from '../../../benchmark/tasks.ts';
import type { TaskEnvironment, TaskInstance } from '../../../model/task-instance.ts';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import { PatchText } from './benchmark-patch.tsx';
import type { ViewProps } from './index.ts';
import './benchmark.css';

/** One task: as its solver sees it, or whole, which tells the solution. */
export function BenchmarkTaskView({ api, query }: ViewProps) {
  const id = query.get('id');
  const view = query.get('view') === 'full' ? 'full' : 'solver';
  const path = id === null ? null : (`/api/benchmark/tasks/${encodeURIComponent(id)}` as const);
  const asked = useAnswer<TaskAnswer>(api, path, { view });
  if (id === null || asked.error?.status === 404)
    return (
      <Empty title="There is no such task" isPage>
        <p>{asked.error?.message ?? 'No task is named in the address.'}</p>
        <p>
          <a href={hrefOf('benchmark')}>All tasks</a>
        </p>
      </Empty>
    );
  return (
    <article>
      <p class="quiet kicker">Benchmark task</p>
      <h1>{id}</h1>
      <nav class="tabs" aria-label="What is shown of the task">
        <a href={hrefOf('task', { id })} aria-current={view === 'solver' ? 'page' : undefined}>
          As its solver sees it
        </a>
        <a href={hrefOf('task', { id, view: 'full' })} aria-current={view === 'full' ? 'page' : undefined}>
          With the solution
        </a>
      </nav>
      <Answered asked={asked} lines={24}>
        {(task) => <Task task={task} />}
      </Answered>
    </article>
  );
}

function Task({ task }: { task: TaskAnswer }) {
  const { repo, base_commit, problem_statement, problem_statement_source, difficulty, language, version } = task;
  const { environment, created_at } = task;
  return (
    <>
      <dl class="pairs">
        <Pair name="Repository">{repo}</Pair>
        <Pair name="Base commit">
          <code>{base_commit}</code>
        </Pair>
        <Pair name="Language">
          {language}, version {version}
        </Pair>
        <Pair name="Difficulty">{difficulty}</Pair>
        <Pair name="Fixed">{format.day(created_at)}</Pair>
      </dl>
      <h2>What is wrong</h2>
      <p class="quiet">From {sources[problem_statement_source]}.</p>
      <pre class="statement">{problem_statement}</pre>
      {'patch' in task && <Solution task={task} />}
      <h2>How its tests are run</h2>
      {environment === null ? (
        <p class="quiet">Not known: it is from a public dataset and was not validated here.</p>
      ) : (
        <Environment environment={environment} />
      )}
    </>
  );
}

function Environment({ environment }: { environment: TaskEnvironment }) {
  return (
    <dl class="pairs">
      <Pair name="Setup">
        <Commands commands={environment.setup_cmds} />
      </Pair>
      <Pair name="Tests">
        <Commands commands={[environment.test_cmd]} />
      </Pair>
      <Pair name="Report">
        {environment.report.format}: <code>{environment.report.path}</code>
      </Pair>
      <Pair name="Runtime">
        {Object.entries(environment.runtime)
          .map(([tool, version]) => `${tool} ${version}`)
          .join(', ')}
      </Pair>
      <Pair name="Sandbox">
        {environment.isolation}, without network, at most {format.count(environment.timeout_s, 'second')}
      </Pair>
    </dl>
  );
}

const sources: Record<TaskAnswer['problem_statement_source'], string> = {
  issue: 'the issue',
  pull_request: 'the pull request',
  commit_message: 'the message of the commit',
  synthesized: 'a text that was made for it',
};

function Solution({ task }: { task: TaskInstance }) {
  const { patch, test_patch, verifying_tests, provenance, validation, quality, hints_text } = task;
  const { fail_to_pass, pass_to_pass, framework } = verifying_tests;
  return (
    <>
      <h2>The solution</h2>
      <PatchText patch={patch} label="The patch that solves it" />
      <h2>Its tests</h2>
      <p>
        {format.count(fail_to_pass.length, 'test')} must pass that {fail_to_pass.length === 1 ? 'fails' : 'fail'}{' '}
        before:
      </p>
      <Tests names={fail_to_pass} />
      <details>
        <summary>
          {format.count(pass_to_pass.length, 'test')} must go on passing ({framework})
        </summary>
        <Tests names={pass_to_pass} />
      </details>
      <PatchText patch={test_patch} label="The tests of the fix" />
      {hints_text !== '' && (
        <details>
          <summary>What was said after it</summary>
          <pre class="statement">{hints_text}</pre>
        </details>
      )}
      <h2>Where it is from, and how it was proven</h2>
      <dl class="pairs">
        <Pair name="Fix">
          <code>{provenance.fix_commit ?? 'not known'}</code> ({provenance.fix_kind ?? 'from a public dataset'}
          {provenance.pr_number !== null && `, pull request ${provenance.pr_number}`})
        </Pair>
        <Pair name="Licence">{provenance.repo_license_spdx ?? 'not known'}</Pair>
        <Pair name="Made">
          {format.moment(provenance.minted_at)} by {provenance.generator_version}
        </Pair>
        <Pair name="Proven">
          {validation.status === 'not_validated' && `not here. ${validation.problem ?? ''} `}
          {format.count(validation.runs_before, 'run')} before and {format.whole(validation.runs_after)} after the fix;{' '}
          {format.count(validation.flake_count, 'test')} set apart as unsteady
        </Pair>
        <Pair name="Leak">
          {format.share(quality.leak_score)} of the solution’s lines are told by the statement of{' '}
          {format.count(quality.statement_words, 'word')}
        </Pair>
        {quality.flags.length > 0 && <Pair name="Flags">{quality.flags.join(', ')}</Pair>}
      </dl>
    </>
  );
}

function Pair({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Commands({ commands }: { commands: readonly string[] }) {
  if (commands.length === 0) return <span class="quiet">none</span>;
  return (
    <>
      {commands.map((command, index) => (
        <code key={index} class="command">
          {command}
        </code>
      ))}
    </>
  );
}

function Tests({ names }: { names: readonly string[] }) {
  return (
    <ul class="tests">
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  );
}

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AttemptAnswer } from '../../src/benchmark/evaluation-attempts.ts';
import type { KeptText } from '../../src/model/evaluation-attempt.ts';
import type { EvaluationOutcome } from '../../src/model/evaluation-outcome.ts';
import type { EvaluationRun } from '../../src/model/evaluation-run.ts';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import { itTakesLong } from '../support/effort.ts';
import { temporaryFolder } from '../support/git-repository.ts';
import { shopRepository } from '../support/shop-repository.ts';

describe('repo-intel benchmark run', () => {
  const folder = temporaryFolder();
  const shop = shopRepository();
  const dataset = join(folder, 'tasks.jsonl');
  // What a setup installs is there, and no part of an answer.
  const environment = { ...shop.instance.environment, setup_cmds: ['mkdir -p installed', 'echo ready >installed/it'] };
  const instance = { ...shop.instance, environment };
  const output = join(folder, 'output');

  before(() => writeFileSync(dataset, `${JSON.stringify(instance)}\n`));
  after(() => {
    shop.repository.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...args: string[]) =>
    repoIntel(
      ['benchmark', 'run', '--dataset', dataset, '--repository', `acme/shop=${shop.repository.path}`].concat(
        ['--output', output],
        args,
      ),
      { DATA_DIR: join(folder, 'data'), MODEL_KEY: 'secret-of-a-model' },
    );
  const summaries = (stdout: string) =>
    stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as EvaluationRun]));
  const attemptOf = (runId: string, file: string) =>
    readFileSync(join(output, 'attempts', runId, instance.instance_id, file), 'utf8');

  it('solves each task by its own fix, and none by doing nothing', async () => {
    for (const [agent, solved] of [
      ['oracle', 1],
      ['nop', 0],
    ] as const) {
      const { code, stdout, stderr } = await run('--agent', agent, '--json', '--run-id', agent);
      expect(code, stderr).to.equal(0);
      expect(stderr).to.include('an agent reaches no network');
      const [summary] = summaries(stdout);
      expect(summary).to.include({ model: agent, evaluated: 1, solved, uncontrolled: 0, usage: null });
    }
  });

  it('gives an agent the base, what was wrong and what was installed, and takes what it changed, did and cost', async () => {
    const agent = [
      'test "$(cat installed/it)" = ready',
      'grep -q . "$PROBLEM_STATEMENT_FILE"',
      'test "$(git rev-list --all --count)" -le 1',
      'echo "key $MODEL_KEY of $INSTANCE_ID in $TIME_LIMIT_S"',
      '! grep -rq "of nothing" . ',
      '! (exec 3<>/dev/tcp/127.0.0.1/1) 2>/dev/null',
      "sed -i 's/a + b)/a + b, 0)/' src/price.js",
      'echo new >src/new.js',
      'git config user.name agent; git config user.email a@example.com; git add -A; git commit -qm done',
      `echo '[{"step": 1}]' >"$TRAJECTORY_FILE"`,
      `echo '{"input_tokens": 1200, "cost_usd": 0.25}' >"$USAGE_FILE"`,
    ].join(' && ');
    const given = ['--agent-env', 'MODEL_KEY', '--model', 'acme/coder-1', '--time-limit', '60', '--run-id', 'coder'];
    const { code, stdout, stderr } = await run('--agent', agent, ...given, '--json');
    expect(code, stderr).to.equal(0);
    const log = attemptOf('coder', 'agent.log');
    expect(log).to.include(`key secret-of-a-model of ${instance.instance_id} in 60`);
    const [summary] = summaries(stdout);
    expect(summary, log).to.deep.include({
      model: 'acme/coder-1',
      solved: 1,
      usage: { input_tokens: 1200, output_tokens: null, cost_usd: 0.25 },
    });
    expect(JSON.parse(attemptOf('coder', 'trajectory.json'))).to.deep.equal([{ step: 1 }]);
    const patch = attemptOf('coder', 'patch.diff');
    expect(patch)
      .to.match(/^diff --git a\/src\/price\.js/m)
      .and.include('src/new.js');
    expect(patch).to.not.include('installed');
    const lines = readFileSync(join(output, 'attempts/coder/preds.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).to.deep.equal([
      { instance_id: instance.instance_id, model_name_or_path: 'acme/coder-1', model_patch: patch },
    ]);
  });

  it('an agent’s trajectory, its tokens and cost, and its diff are answered, and never to a solver’s key', async () => {
    const environment = { DATA_DIR: join(folder, 'data') };
    const service = await startRepoIntel(['serve'], environment);
    try {
      const imported = await repoIntel(['benchmark', 'import', dataset], environment);
      expect(imported.code, imported.stderr).to.equal(0);
      const steps = 20_000;
      const program = join(folder, 'agent.mjs');
      writeFileSync(
        program,
        `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
        const { PROBLEM_STATEMENT_FILE, TRAJECTORY_FILE, USAGE_FILE } = process.env;
        const step = (text) => appendFileSync(TRAJECTORY_FILE, JSON.stringify({ text }) + '\\n');
        step('read: ' + readFileSync(PROBLEM_STATEMENT_FILE, 'utf8').trim().length + ' characters');
        appendFileSync(TRAJECTORY_FILE, '{"text":"looked at price.js"}\\n'.repeat(${steps}));
        const source = readFileSync('src/price.js', 'utf8');
        writeFileSync('src/price.js', source.replace('a + b)', 'a + b, 0)'));
        step('wrote what begins at naught');
        writeFileSync(USAGE_FILE, JSON.stringify({ input_tokens: 5000, output_tokens: 700, cost_usd: 0.125 }));`,
      );
      process.env['AGENT_PROGRAM'] = readFileSync(program, 'utf8');
      const given = ['--agent-env', 'AGENT_PROGRAM', '--model', 'acme/stepper', '--run-id', 'stepper'];
      const agent = 'printf %s "$AGENT_PROGRAM" >"$HOME/agent.mjs" && node "$HOME/agent.mjs"';
      const { code, stdout, stderr } = await run('--agent', agent, ...given, '--json');
      expect(code, stderr).to.equal(0);
      const usage = { input_tokens: 5000, output_tokens: 700, cost_usd: 0.125 };
      const [summary] = summaries(stdout);
      expect(summary, attemptOf('stepper', 'agent.log')).to.deep.include({ solved: 1, usage });

      const { api_key: solver } = JSON.parse(
        (
          await repoIntel(
            ['keys', 'create', '--organization', 'default', '--member', 'solver', '--scope', 'solver', '--json'],
            environment,
          )
        ).stdout,
      ) as { api_key: string };
      const reader = keyIn(service.stdout());
      const outcomes = '/api/benchmark/eval-results/stepper/outcomes';
      const attempt = `${outcomes}/${instance.instance_id}`;
      const model = '?model=acme/stepper';
      const answer = async <T>(path: string) => (await get<T>(service.address, path, reader)).body;
      const { items } = await answer<{ items: EvaluationOutcome[] }>(outcomes);
      expect(items.map(({ status, usage: own }) => ({ status, own }))).to.deep.equal([
        { status: 'resolved', own: usage },
      ]);
      expect(await answer<AttemptAnswer>(attempt + model)).to.deep.include({
        is_kept: true,
        has_trajectory: true,
        patch: { text: attemptOf('stepper', 'patch.diff'), cut: null },
      });
      const { text, cut } = await answer<KeptText>(`${attempt}/trajectory${model}`);
      expect(text.split('\n')[0]).to.match(/^\{"text":"read: \d+ characters"\}$/);
      expect(text.trimEnd().split('\n').at(-1)).to.equal('{"text":"wrote what begins at naught"}');
      const whole = statSync(join(output, 'attempts/stepper', instance.instance_id, 'trajectory.json')).size;
      expect(Buffer.byteLength(text) + (cut?.bytes ?? 0)).to.equal(whole);
      expect(cut?.bytes).to.be.above(0);

      const paths = ['/api/benchmark/eval-results', outcomes, `${attempt}${model}`].concat(
        ['log', 'trajectory'].map((name) => `${attempt}/${name}${model}`),
      );
      for (const path of paths) {
        expect((await get(service.address, path, reader)).status, path).to.equal(200);
        const refused = await get(service.address, path, solver);
        expect(refused.status, path).to.equal(403);
        expect(JSON.stringify(refused.body), path).to.not.match(/naught|a \+ b|of nothing|stepper"/);
      }
    } finally {
      delete process.env['AGENT_PROGRAM'];
      await service.stop();
    }
  });

  it('an agent’s trajectory that is too large is not kept, and its outcome says so', async () => {
    const environment = { DATA_DIR: join(folder, 'data') };
    const agent = `sed -i 's/a + b)/a + b, 0)/' src/price.js; truncate -s 130M "$TRAJECTORY_FILE"`;
    const { code, stderr } = await run('--agent', agent, '--model', 'long', '--run-id', 'long');
    expect(code, stderr).to.equal(0);
    const problem = 'Its trajectory has 128 MiB or more, and is not kept.';
    expect(stderr).to.include(`${instance.instance_id}: ${problem}`);
    expect(existsSync(join(output, 'attempts/long', instance.instance_id, 'trajectory.json'))).to.equal(false);
    const service = await startRepoIntel(['serve'], environment);
    try {
      const made = await repoIntel(
        ['keys', 'create', '--organization', 'default', '--role', 'owner', '--json'],
        environment,
      );
      const { api_key: key } = JSON.parse(made.stdout) as { api_key: string };
      const outcomes = '/api/benchmark/eval-results/long/outcomes';
      const { body } = await get<{ items: EvaluationOutcome[] }>(service.address, outcomes, key);
      expect(body.items.map((item) => [item.status, item.problem])).to.deep.equal([['resolved', problem]]);
    } finally {
      await service.stop();
    }
  });

  itTakesLong(
    'ends an agent that takes too long, takes what it has changed by then, and tells samples apart',
    async () => {
      const agent = `sed -i 's/a + b)/a + b, 0)/' src/price.js; sleep 600`;
      const given = ['--agent', agent, '--model', 'slow', '--time-limit', '2', '--samples', '2', '--run-id', 'slow'];
      const { code, stdout, stderr } = await run(...given);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/pass@1\t100\.0 % of 2 attempts\npass@2\t100\.0 % \(95 % interval 20\.7 to 100\.0\)/);
      for (const sample of ['slow.1', 'slow.2'])
        expect(JSON.parse(attemptOf(sample, 'attempt.json'))).to.include({
          timed_out: true,
          exit_code: null,
          problem: null,
        });
      // What is there is not done again.
      rmSync(join(output, 'attempts/slow.2'), { recursive: true });
      const again = await run(...given, '--resume');
      expect(again.code, again.stderr).to.equal(0);
      expect(existsSync(join(output, 'attempts/slow.2', instance.instance_id, 'patch.diff'))).to.equal(true);
    },
  );

  it('says what it can’t do in a sentence', async () => {
    const { code, stderr } = await run('--agent', 'true', '--agent-env', 'NO_SUCH_VARIABLE');
    expect([code, stderr]).to.deep.equal([2, 'repo-intel: --agent-env NO_SUCH_VARIABLE: there is no such variable.\n']);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { launcher } from '../support/cli.ts';
import { leastOf, undescribed } from '../support/described-by-forge.ts';
import { gitRepository, temporaryFolder, writeFiles } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Action {
  inputs: Record<string, { default: string }>;
  runs: { steps: { name?: string; uses?: string; run?: string; env?: Record<string, string> }[] };
}
interface Template {
  inputs: Record<string, { default?: string }>;
  job: { script: string[]; variables: Record<string, string> };
}

const action = parse(read('packaging/github-action/action.yml')) as Action;
const [{ spec }, jobs] = parseAllDocuments(read('packaging/gitlab/repo-intel.yml')).map((each) => each.toJS()) as [
  { spec: { inputs: Template['inputs'] } },
  { 'repo-intel': Template['job'] },
];
const template: Template = { inputs: spec.inputs, job: jobs['repo-intel'] };

/** A comment as either forge keeps it, and who may write some. */
interface Forge {
  server: Server;
  address: string;
  comments: { id: number; body: string; user: { login: string; type: string }; author: { id: number } }[];
  mayWrite: boolean;
  asked: { method: string; path: string; token: string }[];
  /** What GitHub was asked, or answered, otherwise than it describes itself. */
  drifts: string[];
}

const ours = { user: { login: 'github-actions[bot]', type: 'Bot' }, author: { id: 1 } };
const ofAuthor = { user: { login: 'mallory', type: 'User' }, author: { id: 2 } };
/** What the author of a change writes who would like to say what it does, or to have ours be theirs. */
const forged = { id: 5_000, body: '<!-- repo-intel diff -->\nNothing is affected.', ...ofAuthor };

/** With all that GitHub has to say of a comment and who wrote it; what is GitLab's is left out. */
function asGitHub(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(asGitHub);
  if (typeof answer !== 'object' || answer === null || !('user' in answer)) return answer;
  const { author: _, user, ...comment } = answer as Forge['comments'][number];
  const [whole, person] = ['issue-comment', 'simple-user'].map((name) =>
    leastOf('github', `#/components/schemas/${name}`),
  );
  return { ...(whole as object), ...comment, user: { ...(person as object), ...user } };
}

/** GitHub's and GitLab's lists of comments, in pages of what is asked for. */
async function startForge(): Promise<Forge> {
  const forge: Forge = { server: createServer(), address: '', comments: [], mayWrite: true, asked: [], drifts: [] };
  const answer = (request: IncomingMessage, sent: string): [number, unknown] => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://forge');
    const { method = '' } = request;
    const token = String(request.headers.authorization ?? request.headers['private-token']);
    forge.asked.push({ method, path, token });
    const list = /^\/(repos\/acme\/urls\/issues\/7\/comments|projects\/acme%2Furls\/merge_requests\/7\/notes)$/;
    const one = /^\/(?:repos\/acme\/urls\/issues\/comments|projects\/acme%2Furls\/merge_requests\/7\/notes)\/(\d+)$/;
    if (method === 'GET' && list.test(path)) {
      const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('per_page'))];
      return [200, forge.comments.slice((page - 1) * size, page * size)];
    }
    // The token of a job may not ask who it is; one of a project may.
    if (path === '/user') return token.startsWith('Bearer') ? [403, {}] : [200, { id: 1 }];
    if (!forge.mayWrite) return [403, { message: 'Resource not accessible by integration' }];
    const { body } = JSON.parse(sent) as { body: string };
    if (method === 'POST' && list.test(path)) {
      forge.comments.push({ id: 1_000 + forge.comments.length, body, ...ours });
      return [201, forge.comments.at(-1)];
    }
    const own = forge.comments.find(({ id }) => String(id) === one.exec(path)?.[1]);
    if (!own || method !== (path.startsWith('/repos') ? 'PATCH' : 'PUT')) return [404, {}];
    own.body = body;
    return [200, own];
  };
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = await text(request);
    const [status, found] = answer(request, sent);
    const { method = '', url = '', headers: asked } = request;
    const { pathname: path, searchParams: query } = new URL(url, 'http://forge');
    const isGitHub = String(asked.authorization).startsWith('Bearer');
    const body = JSON.stringify(isGitHub ? asGitHub(found) : found);
    const headers = { 'content-type': 'application/json' };
    if (isGitHub) forge.drifts.push(...undescribed('github', { method, path, query, sent, status, headers, body }));
    response.writeHead(status, headers).end(body);
  };
  forge.server.on('request', (request, response) => void reply(request, response));
  forge.server.listen(0, '127.0.0.1');
  await once(forge.server, 'listening');
  forge.address = `http://127.0.0.1:${(forge.server.address() as AddressInfo).port}`;
  return forge;
}

describe('in CI', () => {
  let forge: Forge;
  let folder: string;
  let origin: GitRepository;
  let base: string;
  let head: string;

  before(async () => {
    forge = await startForge();
    folder = temporaryFolder();
    origin = gitRepository({
      name: 'urls',
      files: {
        'index.ts': 'export function parse(text: string): URL {\n  return new URL(text);\n}\n',
        'use.ts': "import { parse } from './index.ts';\n\nexport const home = () => parse('https://a.example');\n",
      },
    });
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    origin.git('checkout', '--quiet', '-b', 'next');
    head = origin.commit('Say it in another way', {
      files: { 'index.ts': 'export function parseUrl(text: string): URL {\n  return new URL(text);\n}\n' },
    });
    origin.git('checkout', '--quiet', 'main');
    base = origin.commit('Meanwhile', { files: { 'README.md': '# urls\n' } });
    // What the steps call: the program of this checkout, and an npm that only says what it would install.
    writeFiles(join(folder, 'bin'), {
      'repo-intel': { executable: `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n` },
      npm: { executable: `#!/bin/sh\necho "$@" >> '${join(folder, 'installed')}'\n` },
    });
  });
  beforeEach(() => Object.assign(forge, { comments: [], mayWrite: true, asked: [] }));
  afterEach(() => expect(forge.drifts).to.deep.equal([]));
  after(() => {
    forge.server.close();
    origin.remove();
    rmSync(folder, { recursive: true });
  });

  let checkouts = 0;
  /** A checkout as CI systems make it. */
  function checkOut(...options: string[]): string {
    const path = join(folder, `checkout-${(checkouts += 1)}`);
    origin.git('clone', '--quiet', ...options, pathToFileURL(origin.path).href, path);
    return path;
  }

  async function bash(script: string, cwd: string, environment: Record<string, string>) {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd,
      env: {
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        HOME: folder,
        DATA_DIR: join(folder, 'data'),
        ...environment,
      },
    });
    child.stdin.end();
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: code as number, stdout, stderr };
  }

  describe('the action of GitHub', () => {
    const ask = async ({ inputs = {}, fork = false }: { inputs?: Record<string, string>; fork?: boolean } = {}) => {
      const cwd = checkOut('--depth=1', '--branch=main');
      const event = { pull_request: { number: 7, base: { sha: base }, head: { sha: head, repo: { fork } } } };
      writeFiles(cwd, { '../event.json': JSON.stringify(event), '../summary.md': '' });
      const job = {
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        GITHUB_REPOSITORY: 'acme/urls',
        GITHUB_API_URL: forge.address,
        GITHUB_ACTION_PATH: join(root, 'packaging/github-action'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      };
      const values: Record<string, string> = {
        'github.token': 'ghs_of_the_job',
        'github.event.pull_request.base.sha': base,
        'github.event.pull_request.head.sha': head,
      };
      const valueOf = (expression: string): string =>
        expression.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => {
          const input = /^inputs\.(.*)$/.exec(name)?.[1];
          const value = input === undefined ? values[name] : (inputs[input] ?? action.inputs[input]?.default);
          if (value === undefined) throw new Error(`There is no ${name}.`);
          return valueOf(value);
        });
      let last = { code: 0, stdout: '', stderr: '' };
      for (const { run, env = {} } of action.runs.steps) {
        if (run === undefined || last.code !== 0) continue;
        const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, valueOf(value)]));
        last = await bash(run, cwd, { ...job, ...given });
      }
      return { ...last, cwd, summary: readFileSync(join(folder, 'summary.md'), 'utf8') };
    };

    it('comments once, by what the two sides have apart, and says the rest by the code of the gate', async () => {
      forge.comments.push(
        { ...forged },
        ...Array.from({ length: 119 }, (_, id) => ({ id, body: 'Looks good.', ...ofAuthor })),
      );
      const first = await ask();
      expect(first.code, first.stderr).equals(0);
      expect(forge.comments.length).equals(121);
      const own = forge.comments[120]?.body ?? '';
      expect(own).matches(/^<!-- repo-intel diff -->\n### What this change does/);
      expect(own).includes('parse').and.not.includes('README.md');
      expect(first.summary).includes('### What this change does');
      expect(forge.asked.map(({ token }) => token)).includes('Bearer ghs_of_the_job');
      const again = await ask({ inputs: { 'fail-on': 'new-finding broken-caller', sarif: 'new.sarif' } });
      expect(again.code, again.stderr).equals(11);
      expect(forge.comments.length).equals(121);
      expect(forge.comments[0]).deep.equals(forged);
      expect(existsSync(join(again.cwd, 'new.sarif'))).equals(true);
      expect(readFileSync(join(folder, 'installed'), 'utf8')).includes(`${packageJson.name}@${packageJson.version}`);
    });

    it('fails on a comment that it may not write, unless the pull request is of a fork, whose job has it as its summary', async () => {
      forge.mayWrite = false;
      const own = await ask();
      expect([own.code, own.stderr]).satisfies(
        ([code, said]: [number, string]) => code === 1 && said.includes('pull-requests: write'),
      );
      const { code, stderr, summary } = await ask({ fork: true });
      expect(code).equals(0);
      expect(stderr).includes('of a fork');
      expect(summary).includes('### What this change does');
    });
  });

  it('the template of GitLab comments once, and keeps the findings as a file', async () => {
    const cwd = checkOut('--branch=next');
    const { script, variables } = template.job;
    const given = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value.replace(
          /\$\[\[ inputs\.(\w+) \]\]/g,
          (_, input: string) => template.inputs[input]?.default ?? `the ${input}`,
        ),
      ]),
    );
    const job = {
      ...given,
      GITLAB_CI: 'true',
      CI_API_V4_URL: forge.address,
      CI_PROJECT_ID: 'acme/urls',
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      CI_COMMIT_SHA: head,
    };
    forge.comments.push({ ...forged });
    const without = await bash(script.join('\n'), cwd, job);
    expect([without.code, forge.comments.length]).deep.equals([1, 1]);
    expect(without.stderr).includes('Set GITLAB_TOKEN');
    for (const gates of ['', 'broken-caller']) {
      const { code, stderr } = await bash(script.join('\n'), cwd, {
        ...job,
        GITLAB_TOKEN: 'glpat-of-the-project',
        REPO_INTEL_FAIL_ON: gates,
      });
      expect(code, stderr).equals(gates === '' ? 0 : 11);
    }
    expect(forge.comments.length).equals(2);
    expect(forge.comments[0]).deep.equals(forged);
    expect(forge.asked.at(-1)).includes({ method: 'PUT', token: 'glpat-of-the-project' });
    expect(existsSync(join(cwd, 'repo-intel.sarif'))).equals(true);
  });

  it('elsewhere --comment says where it is for', async () => {
    const { code, stderr } = await bash('repo-intel diff --comment', checkOut('--branch=main'), {});
    expect(code).equals(1);
    expect(stderr).includes('no job of GitHub Actions');
  });
});
